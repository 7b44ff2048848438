/** Parses server-sent events from chunks that may be cut anywhere, and keeps the unchanged text of each event. */

import { ToolSiftError } from "../base/errors.js";
import { type Fields, textIn } from "../wire/fields.js";

/** One event. */
export interface SseEvent {
  /** Its unchanged text, including the empty line after it. */
  raw: string;
  /** The value of `event:`; empty if there is none. */
  event: string;
  /** The value of `data:`, with all its lines; undefined for a comment. */
  data: string | undefined;
}

/** The end of an event: an empty line, with at most four characters. */
const END = /\r\n\r\n|\n\n|\r\r|\n\r\n/;

/** Splits a stream of bytes into events. */
export class SseParser {
  readonly #decoder = new TextDecoder();
  readonly #most: number;
  #text = "";
  /** The index from which the search for an end continues. */
  #searched = 0;

  /** @param most the maximum length of one event, in characters */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Adds bytes, and returns the events that are complete now.
   *
   * @throws ToolSiftError `limit_out_of_range`
   */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Returns the rest of the stream at its end: the last event may have no empty line. */
  end(): SseEvent[] {
    const events = this.#take(this.#decoder.decode());
    const rest = this.#text;
    this.#text = "";
    return rest.trim() === "" ? events : [...events, eventOf(rest.endsWith("\n") ? `${rest}\n` : `${rest}\n\n`)];
  }

  #take(more: string): SseEvent[] {
    this.#text += more;
    const events: SseEvent[] = [];
    for (;;) {
      const from = Math.max(0, this.#searched - 3);
      const found = END.exec(from === 0 ? this.#text : this.#text.slice(from));
      if (found === null) break;
      const end = from + found.index + found[0].length;
      const raw = this.#text.slice(0, end);
      this.#text = this.#text.slice(end);
      this.#searched = 0;
      events.push(eventOf(raw));
    }
    this.#searched = this.#text.length;
    if (this.#text.length > this.#most) {
      const message = `an event of the upstream's stream has more than ${this.#most} characters, the limit`;
      throw new ToolSiftError("limit_out_of_range", message);
    }
    return events;
  }
}

/** Returns the text of a new event. */
export function sseText(data: string, event = ""): string {
  return `${event === "" ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** Returns the text of a new event with the type of its data as its name. */
export function typedText(data: Fields): string {
  return sseText(JSON.stringify(data), textIn(data["type"]));
}

function eventOf(raw: string): SseEvent {
  let event = "";
  let data: string | undefined;
  for (const line of raw.split(/\r\n|\n|\r/)) {
    const [, field, value] = /^([^:]+):? ?([^]*)$/.exec(line) ?? [];
    if (field === "event") event = value ?? "";
    else if (field === "data") data = data === undefined ? (value ?? "") : `${data}\n${value ?? ""}`;
  }
  return { raw, event, data };
}
