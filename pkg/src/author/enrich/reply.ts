/** Reads what a model answers: JSON, often with text around it, in a code fence, or cut in the middle. */

import { parsed } from "../../base/values.js";
import type { Offer } from "./accept.js";

/** Deeper values are not looked at. */
const DEPTH = 6;
/** Code fences that are read. */
const MOST_FENCES = 20;
/** Places at which objects may begin; more are no answer of this kind. */
const MOST_OPEN = 10_000;

/** What an answer has for each of the tools that were asked for. */
export function offersIn(reply: string, names: readonly string[]): Map<string, Offer> {
  const wanted = new Set(names);
  for (const text of candidates(reply)) {
    const found = new Map<string, Offer>();
    const value = parsed(text);
    if (value !== undefined) collect(value, wanted, found, DEPTH);
    if (found.size > 0) return found;
  }
  // Of an answer that was cut, the tools before the cut are whole.
  const found = new Map<string, Offer>();
  for (const text of objectsIn(reply)) collect(parsed(text), wanted, found, DEPTH);
  return found;
}

/** The parts of an answer that may be its JSON, the likeliest first. */
function* candidates(reply: string): Iterable<string> {
  yield reply;
  const fenced = reply.split("```", 2 * MOST_FENCES).filter((_, at) => at % 2 === 1);
  for (const code of fenced) yield code.replace(/^\w*/, "");
  for (const [open, close] of ["{}", "[]"]) {
    const [from, to] = [reply.indexOf(open!), reply.lastIndexOf(close!)];
    if (from >= 0 && to > from) yield reply.slice(from, to + 1);
  }
}

/** A list of tools, an object that holds one, or an object of tools by their names. */
function collect(value: unknown, wanted: ReadonlySet<string>, found: Map<string, Offer>, depth: number): void {
  if (typeof value !== "object" || value === null || depth === 0) return;
  const add = (name: string, { queries, keywords }: Partial<Offer>) => {
    if (wanted.has(name) && !found.has(name)) found.set(name, { queries, keywords });
  };
  const { name } = value as { name?: unknown };
  if (typeof name === "string" && isOffer(value)) return add(name.trim(), value);
  for (const [key, inner] of Object.entries(value)) {
    if (wanted.has(key) && isOffer(inner)) add(key, inner);
    else collect(inner, wanted, found, depth - 1);
  }
}

function isOffer(value: unknown): value is Partial<Offer> {
  return typeof value === "object" && value !== null && ("queries" in value || "keywords" in value);
}

/** Every object that is closed, inner ones before outer ones. It takes linear time. */
function objectsIn(reply: string): string[] {
  const objects: string[] = [];
  const open: number[] = [];
  let isText = false;
  let read = 0;
  for (let at = 0; at < reply.length; at++) {
    const char = reply[at];
    if (isText) {
      if (char === "\\") at++;
      else if (char === '"') isText = false;
    } else if (char === "{" && open.length < MOST_OPEN) open.push(at);
    else if (char === '"') isText = open.length > 0;
    else if (char === "}") {
      const from = open.pop();
      // An outer object is read only for what stands behind the inner ones.
      if (from !== undefined && from >= read) {
        objects.push(reply.slice(from, at + 1));
        read = at;
      }
    }
  }
  return objects;
}
