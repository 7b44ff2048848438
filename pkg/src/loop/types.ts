/** The types of an agent loop: a request, the model's calls, and the outcome of each call. */

import type { Session } from "../core/session.js";
import type { Answer, Assembly, ModelCall, Outcome, RankOptions, Signal, WireFormat } from "../types/index.js";
import type { AnswerOptions } from "./bound.js";
import type { ToolEvent } from "./events.js";

export type { Answer, ModelCall } from "../types/index.js";

/** A tool of the catalog that has to be run. */
export type Dispatch = Extract<Outcome, { kind: "dispatch" }> & {
  /** The vendor's id of the call. */
  id?: string | undefined;
  /** Ends the work when the loop ends. */
  signal?: Signal | undefined;
};

/**
 * Runs a tool of the catalog. It may return a text, a result of MCP's `tools/call`, or any JSON value. If it throws, the
 * model gets the error.
 */
export type Execute = (dispatch: Dispatch) => unknown;

/** One request to the model, by the format of its tools. */
export interface ModelRequest<F extends WireFormat = WireFormat>
  extends Pick<Assembly<F>, "tools" | "systemPrompt" | "size"> {
  /** The answers to the calls of the previous reply, in order. */
  answers: readonly Answer[];
  /** The number of the request in this run, from 1. */
  step: number;
  /** The session of the tools. */
  session: Session;
  signal?: Signal | undefined;
}

/** The model's reply: its calls, or an empty list when it is done. `send` may add other fields; the report returns them. */
export interface ModelReply {
  calls: readonly ModelCall[];
}

/** A model, as an adapter for a vendor's client returns it. Spread it into the options of `runTools`. */
export interface Model<R extends ModelReply = ModelReply, F extends WireFormat = "mcp"> {
  /** The wire format of the tools. Default `"mcp"`. */
  format?: F | undefined;
  /** Sends one request. An error ends the loop. */
  send: (request: ModelRequest<F>) => R | Promise<R>;
  /** Receives the answers to the calls of a reply, even if no further request follows. */
  answered?: ((answers: readonly Answer[]) => void | Promise<void>) | undefined;
  /** The conversation: an object with `messages`, `input` or `contents`. `prefetch` searches for its last message. */
  conversation?: object | undefined;
  /** Called before the first request of a run; returns a function that is called at the run's end. An error ends the run. */
  begin?: (() => () => void) | undefined;
}

/** The option of all functions that get the user's message before the model does. */
export interface AheadOptions {
  /**
   * Loads the tools that clearly fit the user's last message before the model is asked. `"first"`: only in a session's first
   * request, when no prompt cache has any of the conversation. Default `"first"` with the profile `sift`, false with the
   * others.
   */
  prefetch?: boolean | "first" | undefined;
}

/** Options of all functions that answer the calls of a model over several replies. */
export interface DriverOptions extends AnswerOptions, RankOptions {
  /** The number of replies in a row with only refused calls after which the run ends. Default 5. */
  patience?: number | undefined;
  /** Receives every search, load, dispatch and refusal. Its errors are ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

/** Options of `runTools`. */
export interface RunOptions<R extends ModelReply = ModelReply, F extends WireFormat = "mcp">
  extends Model<R, F>,
    AheadOptions,
    DriverOptions {
  execute: Execute;
  /** The maximum number of requests of a run. Default 20. */
  maxSteps?: number | undefined;
  /** Ends the loop. It is passed to `send` and `execute`. */
  signal?: Signal | undefined;
}

/** The report of a run. */
export interface RunReport<R extends ModelReply = ModelReply> {
  /**
   * The reason of the end. `done`: the last reply has no calls. `steps`: the maximum number of requests was sent. `refused`:
   * too many replies in a row had only refused calls.
   */
  finish: "done" | "steps" | "refused";
  /** The model's last reply. */
  reply: R;
  /** The answers to the last reply's calls, which no request has sent yet. */
  answers: readonly Answer[];
  /** The number of requests that were sent. */
  steps: number;
}
