/** Tools: how they are registered, the reports of what was taken, and what can be read of each. */

import type { TextCost } from "./cost.js";
import type { Enrichment, EnrichmentReport } from "./enrichment.js";
import type { ErrorCode } from "./errors.js";
import type { QuarantinedTool, SuspiciousText, ToolNews } from "./guard.js";
import type { ToolState } from "./session.js";

/**
 * Whether a tool may be deferred.
 * `never`: always sent in full and not part of what is searched; `automatic`: the profile decides; `always`: deferred
 * whenever tool search is active.
 */
export type Deferral = "never" | "automatic" | "always";

/** What names `register` accepts. */
export type NamePolicy =
  /** Report a name that a vendor would refuse, and offer a safe alias. */
  | "strict"
  /** Take the safe alias as the name the model sees; `dispatch` still carries the original name. */
  | "alias"
  /** Accept any name of at most 256 characters as it is. */
  | "any";

/** Options of `register` and `sync`. */
export interface RegisterOptions {
  /**
   * The server the tools come from. Identity is server and name. It counts also for definitions that name another server;
   * these are reported under `repaired`.
   */
  server?: string | undefined;
  /** Default `"strict"`. */
  names?: NamePolicy | undefined;
  /** Applied to tools that say nothing themselves. Default `"automatic"`. */
  deferral?: Deferral | undefined;
  /** Applied to tools that say nothing themselves. */
  category?: string | undefined;
  /**
   * What people say who need these tools: entries, or the text of an enrichment file (JSON, or one entry a line). Entries
   * of other tools are passed over. Tools may carry such words themselves: `searchKeywords`, `searchQueries`, or
   * `_meta["toolsift/search"]`, and all of them are searched.
   */
  enrichment?: string | readonly Enrichment[] | undefined;
}

/** One broken tool of a `register` or `sync` call; the others were taken. */
export interface Rejected {
  /** Position in the list that was passed. */
  index: number;
  /** The tool's name as far as it could be read. */
  name: string;
  code: ErrorCode;
  /** Names the value and the limit that it broke. */
  message: string;
  /** For `name_unsafe`: a name that every vendor accepts. */
  alias?: string;
}

/** A tool that was taken, but not as it stood. */
export interface Repaired {
  name: string;
  /** What was changed; several changes are separated by `; `. */
  repair: string;
  /** The changes of its parameters: the first ones, and one at least by each rule. */
  changes: SchemaChange[];
}

/**
 * Why a part of a schema was changed: parameters without `"type": "object"`, a value that its keyword does not allow, an array
 * without `items`, a reference that leads nowhere, alternatives at the top, or the name of a parameter.
 */
export type SchemaRule = "type" | "keywords" | "arrays" | "references" | "alternatives" | "names";

/** One change of a schema. */
export interface SchemaChange {
  rule: SchemaRule;
  /** The keys that lead there, with dots between; empty at the top. */
  path: string;
  /** What was done. */
  change: string;
  /** The vendors that would have refused the whole request. */
  vendors: string[];
}

/** What `register` did. */
export interface RegisterReport {
  /** The names that the model sees, in order. */
  registered: string[];
  rejected: Rejected[];
  repaired: Repaired[];
  /** What became of `enrichment`, where it was given. */
  enrichment?: EnrichmentReport;
  /** With the option `guard`: tools that wait until the host accepts them, and are not in the catalog. */
  quarantined?: QuarantinedTool[];
  /** With the option `guard`: texts of these definitions that a person should look at. */
  suspicious?: SuspiciousText[];
  /** With the option `guard`: tools that are used, and are new on a server with pins, or have more than is pinned. */
  news?: ToolNews[];
}

/** What `sync` did. */
export interface SyncReport {
  added: string[];
  changed: string[];
  removed: string[];
  unchanged: number;
  rejected: Rejected[];
  repaired: Repaired[];
  /** What became of `enrichment`, where it was given. */
  enrichment?: EnrichmentReport;
  /** With the option `guard`: tools that wait until the host accepts them, and are not in the catalog. */
  quarantined?: QuarantinedTool[];
  /** With the option `guard`: texts of these definitions that a person should look at. */
  suspicious?: SuspiciousText[];
  /** With the option `guard`: tools that are used, and are new on a server with pins, or have more than is pinned. */
  news?: ToolNews[];
}

/**
 * What an MCP server says of a tool's effect. Absent hints are unknown; MCP has a client assume that such a tool may write,
 * destroy and reach the outside world. The server says so of itself: rely on it for servers that you trust.
 */
export interface ToolAnnotations {
  /** The tool changes nothing. */
  readOnlyHint?: boolean;
  /** The tool may delete or overwrite. */
  destructiveHint?: boolean;
  /** A second call with equal arguments changes nothing more. */
  idempotentHint?: boolean;
  /** The tool reaches what lies outside the server's own domain, such as the web. */
  openWorldHint?: boolean;
}

/** One tool of the catalog, as a page or a log would show it. */
export interface ToolInfo {
  /** The name that the model sees. */
  name: string;
  /** The name under which the host registered it. */
  originalName: string;
  server: string | null;
  /** Whether it is a tool of the session's own; absent for a shared tool. */
  own?: true;
  /** The name under which Google's format declares it, where the Gemini API refuses `name`. */
  googleName?: string;
  /**
   * Names of its parameters that the model is shown in place of the server's, each with the server's, where some vendor refuses
   * these. Arguments of a dispatched call have the server's names.
   */
  parameterNames?: Record<string, string>;
  category: string | null;
  title: string | null;
  description: string;
  deferral: Deferral;
  /** Where it stands, in the session that was asked. */
  state: ToolState;
  /** What its server says of its effect, where it was registered with MCP's `annotations`. */
  annotations?: ToolAnnotations;
  /** Whether it is a skill; absent for a tool. */
  skill?: true;
  /** What its full definition costs in MCP's format. */
  bytes: number;
  tokens: number;
  /** What its definition costs as its server has it: with the parts of its schema that no parameter reaches. */
  sent: TextCost;
}
