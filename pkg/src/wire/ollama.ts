/** Ollama's chat: messages as those of Chat Completions, but calls have arguments as objects, and often no ids. */

import type { Answer, ModelCall } from "../types.js";
import type { Reply } from "./api.js";
import type { Calls } from "./calls.js";
import { type Fields, fieldsOf, definedFields, objectsIn, textIn } from "./fields.js";
import { cutOff, entriesIn, objectIn } from "./reply.js";

export { choiceIn, nameOf, withPrompt } from "./openai-chat.js";

/** Reads a response that is whole. */
export function read(response: object): Reply | undefined {
  const { message, done_reason } = fieldsOf(response);
  if (!message) return undefined;
  const fields = objectIn("message", message);
  const text = textIn(fields["content"]) ?? "";
  const calls = callsIn(fields, done_reason);
  return { calls, messages: text === "" && calls.length === 0 ? [] : [fields], text };
}

function callsIn(message: Fields, reason: unknown): ModelCall[] {
  const all = entriesIn("tool_calls", message["tool_calls"]);
  return all.map((call, at): ModelCall => {
    const { name, arguments: args } = objectIn("function", call["function"]);
    const isCut = at === all.length - 1 && reason === "length";
    const broken = isCut ? { broken: cutOff(reason, " Make it shorter.") } : {};
    return { id: textIn(call["id"]), name: name as string, args, ...broken };
  });
}

/** The messages that answer the calls. */
export function answersOf(answers: readonly Answer[]): object[] {
  return answers.map(({ call: { id, name }, content }) => {
    return { role: "tool", tool_name: name, content, ...(id === undefined ? {} : { tool_call_id: id }) };
  });
}

/** Reads calls from the assistant's messages. Without ids, an answer belongs to the first open call of its name. */
export function history({ role, content, tool_calls, tool_call_id, tool_name, name }: Fields, calls: Calls): void {
  if (role === "assistant") {
    for (const call of calls.items(tool_calls)) {
      const { name: tool, arguments: args } = fieldsOf(call["function"]);
      calls.call(tool, args, call["id"]);
    }
  } else if (role === "tool") {
    calls.answer(content, { id: tool_call_id, name: tool_name ?? name });
  } else {
    calls.forget();
  }
}

/** The lines of a stream, which are responses with a part of the message each. */
export class Pieces {
  readonly #message: Record<string, unknown> = { role: "assistant", content: "" };
  readonly #calls: Fields[] = [];
  #last: Fields = {};

  add(line: object): void {
    const { message, ...about } = line as Fields;
    const { content, thinking, tool_calls, ...others } = definedFields(fieldsOf(message));
    for (const [key, value] of Object.entries({ content, thinking })) {
      if (typeof value === "string") this.#message[key] = `${textIn(this.#message[key]) ?? ""}${value}`;
    }
    Object.assign(this.#message, others);
    this.#calls.push(...objectsIn(tool_calls));
    this.#last = about;
  }

  get reply(): Fields | undefined {
    if (this.#last["done"] !== true) return undefined;
    const calls = this.#calls.length === 0 ? {} : { tool_calls: this.#calls };
    return { ...this.#last, message: { ...this.#message, ...calls } };
  }
}
