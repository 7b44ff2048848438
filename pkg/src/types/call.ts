/** Calls of the model, their outcomes (a result, a tool to run, or a refusal), and the answers that the model gets. */

import type { ToolAnnotations } from "./catalog.js";
import type { ErrorCode } from "./errors.js";
import type { JsonObject } from "./json.js";
import type { Scores } from "./ranking.js";

/** A call of the model. */
export interface ToolCall {
  name: string;
  /** The arguments: an object, or JSON text, which some vendors send. */
  args?: unknown;
}

/** A call of the model, with the vendor's id. */
export interface ModelCall extends ToolCall {
  /** The vendor's id of the call, if it has an id. */
  id?: string | undefined;
  /** Marks a call of a tool that only your program has, not the catalog. The call runs without a check by the session. */
  own?: { server: string | null } | undefined;
  /** The error, if the vendor could not read the call. The call is refused with this message. */
  broken?: { code: ErrorCode; message: string } | undefined;
}

/** Facts that your program knows about the turn of a call. */
export interface CallOptions {
  /** The current time in ms, for `searchesPerMinute`. Default: the clock of the system. */
  now?: number | undefined;
  /** The names of the tools that the model may call in this turn. Pass `null` if your program no longer has the list. */
  visible?: readonly string[] | null | undefined;
  /** The fit of each tool, if the call is a search: see `Scores`. Only the ranker `sift` uses them. */
  scores?: Scores | undefined;
}

/** A file of a skill: the skill's name and server, and the file's path in the skill's folder (null: the skill's text). */
export interface SkillFile {
  name: string;
  server: string | null;
  path: string | null;
}

/** The outcome of a call of the model. */
export type Outcome =
  | {
      /** A discovery tool ran. Send `content` back to the model. */
      kind: "result";
      content: string;
      /** True if the call was wrong, for example because of an invalid pattern. `content` then explains the error. */
      isError: boolean;
      /** The code of the error, or null. */
      errorCode: ErrorCode | null;
      /** The names of the tools that this call loaded. They are part of the next request. */
      revealed: string[];
      /** The names, as the model sees them, of the tools that `content` shows, in the same order. */
      found: string[];
      /** The tools of `found` whose parameters are in `content`; absent if there are none. */
      described?: string[];
      /**
       * Tools that clearly fit the search but were not loaded, because they change or destroy something and the query does
       * not ask for that. `content` tells the model so.
       */
      withheld?: string[];
      /** The skills that `content` shows; absent if there are none. Skills are not part of `found` and `revealed`. */
      skillsFound?: string[];
      /** The skills of `skillsFound` whose texts are in `content`. */
      skillsLoaded?: string[];
    }
  | {
      /**
       * A tool of the catalog: run it. If `skill` is set, answer with the result of `session.readSkill(outcome)` instead.
       */
      kind: "dispatch";
      /** The name under which your program registered the tool. */
      name: string;
      /** The server with which the tool was registered, or null. */
      server: string | null;
      /** The id of the session whose own tool this is (a child session has its parent's tools); absent for a shared tool. */
      session?: string;
      /** The name that the model used. */
      modelName: string;
      arguments: JsonObject;
      /** The server's statements on the tool's effect, so that your program can ask a person before it runs the call. */
      annotations?: ToolAnnotations;
      /** The file of a skill that has to be read. `name` is then `read_skill`. */
      skill?: SkillFile;
    }
  | {
      /** Do not run the call. Send `error.message` back to the model. */
      kind: "refused";
      error: { code: ErrorCode; message: string };
    };

/** A part of a tool's answer. */
export interface AnswerPart {
  /** The text, or a note of an image or file. */
  text: string;
  /** The image in base64, for models that see images. */
  image?: { mimeType: string; data: string } | undefined;
}

/** The answer to a call, written for the model. */
export interface Answer {
  call: ModelCall;
  outcome: Outcome;
  /** The text for the model, cut if it is longer than `maxAnswerChars`. */
  content: string;
  /** True if the call was refused or could not be read, or if the tool failed. */
  isError: boolean;
  /** The return value of `execute`, unchanged; absent if nothing ran or if `execute` threw. */
  result?: unknown;
  /** The parts of the result, if it has images that vendors accept, and if `content` has all of its text. */
  parts?: readonly AnswerPart[] | undefined;
}
