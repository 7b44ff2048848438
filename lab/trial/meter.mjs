/** Counts what a request costs after the one before it: its unchanged beginning is cached, the rest is new. */

import { charactersOf, tokensOf } from "../simulate/line.mjs";
import { WIRES } from "./formats.mjs";

/** Characters that are compared at once: a long beginning is the rule. */
const STRIDE = 4_096;

/** The beginning that two texts share, in whole characters. */
export function commonPrefix(before, after) {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at + STRIDE <= most && before.slice(at, at + STRIDE) === after.slice(at, at + STRIDE)) at += STRIDE;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  const splits = at > 0 && before.charCodeAt(at - 1) >> 10 === 0x36;
  return before.slice(0, splits ? at - 1 : at);
}

/** Measures the requests of one conversation, in the order in which they are sent. */
export class Meter {
  #wire;
  #last = "";

  constructor(format) {
    this.#wire = WIRES[format];
  }

  /** One request: its `tokens`, those of them that are `cached`, and those of the `output`. */
  send({ tools, system, messages, output }) {
    const text = JSON.stringify(this.#wire.body(tools, system, messages));
    // Rounded down: a part of a token is in no cache.
    const cached = Math.floor(charactersOf(commonPrefix(this.#last, text)) / 4);
    this.#last = text;
    return { tokens: tokensOf(text), cached, output: tokensOf(JSON.stringify(output)) };
  }
}
