/** A call of the model, its outcome (an answer, a tool to run, or a refusal), and what the model is told. */

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

/** A call of the model, with the vendor's id. */
export interface ModelCall extends ToolCall {
  /** The vendor's id of the call, where it has one. */
  id?: string | undefined;
  /** Marks a call of a tool of the host's own, which the catalog does not have. It runs without asking the session. */
  own?: { server: string | null } | undefined;
  /** Why the vendor itself could not read the call. The call is refused with this message. */
  broken?: { code: ErrorCode; message: string } | undefined;
}

/** What the host knows about the turn in which a call is made. */
export interface CallOptions {
  /** The host's clock in milliseconds, for `searchesPerMinute`. Default: `Date.now()`. */
  now?: number | undefined;
  /**
   * The names of the tools that the model may call in this turn. `null` says that the host no longer has the list.
   */
  visible?: readonly string[] | null | undefined;
  /** How well tools fit, if the call is a search: see `Scores`. Only the ranker `sift` takes them. */
  scores?: Scores | undefined;
}

/** A file of a skill: the name and the server under which it was registered, and a path within its folder; null for its text. */
export interface SkillFile {
  name: string;
  server: string | null;
  path: string | null;
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
      /** The tools that `content` shows, in its order, by the names that the model sees. */
      found: string[];
      /** Those of them whose parameters `content` has; absent where there are none. */
      described?: string[];
      /**
       * Tools that clearly fit a search, and that it did not load: they change or destroy something, and the query does not ask
       * for that. `content` says so too.
       */
      withheld?: string[];
      /** The skills that `content` shows; absent where there are none. They are not among `found` and `revealed`. */
      skillsFound?: string[];
      /** Those of them whose texts `content` has. */
      skillsLoaded?: string[];
    }
  | {
      /** A real tool: run it. With `skill`, a file of a skill: answer with what `session.readSkill(outcome)` returns. */
      kind: "dispatch";
      /** The name under which the host registered it. */
      name: string;
      /** The server it was registered with, or null. */
      server: string | null;
      /** The session's id, for a child that of its parent, where the tool is one of the session's own; absent for a shared tool. */
      session?: string;
      /** The name that the model used. */
      modelName: string;
      arguments: JsonObject;
      /** What its server says of its effect, for the host to decide whether it asks before it runs the call. */
      annotations?: ToolAnnotations;
      /** The file of a skill that is to be read; `name` is `read_skill` then. */
      skill?: SkillFile;
    }
  | {
      /** Not to be run: hand `error.message` back to the model. */
      kind: "refused";
      error: { code: ErrorCode; message: string };
    };

/** The answer to a call, for the model to read. */
export interface Answer {
  call: ModelCall;
  outcome: Outcome;
  /** The text for the model, cut where it is longer than `maxAnswerChars`. */
  content: string;
  /** Whether something went wrong: the call was refused or broken, or the tool failed. */
  isError: boolean;
  /** What `execute` returned, unchanged; absent if nothing ran, or if it threw. */
  result?: unknown;
}
