/** OpenAI's Chat Completions: tools are functions, the assistant's message has the calls, and each answer is a message. */

import type { Answer, ModelCall } from "../types/index.js";
import type { Choice, Reply } from "./api.js";
import { sendableText } from "./arguments.js";
import { type Fields, fieldsOf, definedFields, isObject, objectsIn, textIn, textOf } from "./fields.js";
import { cutOff, entriesIn, objectIn } from "./reply.js";

export { withPrompt } from "./prompt.js";

/** Returns the name by which the model calls a tool of a request. */
export function nameOf(tool: object): string | undefined {
  const { type, custom, function: made } = tool as Fields;
  return textIn(fieldsOf(type === "custom" ? custom : made)["name"]);
}

/** Returns the functions and custom tools that a choice names, and its demand for a call. */
export function choiceIn(choice: unknown): Choice {
  const { type, allowed_tools } = fieldsOf(choice);
  const { tools, mode } = fieldsOf(allowed_tools);
  const named = type === "allowed_tools" ? objectsIn(tools) : [fieldsOf(choice)];
  const isDemand = choice === "required" || (type === "allowed_tools" ? mode === "required" : type !== undefined);
  const names = named.flatMap((tool) => nameOf(tool) ?? []);
  return { named: names, choice: choice === "none" ? "none" : isDemand ? "demanded" : "free" };
}

/** Returns a choice without its demand for a call. */
export function freed(choice: unknown): unknown {
  const { type, allowed_tools } = fieldsOf(choice);
  if (type === "allowed_tools") return { type, allowed_tools: { ...fieldsOf(allowed_tools), mode: "auto" } };
  return choiceIn(choice).choice === "demanded" ? "auto" : choice;
}

/** Reads a reply: its first choice. */
export function read(completion: object): Reply | undefined {
  const [choice] = entriesIn("choices", fieldsOf(completion)["choices"]);
  const message = choice?.["message"];
  if (!message) return undefined;
  const fields = objectIn("message", message);
  const text = textOf(fields["content"]) || (textIn(fields["refusal"]) ?? "");
  return { calls: callsIn(fields, choice!["finish_reason"]), messages: [asSent(fields)], text };
}

/** Returns the calls of a message. If the reply was cut off, its last call has `broken`. */
export function callsIn(message: object, finishReason?: unknown): ModelCall[] {
  const all = entriesIn("tool_calls", objectIn("message", message)["tool_calls"]);
  return all.map((call, at): ModelCall => {
    const isCustom = call["type"] === "custom";
    const made = isCustom ? objectIn("custom tool", call["custom"]) : objectIn("function", call["function"]);
    const { name, input, arguments: text } = made;
    const isCut = at === all.length - 1 && (finishReason === "length" || finishReason === "content_filter");
    const advice = finishReason === "length" ? " Make it shorter." : "";
    const broken = isCut ? { broken: cutOff(finishReason, advice) } : {};
    return { id: call["id"] as string, name: name as string, args: isCustom ? { input } : text, ...broken };
  });
}

/** Returns a message for the conversation: without an empty list of calls (the API refuses it), with JSON arguments. */
function asSent({ tool_calls, ...others }: Fields): Fields {
  const calls = objectsIn(tool_calls).map((call) => {
    const made = call["function"];
    return isObject(made) ? { ...call, function: { ...made, arguments: sendableText(made["arguments"]) } } : call;
  });
  return calls.length > 0 ? { ...others, tool_calls: calls } : others;
}

/** Returns the messages that answer the calls, as text. */
export function answersOf(answers: readonly Answer[]): { role: "tool"; tool_call_id: string; content: string }[] {
  return answers.map(({ call, content }) => ({ role: "tool", tool_call_id: call.id ?? "", content }));
}

/**
 * Joins the chunks of a stream to their first choice, without parsing the arguments. The client's own helper ends the run if
 * arguments or texts are no JSON, which it does not do for a reply that is not streamed.
 */
export class Pieces {
  readonly #about: Record<string, unknown> = {};
  readonly #message: Record<string, unknown> = { role: "assistant", content: null, refusal: null };
  readonly #calls = new Growing();
  #finishReason: unknown;

  /** Adds a chunk. Returns the index of the call for each piece of a call in the chunk. */
  add(chunk: object): number[] {
    const { choices, ...fields } = chunk as Fields;
    Object.assign(this.#about, definedFields(fields));
    const choice = entriesIn("choices", choices)[0];
    if (choice === undefined) return [];
    const { tool_calls, ...delta } = fieldsOf(choice["delta"]);
    for (const [key, value] of Object.entries(definedFields(delta)))
      this.#message[key] = grown(key, this.#message[key], value);
    this.#finishReason = choice["finish_reason"] ?? this.#finishReason;
    return entriesIn("tool_calls", tool_calls).map((piece) => this.#calls.add(piece));
  }

  /** Returns the name of a call, as far as it has arrived. */
  nameAt(place: number): string {
    return this.#calls.nameAt(place);
  }

  get reply(): Fields | undefined {
    if (this.#finishReason === undefined) return undefined;
    const tool_calls = this.#calls.whole();
    const message = { ...this.#message, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
    const choice = { index: 0, message, finish_reason: this.#finishReason };
    return { ...this.#about, object: "chat.completion", choices: [{ logprobs: null, ...choice }] };
  }
}

/** Joins a field of two chunks. Texts, and some vendors' reasoning, arrive in pieces. Other fields arrive whole. */
function grown(key: string, before: unknown, value: unknown): unknown {
  if (key !== "content" && key !== "refusal" && !key.startsWith("reasoning")) return value;
  if (typeof value === "string") return typeof before === "string" ? before + value : value;
  return Array.isArray(value) && Array.isArray(before) ? [...before, ...(value as unknown[])] : value;
}

/** A call whose arguments are still arriving. */
interface Open {
  id: string;
  name: string;
  text: string;
  isCustom: boolean;
  others: object;
}

/** The calls of a streamed reply. Vendors identify them in different ways: by index, by id, or by order alone. */
class Growing {
  readonly #calls: Open[] = [];
  readonly #byIndex = new Map<number, Open>();

  /** Adds a piece of a call. Returns the index of the call. */
  add({ index, id, type, function: made, custom, ...others }: Fields): number {
    const part = fieldsOf(made ?? custom);
    const name = textIn(part["name"]);
    let call = this.#open(index, textIn(id), name);
    if (call === undefined) {
      call = { id: "", name: "", text: "", isCustom: type === "custom" || Boolean(custom), others: {} };
      this.#calls.push(call);
    }
    if (typeof index === "number") this.#byIndex.set(index, call);
    call.id ||= textIn(id) ?? "";
    call.name ||= name ?? "";
    call.text += argsText(made ? part["arguments"] : part["input"]);
    Object.assign(call.others, definedFields(others));
    return this.#calls.indexOf(call);
  }

  nameAt(place: number): string {
    return this.#calls[place]?.name ?? "";
  }

  /** Returns the call that a piece continues. A piece with a name begins a new call, unless an earlier call has its id. */
  #open(index: unknown, id: string | undefined, name: string | undefined): Open | undefined {
    const numbered = typeof index === "number";
    const call = numbered ? this.#byIndex.get(index) : id ? this.#calls.find((one) => one.id === id) : this.#calls.at(-1);
    const isAnother = name && (id ? call?.id !== id : !numbered);
    return isAnother ? undefined : call;
  }

  whole(): Fields[] {
    return this.#calls.map(({ id, name, text, isCustom, others }) => {
      const about = { ...others, id: id || `call_${globalThis.crypto.randomUUID()}` };
      return isCustom
        ? { ...about, type: "custom", custom: { name, input: text } }
        : { ...about, type: "function", function: { name, arguments: text } };
    });
  }
}

/** Returns arguments as text. Some vendors send objects instead of JSON text. */
function argsText(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args ?? undefined) ?? "");
}
