/** The types of an agent's loop: a request, the model's calls, and the outcome of each. */

import type { Session } from "../core/session.js";
import type { Answer, ModelCall, Outcome, RankOptions, Signal, Size, WireFormat, WireTools } from "../types/index.js";
import type { AnswerOptions } from "./bound.js";
import type { ToolEvent } from "./events.js";

export type { Answer, ModelCall } from "../types/index.js";

/** A real tool that is to be run. */
export type Dispatch = Extract<Outcome, { kind: "dispatch" }> & {
  /** The vendor's id of the call. */
  id?: string | undefined;
  /** Ends the work when the loop is ended. */
  signal?: Signal | undefined;
};

/**
 * Runs a real tool. It may answer with a text, with what MCP's `tools/call` answers, or with any JSON value; what it throws
 * is handed to the model as an error.
 */
export type Execute = (dispatch: Dispatch) => unknown;

/** One request to the model, by the format of its tools. */
export interface ModelRequest<F extends WireFormat = WireFormat> {
  /** The definitions in the loop's format. */
  tools: WireTools[F][];
  /** To be appended to the host's system prompt; may be empty. */
  systemPrompt: string;
  /** What the request costs. */
  size: Size;
  /** The answers to the calls of the previous reply, in their order. */
  answers: readonly Answer[];
  /** Which request of this run it is, from 1. */
  step: number;
  /** The session that the tools are of. */
  session: Session;
  signal?: Signal | undefined;
}

/** The model's reply: its calls, or none when it is done. `send` may add fields of its own; the report returns them. */
export interface ModelReply {
  calls: readonly ModelCall[];
}

/** A model, as an adapter for a vendor's client returns it: spread it into the options of `runTools`. */
export interface Model<R extends ModelReply = ModelReply, F extends WireFormat = "mcp"> {
  /** How the tools are written. Default `"mcp"`. */
  format?: F | undefined;
  /** Sends one request. What it throws ends the loop. */
  send: (request: ModelRequest<F>) => R | Promise<R>;
  /** Receives the answers to the calls of a reply, also if no further request follows. */
  answered?: ((answers: readonly Answer[]) => void | Promise<void>) | undefined;
  /** Where the conversation stands: an object with `messages`, `input` or `contents`. `prefetch` searches for its last message. */
  conversation?: object | undefined;
  /** Is called before the first request of a run, and returns a function for the run's end. An error ends the run. */
  begin?: (() => () => void) | undefined;
}

/** An option of whatever sees the user's message before the model does. */
export interface AheadOptions {
  /**
   * Whether what the user's last message clearly finds is loaded before the model is asked; `"first"`: only in a session's first
   * request, before which no cache holds anything of the conversation. Default `"first"` with the profile `sift`, false with the
   * others.
   */
  prefetch?: boolean | "first" | undefined;
}

/** Options of `runTools`. */
export interface RunOptions<R extends ModelReply = ModelReply, F extends WireFormat = "mcp">
  extends Model<R, F>,
    AheadOptions,
    AnswerOptions,
    RankOptions {
  execute: Execute;
  /** The most requests of a run. Default 20. */
  maxSteps?: number | undefined;
  /** The loop ends after so many replies in a row in which every call was refused. Default 5. */
  patience?: number | undefined;
  /** Ends the loop, and is handed on to `send` and `execute`. */
  signal?: Signal | undefined;
  /** Receives every search, reveal, dispatch and refusal. Its errors are ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

/** How a run ended. */
export interface RunReport<R extends ModelReply = ModelReply> {
  /**
   * `done`: the last reply has no calls; `steps`: the run made its most requests; `refused`: the model kept making calls
   * that cannot run.
   */
  finish: "done" | "steps" | "refused";
  /** The model's last reply. */
  reply: R;
  /** The answers to its calls, which no request has carried yet. */
  answers: readonly Answer[];
  /** Requests that were sent. */
  steps: number;
}
