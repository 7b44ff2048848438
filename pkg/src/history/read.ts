/** Reads the calls of a conversation as its format has them, and refuses messages of another format. */

import { plain } from "../base/plain.js";
import { ToolSiftError } from "../base/errors.js";
import type { FromMessagesOptions, MessageFormat } from "../types/index.js";
import { isList, kind } from "../base/values.js";
import { type Call, Calls } from "../wire/calls.js";
import { fieldsOf } from "../wire/fields.js";
import { READERS } from "./formats.js";

/** The calls of a conversation, in their order. */
export function callsIn(messages: unknown, options: FromMessagesOptions): Calls {
  const format = formatOf(options);
  if (!isList(messages)) {
    throw new ToolSiftError("messages_invalid", `messages must be a list, got ${kind(messages)}`);
  }
  const calls = readAs(format, messages);
  if (!calls.all.some(isAnswered)) refuseOthers(format, messages);
  return calls;
}

function formatOf(options: FromMessagesOptions): MessageFormat {
  const { format, ...others } = fieldsOf(plain("options", options));
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ToolSiftError("option_unknown", `options.${unknown} is unknown; there is format only`);
  if (typeof format === "string" && Object.hasOwn(READERS, format)) return format as MessageFormat;
  const all = Object.keys(READERS).join(", ");
  throw new ToolSiftError("option_invalid", `options.format must be one of ${all}; got ${kind(format)}`);
}

function readAs(format: MessageFormat, messages: readonly unknown[]): Calls {
  const calls = new Calls();
  calls.count(messages.length);
  for (const [at, message] of messages.entries()) {
    if (typeof message !== "object" || message === null) {
      throw new ToolSiftError("messages_invalid", `messages.${at} must be an object, got ${kind(message)}`);
    }
    READERS[format](fieldsOf(message), calls);
  }
  return calls;
}

/** A conversation of another format has no calls in this one: silently, all that it revealed would be forgotten. */
function refuseOthers(format: MessageFormat, messages: readonly unknown[]): void {
  for (const other of Object.keys(READERS) as MessageFormat[]) {
    const found = other === format ? 0 : readAs(other, messages).all.filter(isAnswered).length;
    if (found === 0) continue;
    const message = `messages hold no answered call as ${format}, but ${found} as ${other}: pass format "${other}"`;
    throw new ToolSiftError("format_mismatch", message);
  }
}

function isAnswered(call: Call): boolean {
  return "answer" in call;
}
