/** The exports that each API's module in this folder has. Adapters and the proxy use an API only through them. */

import type { Answer, ModelCall } from "../types/index.js";

/** A whole reply, read from an API's format. */
export interface Reply {
  /** The calls that must be answered, in order. */
  calls: readonly ModelCall[];
  /** The messages of the reply for the conversation, before the answers to its calls. */
  messages: readonly object[];
  /** The text for the user; empty if there is none. */
  text: string;
  /** The reply's id, if the vendor stores replies. */
  id?: string | undefined;
}

/** A request's choice of tools. */
export interface Choice {
  /** The tools that it names. */
  named: readonly string[];
  /** `none`: the model must not call a tool. `free`: it may call tools. `demanded`: it must call a tool. */
  choice: "none" | "free" | "demanded";
}

/** Joins the pieces of a streamed reply. */
export interface Pieces {
  /** Adds a piece: the data of one event. */
  add(piece: object): void;
  /** The reply in the form of a reply that is not streamed; undefined until it has ended. */
  readonly reply: object | undefined;
}

/** One API. It uses no types of an SDK, because data of a vendor may be anything. */
export interface Api {
  /** Returns the name by which the model calls a tool of a request; undefined for a tool that the vendor runs. */
  nameOf(tool: object): string | undefined;
  /** Reads the choice of tools of a request. */
  choiceIn(choice: unknown): Choice;
  /**
   * Reads a whole reply; undefined if the value is no reply.
   *
   * @throws ToolSiftError `reply_invalid` if a part of it cannot be read
   */
  read(reply: object): Reply | undefined;
  /** Returns the messages that answer the calls of a reply. */
  answersOf(answers: readonly Answer[]): object[];
  /** Reads a streamed reply. */
  Pieces: new () => Pieces;
}
