/** Counts the cost of a request after the request before it: the unchanged beginning is cached, and the rest is new. */

import { charactersOf, tokensOf } from "../simulate/line.mjs";
import { priceOf } from "./rates.mjs";
import { definitionsOf, WIRES } from "./wire.mjs";

/** The number of characters that are compared in one step, because common beginnings are usually long. */
const STRIDE = 4_096;

/** Returns the common beginning of two texts, in whole characters. */
export function commonPrefix(before, after) {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at + STRIDE <= most && before.slice(at, at + STRIDE) === after.slice(at, at + STRIDE)) at += STRIDE;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  const splits = at > 0 && before.charCodeAt(at - 1) >> 10 === 0x36;
  return before.slice(0, splits ? at - 1 : at);
}

/** Returns the parts of a request as lists of texts. */
const partsOf = ({ tools, system, messages }) => ({
  tools: definitionsOf(tools).map((one) => JSON.stringify(one)),
  system: [system],
  messages: messages.map((one) => JSON.stringify(one)),
});

/**
 * Returns the parts of a request (`tools`, `system`, `messages`) that changed other than by additions at the end. The list
 * is empty if the request only appends. Lists are compared up to their closing bracket.
 */
export const changedParts = (before, after) =>
  Object.keys(before).filter((part) => before[part].some((entry, at) => entry !== after[part][at]));

/** Measures the requests of one conversation in the order of sending. The results are in `rows`. */
export class Meter {
  rows = [];
  #wire;
  #rates;
  #last = { text: "", tokens: 0, bytes: 0, parts: { tools: [], system: [], messages: [] } };

  constructor(format, rates) {
    this.#wire = WIRES[format];
    this.#rates = rates;
  }

  /** Measures one request from `play`. */
  send({ turn, does, tools, system, messages, output }) {
    const before = this.#last;
    const text = JSON.stringify(this.#wire.body(tools, system, messages));
    const parts = partsOf({ tools, system, messages });
    const partTokens = Object.fromEntries(PARTS.map((key) => [key, tokensOf(parts[key].join(","))]));
    const last = { text, tokens: tokensOf(text), bytes: Buffer.byteLength(text), parts };
    const prefix = commonPrefix(before.text, text);
    // Rounded down, because a cache holds only whole tokens.
    const cached = Math.floor(charactersOf(prefix) / 4);
    const spent = { cached, fresh: last.tokens - cached, output: tokensOf(JSON.stringify(output)) };
    this.rows.push({
      turn,
      does,
      bytes: last.bytes,
      previous: before.bytes,
      prefix: Buffer.byteLength(prefix),
      tokens: last.tokens,
      ...spent,
      parts: partTokens,
      again: Math.max(0, before.tokens - cached),
      price: priceOf(spent, this.#rates, this.#wire),
      changed: changedParts(before.parts, last.parts),
    });
    this.#last = last;
  }
}

/** The parts of a request. */
const PARTS = ["tools", "system", "messages"];
const FIGURES = ["tokens", "cached", "fresh", "output", "again", "price"];

/**
 * Sums some requests: their number, tokens and price; `kept`, the share of the previous requests' bytes that stays an
 * unchanged beginning, and `worst`, its minimum over the requests; `again`, the tokens of previous requests that were paid
 * as new again; `parts`, the tokens by part; and the changed parts. The first request of a conversation has no previous one:
 * alone, its `kept` and `worst` are null.
 */
export function together(rows) {
  const total = (some, key) => some.reduce((sum, row) => sum + row[key], 0);
  const sums = Object.fromEntries(FIGURES.map((key) => [key, total(rows, key)]));
  const later = rows.filter(({ previous }) => previous > 0);
  const any = later.length > 0;
  return {
    requests: rows.length,
    ...sums,
    parts: Object.fromEntries(
      PARTS.map((key) => [
        key,
        total(
          rows.map(({ parts }) => parts),
          key,
        ),
      ]),
    ),
    kept: any ? total(later, "prefix") / total(later, "previous") : null,
    worst: any ? Math.min(...later.map(({ prefix, previous }) => prefix / previous)) : null,
    changed: [...new Set(rows.flatMap(({ changed }) => changed))],
  };
}
