/** Checks the parameters of a vendor's request. They contain your program's conversation, to which messages are appended. */

import { kind } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";

/** Returns the error for invalid parameters or an invalid client. */
export function wrong(message: string): ToolSiftError {
  return new ToolSiftError("option_invalid", message);
}

/** Checks that the parameters contain a conversation: a list of objects that can be appended to. */
export function conversationIn(params: unknown, key: string, example: string): void {
  if (typeof params !== "object" || params === null) throw wrong(`params must be an object, got ${kind(params)}`);
  const list = (params as Record<string, unknown>)[key];
  if (!Array.isArray(list)) throw wrong(`params.${key} is ${kind(list)}; it must be a list, such as ${example}`);
  if (!Object.isExtensible(list)) throw wrong(`params.${key} is frozen; the conversation grows in it`);
  objectsIn(key, list);
}

function objectsIn(key: string, list: readonly unknown[]): void {
  const at = list.findIndex((one) => typeof one !== "object" || one === null);
  if (at !== -1) throw wrong(`params.${key}[${at}] is ${kind(list[at])}; it must be an object`);
}

/** Checks the tools of the parameters: a list of objects, or undefined. */
export function toolsIn(params: { tools?: unknown }): void {
  const { tools } = params;
  if (tools !== undefined && tools !== null && !Array.isArray(tools)) {
    throw wrong(`params.tools is ${kind(tools)}; it must be a list`);
  }
  objectsIn("tools", tools ?? []);
}
