/**
 * Converts the arguments of calls to a form that vendors accept back in a conversation. Some vendors (vLLM, llama.cpp) parse
 * them, and refuse this and every later request if they are no JSON object. The answer to the call has the reason.
 */

import { parsed } from "../base/values.js";
import { isObject } from "./fields.js";

/** Returns arguments as an object; empty if they are no object. */
export function objectOf(args: unknown): object {
  const value = typeof args === "string" ? parsed(args) : args;
  // Some models encode the JSON text twice.
  const inner = typeof value === "string" ? parsed(value) : value;
  return isObject(inner) ? inner : {};
}

/** Returns arguments unchanged if they are an object or its JSON text; otherwise the JSON text of `objectOf`. */
export function sendableText(args: unknown): unknown {
  const isSendable = isObject(typeof args === "string" ? parsed(args) : args);
  return isSendable ? args : JSON.stringify(objectOf(args));
}
