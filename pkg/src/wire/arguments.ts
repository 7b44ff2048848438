/**
 * The arguments of calls as vendors take them back in a conversation. Some vendors (vLLM, llama.cpp) read them there, and refuse
 * this and every later request for a text that is no JSON of an object. The answer to the call says what was wrong with it.
 */

import { parsed } from "../base/values.js";
import { isObject } from "./fields.js";

/** Arguments as an object; empty where they hold none. */
export function objectOf(args: unknown): object {
  const value = typeof args === "string" ? parsed(args) : args;
  // Some models write the text of a text.
  const inner = typeof value === "string" ? parsed(value) : value;
  return isObject(inner) ? inner : {};
}

/** Arguments as they were written, where they are an object or the JSON text of one; otherwise the text of what they hold. */
export function sendableText(args: unknown): unknown {
  const isSendable = isObject(typeof args === "string" ? parsed(args) : args);
  return isSendable ? args : JSON.stringify(objectOf(args));
}
