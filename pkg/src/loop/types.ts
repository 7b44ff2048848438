/** The types of an agent's loop: a request, the model's calls, and the outcome of each. */

import type { Session } from "../session.js";
import type { ErrorCode, Outcome, Size, ToolCall, WireFormat, WireTools } from "../types.js";
import type { AnswerOptions } from "./bound.js";
import type { ToolEvent } from "./events.js";
import type { RankOptions } from "./rank.js";

/** The platform's `AbortSignal`; unknown where a program's types know none. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : unknown;

/** A call of the model, as its vendor tells calls apart. */
export interface ModelCall extends ToolCall {
  /** The vendor's id of the call, where it has one. */
  id?: string | undefined;
  /** Says that it is a tool of the host's own, which the catalog does not have: it is run without asking the session. */
  own?: { server: string | null } | undefined;
  /** What was wrong with a call that the vendor itself could not read; it is refused with this. */
  broken?: { code: ErrorCode; message: string } | undefined;
}

/** A search that the vendor made by itself, in the middle of a reply. */
export interface VendorSearch {
  /** The vendor's id of the search. */
  id?: string | undefined;
  /** The vendor's name of its search tool. */
  tool: string;
  /** The version of that tool, as far as it has one. */
  version: string;
  /** What the model searched for, or null where that is not known. */
  query: string | null;
  /** The names that were found. */
  names: string[];
}

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

/** What a call came to, for the model to read. */
export interface Answer {
  call: ModelCall;
  outcome: Outcome;
  /** The text for the model, cut where it is longer than `maxAnswerChars`. */
  content: string;
  /** Whether it tells of something that went wrong: a refusal, a broken call, or a tool that failed. */
  isError: boolean;
  /** What `execute` answered, as it was; absent where nothing ran, or where it threw. */
  result?: unknown;
}

/** One request to the model, by the format of its tools. */
export interface ModelRequest<F extends WireFormat = WireFormat> {
  /** The definitions in the loop's format. */
  tools: WireTools[F][];
  /** To be appended to the host's system prompt; may be empty. */
  systemPrompt: string;
  /** What the request costs. */
  size: Size;
  /** What the calls of the reply before came to, in their order. */
  answers: readonly Answer[];
  /** Which request of this run it is, from 1. */
  step: number;
  /** The session that the tools are of. */
  session: Session;
  signal?: Signal | undefined;
}

/** What the model replied: calls, or none when it is done. `send` may add what else it wants to find in the report. */
export interface ModelReply {
  calls: readonly ModelCall[];
  /** What the vendor found by itself: revealed before the calls are decided, as far as the session may see it. */
  searches?: readonly VendorSearch[] | undefined;
}

/** How a model is reached: what an adapter for a vendor's client gives, to be spread into the options of `runTools`. */
export interface Model<R extends ModelReply = ModelReply, F extends WireFormat = "mcp"> {
  /** How the tools are written. Default `"mcp"`. */
  format?: F;
  /** Sends one request. What it throws ends the loop. */
  send: (request: ModelRequest<F>) => R | Promise<R>;
  /** Takes in what the calls of a reply came to, also where no further request follows. */
  answered?: ((answers: readonly Answer[]) => void | Promise<void>) | undefined;
  /** Is called before the first request of a run, and returns what is called at the run's end. What it throws ends the run. */
  begin?: (() => () => void) | undefined;
}

/** Options of `runTools`. */
export interface RunOptions<R extends ModelReply = ModelReply, F extends WireFormat = "mcp">
  extends Model<R, F>,
    AnswerOptions,
    RankOptions {
  execute: Execute;
  /** Requests at the most. Default 20. */
  maxSteps?: number | undefined;
  /** The loop ends after so many replies in a row of which every call was refused. Default 5. */
  patience?: number | undefined;
  /** Ends the loop, and is handed on to `send` and `execute`. */
  signal?: Signal | undefined;
  /** Is told of every search, reveal, dispatch and refusal. What it throws is passed over. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

/** How a run ended. */
export interface RunReport<R extends ModelReply = ModelReply> {
  /**
   * `done`: the last reply calls nothing; `steps`: there were as many requests as there may be; `refused`: the model went on
   * with calls that cannot be run.
   */
  finish: "done" | "steps" | "refused";
  /** The model's last reply. */
  reply: R;
  /** What its calls came to. No request has told the model of them yet. */
  answers: readonly Answer[];
  /** Requests that were sent. */
  steps: number;
}
