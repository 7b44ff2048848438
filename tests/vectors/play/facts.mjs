/** Compares an answer with the expected one, key by key. An unknown expected key is a failure. */

import { isDeepStrictEqual } from "node:util";

/** A vector that says something that cannot be checked. It fails: passed over, it would look as if it were proved. */
export class NotUnderstood extends Error {
  constructor(what) {
    super(`not understood: ${what}`);
  }
}

/** What vectors tell their readers only; see tests/vectors/README.md. */
const INFORMATIVE = new Set(["note", "oracle", "derived", "reference_order_nonbinding", "source_stub_bytes_without_name"]);

const SHAPE = /^JSON object with the single key '(\w+)' \(string(?: starting with '(.*)')?\)$/;

/**
 * What is so, under the keys by which vectors ask for it. A function takes what is expected and answers with it if that
 * holds, otherwise with what is so instead: many expectations are about a property and not about a value.
 */
export class Facts {
  /**
   * `because` is shown with a failure: what the package said itself. `engine` is how a regular expression was answered,
   * in the words in which vectors note that engines differ.
   */
  constructor(facts, { because, engine } = {}) {
    this.facts = facts;
    this.because = because;
    this.engine = engine;
  }

  /** The expected and the actual values that differ, or null where all is as expected. */
  differences(expected) {
    const binding = Object.entries(expected).filter(([key]) => !INFORMATIVE.has(key));
    if (binding.length === 0) throw new NotUnderstood("nothing is expected");
    const strange = binding.map(([key]) => key).filter((key) => !Object.hasOwn(this.facts, key));
    if (strange.length > 0) throw new NotUnderstood(strange.join(", "));
    const wanted = {};
    const actual = {};
    for (const [key, value] of binding) {
      const difference = compare(value, this.facts[key]);
      if (difference === null) continue;
      wanted[key] = difference.expected;
      actual[key] = difference.actual;
    }
    return Object.keys(wanted).length > 0 ? { expected: wanted, actual } : null;
  }
}

function compare(expected, fact) {
  const actual = (typeof fact === "function" ? fact(expected) : fact) ?? null;
  const isInner = actual instanceof Facts;
  if (isInner && typeof expected === "object" && expected !== null) return actual.differences(expected);
  if (isInner) return { expected, actual: Object.keys(actual.facts) };
  return isDeepStrictEqual(expected, actual) ? null : { expected, actual };
}

/** Refuses an object with other keys than these. */
export function only(object, keys, where) {
  const strange = Object.keys(object).filter((key) => !keys.includes(key) && !INFORMATIVE.has(key));
  if (strange.length > 0) throw new NotUnderstood(`${strange.join(", ")} in ${where}`);
}

/** A fact about a list whose order does not matter. */
export const sameSet = (actual) => (expected) => (isDeepStrictEqual(sorted(expected), sorted(actual)) ? expected : actual);

/** A fact about a list that holds at least these. */
export const including = (actual) => (expected) => expected.filter((one) => actual.includes(one));

/** A fact about a text whose wording is free. */
export const freeText = (actual) => (expected) =>
  expected === "<non-empty string>" && typeof actual === "string" && actual.trim() !== "" ? expected : actual;

/** A fact about an answer that is an object with a single text, described in a vector's prose. */
export const shape = (content) => (expected) => {
  const [, key, start = ""] = SHAPE.exec(expected) ?? [];
  if (key === undefined) throw new NotUnderstood(`shape ${JSON.stringify(expected)}`);
  const answer = parsed(content);
  const isSo = isObject(answer) && Object.keys(answer).join() === key && typeof answer[key] === "string";
  return isSo && answer[key].startsWith(start) ? expected : content;
};

/** A text's JSON value, or undefined. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** In the order of code points, in which vectors sort; JavaScript's own order is that of UTF-16 units. */
export const sorted = (texts) => [...texts].sort((a, b) => Buffer.compare(bytes(a), bytes(b)));

const bytes = (text) => Buffer.from(String(text));
