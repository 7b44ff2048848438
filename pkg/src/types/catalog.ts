/** Tools: options of registration, the reports of `register` and `sync`, and the information about each tool. */

import type { TextCost } from "./cost.js";
import type { ErrorCode } from "./errors.js";
import type { QuarantinedTool, SuspiciousText, ToolNews } from "./guard.js";
import type { ToolState } from "./session.js";

/**
 * The rule for deferring a tool.
 * `never`: always sent in full and never searched. `automatic`: the profile decides. `always`: deferred whenever tool search
 * is active.
 */
export type Deferral = "never" | "automatic" | "always";

/** The rule for names that `register` accepts. */
export type NamePolicy =
  /** Report a name that a vendor would refuse, with a safe alias. */
  | "strict"
  /** Show the model the safe alias instead of such a name. A call is still dispatched with the original name. */
  | "alias"
  /** Accept any name of at most 256 characters unchanged. */
  | "any";

/** Options of `register` and `sync`. */
export interface RegisterOptions {
  /**
   * The server of the tools. A tool is identified by its server and its name. This server replaces the server that a
   * definition states; such definitions are reported in `repaired`.
   */
  server?: string | undefined;
  /** The rule for names. Default `"strict"`. */
  names?: NamePolicy | undefined;
  /** The rule for tools without a `deferral` of their own. Default `"automatic"`. */
  deferral?: Deferral | undefined;
  /** The category of tools without a category of their own. */
  category?: string | undefined;
  /**
   * Search words of people who need these tools: entries, or the text of an enrichment file (JSON, or one entry a line).
   * Entries for other tools are skipped. Tools may also carry search words in `searchKeywords`, `searchQueries` or
   * `_meta["toolsift/search"]`. All of these words are searched.
   */
  enrichment?: string | readonly Enrichment[] | undefined;
}

/** One invalid tool of a `register` or `sync` call. The other tools were registered. */
export interface Rejected {
  /** The tool's position in the list that was passed. */
  index: number;
  /** The tool's name, as far as it could be read. */
  name: string;
  code: ErrorCode;
  /** A message with the invalid value and the limit. */
  message: string;
  /** For `name_unsafe`: a name that every vendor accepts. */
  alias?: string;
}

/** A tool that was registered with changes. */
export interface Repaired {
  name: string;
  /** A description of the changes, separated by `; `. */
  repair: string;
  /** The changes to the tool's schema: the first changes, with at least one for each rule that applied. */
  changes: SchemaChange[];
}

/**
 * The rule by which a part of a schema was changed.
 * `type`: parameters without `"type": "object"`. `keywords`: a value that its keyword does not allow. `arrays`: an array
 * without `items`. `references`: a reference to nothing. `alternatives`: alternatives at the top level. `names`: the name of
 * a parameter.
 */
export type SchemaRule = "type" | "keywords" | "arrays" | "references" | "alternatives" | "names";

/** One change of a schema. */
export interface SchemaChange {
  rule: SchemaRule;
  /** The keys to the changed part, separated by dots; empty for the top level. */
  path: string;
  /** A description of the change. */
  change: string;
  /** The vendors that would have refused the whole request without the change. */
  vendors: string[];
}

/** The findings of `register` and `sync` about a list of tools. */
export interface ListReport {
  rejected: Rejected[];
  repaired: Repaired[];
  /** The report on `enrichment`, if it was passed. */
  enrichment?: EnrichmentReport;
  /** With the option `guard`: tools that are not in the catalog until your program accepts them. */
  quarantined?: QuarantinedTool[];
  /** With the option `guard`: texts of these definitions that a person should check. */
  suspicious?: SuspiciousText[];
  /** With the option `guard`: registered tools that are new on a server with pins, or have additions to their pins. */
  news?: ToolNews[];
}

/** The report of `register`. */
export interface RegisterReport extends ListReport {
  /** The names that the model sees, in order. */
  registered: string[];
}

/** The report of `sync`. */
export interface SyncReport extends ListReport {
  added: string[];
  changed: string[];
  removed: string[];
  unchanged: number;
}

/**
 * An MCP server's statements on a tool's effect. If a hint is absent, MCP tells clients to assume that the tool may write,
 * destroy and reach the outside world. The statements are the server's own: rely on them only for servers that you trust.
 */
export interface ToolAnnotations {
  /** The tool changes nothing. */
  readOnlyHint?: boolean;
  /** The tool may delete or overwrite data. */
  destructiveHint?: boolean;
  /** A second call with the same arguments changes nothing more. */
  idempotentHint?: boolean;
  /** The tool reaches systems outside the server's own domain, such as the web. */
  openWorldHint?: boolean;
}

/** Information about one tool of the catalog. */
export interface ToolInfo {
  /** The name that the model sees. */
  name: string;
  /** The name under which your program registered the tool. */
  originalName: string;
  server: string | null;
  /** True for a tool that belongs to one session; absent for a shared tool. */
  own?: true;
  /** The name in Google's format, if the Gemini API refuses `name`. */
  googleName?: string;
  /**
   * Parameter names that some vendor refuses. Each key is the name that the model sees instead; its value is the server's
   * name. Arguments of a dispatched call have the server's names.
   */
  parameterNames?: Record<string, string>;
  category: string | null;
  title: string | null;
  description: string;
  deferral: Deferral;
  /** The tool's state in the session that was asked. */
  state: ToolState;
  /** The server's statements on the tool's effect, if the tool was registered with MCP's `annotations`. */
  annotations?: ToolAnnotations;
  /** True for a skill; absent for a tool. */
  skill?: true;
  /** The bytes (UTF-8) of its full definition in MCP's format. */
  bytes: number;
  tokens: number;
  /** The cost of the definition as the server sends it, with the parts of its schema that no parameter refers to. */
  sent: TextCost;
}

/**
 * The search words of one tool: one line of an enrichment file. The ranker `sift` searches them. The model never sees them,
 * and they cost nothing in a request.
 */
export interface Enrichment {
  /** The tool's name on its server. Required if there is no `hash`. */
  name?: string | undefined;
  /** The name that your program gives the server. An entry without a `hash` counts only for this server's tool. */
  server?: string | undefined;
  /**
   * The hash of the name and description for which the words were written, as `enrich` writes it: 16 hexadecimal digits. If
   * the definition has changed, the entry counts by its `name` if at least three, and half, of the listed tools have names
   * of entries. Otherwise it is ignored and reported as stale. An entry without a hash is never stale.
   */
  hash?: string | undefined;
  /** Whole requests, such as `"is it raining in Lisbon?"`: at most 128, of 256 characters each. */
  queries?: readonly string[] | undefined;
  /** Words and short phrases, such as `"umbrella"`: at most 128, of 256 characters each. */
  keywords?: readonly string[] | undefined;
  /** The languages of the words, such as `"en"`. Only `enrich` reads this key. */
  languages?: readonly string[] | undefined;
}

/** The report on the enrichments that were passed with tools. */
export interface EnrichmentReport {
  /** The number of tools that got search words. */
  enriched: number;
  /** The tools whose words were written for another definition and are ignored, by the names that the model sees. */
  stale: string[];
}
