/** The exports of each API's module in this folder. Adapters and proxy know an API by these alone. */

import type { Answer, ModelCall } from "../types/index.js";

/** A whole reply, as its API has read it. */
export interface Reply {
  /** The calls that are to be answered, in their order. */
  calls: readonly ModelCall[];
  /** The messages of the reply for the conversation, before the answers to its calls. */
  messages: readonly object[];
  /** The text for the user; empty where there is none. */
  text: string;
  /** Its id, where the vendor keeps replies. */
  id?: string | undefined;
}

/** A request's choice of tools. */
export interface Choice {
  /** The names that it names. */
  named: readonly string[];
  /** Whether the model may call no tool, may call some, or must. */
  choice: "none" | "free" | "demanded";
}

/** Puts the pieces of a streamed reply together. */
export interface Pieces {
  /** Takes a piece: the data of one event. */
  add(piece: object): void;
  /** The reply, as it would have come whole; undefined while it has not ended. */
  readonly reply: object | undefined;
}

/** One API. No type of an SDK stands here: what is read came from a vendor, and may be anything. */
export interface Api {
  /** The name by which the model calls a tool of a request; undefined for a tool of the vendor's. */
  nameOf(tool: object): string | undefined;
  /** Reads the choice of tools of a request. */
  choiceIn(choice: unknown): Choice;
  /**
   * Reads a whole reply; undefined for what is none.
   *
   * @throws ToolSiftError `reply_invalid` where a part of it cannot be read
   */
  read(reply: object): Reply | undefined;
  /** The messages that answer the calls of a reply. */
  answersOf(answers: readonly Answer[]): object[];
  /** Reads a streamed reply. */
  Pieces: new () => Pieces;
}
