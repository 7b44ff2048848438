/** The outcome of a call of the model: an answer, a tool to run, or a refusal. */

import type { ToolAnnotations } from "./catalog.js";
import type { ErrorCode } from "./errors.js";
import type { JsonObject } from "./json.js";
import type { Scores } from "./scores.js";

/** A call of the model. */
export interface ToolCall {
  name: string;
  /** An object, or the JSON text that some vendors send. */
  args?: unknown;
}

/** What the host knows about the turn in which a call is made. */
export interface CallOptions {
  /** The host's clock in milliseconds, for `searchesPerMinute`. Default: `Date.now()`. */
  now?: number;
  /**
   * The names of the tools that the model may call in this turn. `null` says that the host no longer has the list.
   */
  visible?: readonly string[] | null;
  /** How well tools fit, if the call is a search: see `Scores`. Only the ranker `sift` takes them. */
  scores?: Scores;
}

/** What a call of the model comes to. */
export type Outcome =
  | {
      /** A discovery tool ran: hand `content` back to the model. */
      kind: "result";
      content: string;
      /** The call itself was wrong (for example an invalid pattern); `content` says how. */
      isError: boolean;
      /** What was wrong with it. */
      errorCode: ErrorCode | null;
      /** Names that this call revealed; they are in the next assembly. */
      revealed: string[];
    }
  | {
      /** A real tool: run it. */
      kind: "dispatch";
      /** The name under which the host registered it. */
      name: string;
      /** The server it was registered with, or null. */
      server: string | null;
      /** The session's id, where the tool is one of the session's own; absent for a shared tool. */
      session?: string;
      /** The name that the model used. */
      modelName: string;
      arguments: JsonObject;
      /** What its server says of its effect, for the host to decide whether it asks before it runs the call. */
      annotations?: ToolAnnotations;
    }
  | {
      /** Not to be run: hand `error.message` back to the model. */
      kind: "refused";
      error: { code: ErrorCode; message: string };
    };
