/** The calls that the model made, each with its answer: one list for every vendor, in the order of the calls. */

import { ToolSiftError } from "../base/errors.js";
import { type Fields, isObject } from "./fields.js";

/** One call of the model. */
export interface Call {
  /** The tool's name as the model wrote it. */
  readonly name: string;
  readonly args: unknown;
  /** The step of the model in which it was made, from 1: calls made at once are of one step. */
  readonly step: number;
  /** Whether the vendor's own tool search was called, which can only answer with names of tools. */
  readonly byVendor: boolean;
  /** The answer as it stands in the messages; it is read only where that matters. Absent without an answer. */
  answer?: unknown;
  /** Whether the answer is marked as an error. */
  failed?: boolean;
}

/** Messages and parts of messages that are looked at: far more than any model reads. */
const MOST_ITEMS = 1_000_000;

/** Refuses more than are looked at. */
export function checkCount(items: number): void {
  if (items <= MOST_ITEMS) return;
  throw new ToolSiftError("messages_invalid", `messages and their parts are more than ${MOST_ITEMS}, the limit`);
}

/** The name under which calls of a vendor's own search are kept; no tool is called so. */
const VENDOR = "";

/** Collects calls, and gives each answer to its call: by id, or where there is none by name and order. */
export class Calls {
  readonly all: Call[] = [];
  readonly #byId = new Map<string, Call>();
  readonly #byName = new Map<string, { calls: Call[]; answered: number }>();
  #step = 0;
  #answering = true;
  #items = 0;

  /** Counts what is about to be looked at. */
  count(items: number): void {
    this.#items += items;
    checkCount(this.#items);
  }

  /** The entries of a list that have fields; what is no list has none. */
  items(list: unknown): Fields[] {
    if (!Array.isArray(list)) return [];
    this.count(list.length);
    return list.filter(isObject);
  }

  /** A call. Ids may be used again once they are answered, as some vendors do. */
  call(name: unknown, args: unknown, id?: unknown, byVendor = false): void {
    if (typeof name !== "string") return;
    if (this.#answering) {
      this.forget();
      this.#answering = false;
      this.#step += 1;
    }
    const call: Call = { name, args, step: this.#step, byVendor };
    this.all.push(call);
    if (isId(id)) {
      this.#byId.set(id, call);
      return;
    }
    const open = this.#byName.get(name);
    if (open === undefined) this.#byName.set(name, { calls: [call], answered: 0 });
    else open.calls.push(call);
  }

  /** An answer, which may be empty. One that belongs to no call is nobody's. */
  answer(value: unknown, { id, name, failed = false }: { id?: unknown; name?: unknown; failed?: boolean }): void {
    const call = isId(id) ? this.#byId.get(id) : this.#firstOpen(name as string);
    if (call === undefined) return;
    if (isId(id)) this.#byId.delete(id);
    this.#answering = true;
    Object.assign(call, { answer: value ?? null, failed });
  }

  /** Counted and not taken off the front, which costs as much as the whole list does. */
  #firstOpen(name: string): Call | undefined {
    const open = this.#byName.get(name);
    return open?.calls[open.answered++];
  }

  /** A call of the vendor's own search. */
  vendorSearch(id: unknown): void {
    this.call(VENDOR, undefined, id, true);
  }

  /** Names that the vendor's search answered with. */
  vendorAnswer(value: unknown, id: unknown): void {
    this.answer(value, { id, name: VENDOR });
  }

  /** Names that came without being asked for. */
  given(value: unknown): void {
    this.all.push({ name: VENDOR, args: undefined, step: this.#step, byVendor: true, answer: value });
  }

  /** A call without an id that has no answer by now never gets one. */
  forget(): void {
    this.#byName.clear();
    this.#answering = true;
  }
}

function isId(id: unknown): id is string {
  return typeof id === "string" && id !== "";
}
