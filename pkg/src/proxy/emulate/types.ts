/** The interface of a vendor's API, for the emulation of its tool search. */

import type { SseEvent } from "../sse.js";

/** One request of a client that uses the vendor's tool search, before a backend that has none. */
export interface Conversation {
  /** Whether the client asked for a stream. */
  readonly stream: boolean;
  /**
   * The body of the next request to the backend.
   *
   * @param isLast no further request follows, whatever the model does
   */
  body(isLast: boolean): string;
  /** Takes an event of the backend's stream, and returns what the client gets at once. */
  push(event: SseEvent): Promise<string>;
  /** Takes a whole reply of the backend. */
  take(reply: unknown): Promise<void>;
  /** Whether the last reply came to its end. */
  readonly isWhole: boolean;
  /** Whether the model only searched, so that it has to be asked again. */
  readonly goesOn: boolean;
  /** The whole reply for the client. */
  reply(): string;
  /** The end of the client's stream. */
  close(): string;
  /** An error of the backend within the client's stream, from the body of its answer. */
  failed(body: string): string;
}

/** One search of the model. */
export interface Search {
  /** The query; undefined if it is not a text. */
  query: string | undefined;
  limit: unknown;
}

/** The result of a search: names, or its error. */
export type Found = { names: string[] } | { error: string };
