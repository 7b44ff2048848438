/**
 * The shapes that toolsift takes and returns. Everything here is plain JSON-able data in camelCase.
 * A test checks each of them against what the core really returns.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** The named rows of settings. `ToolSift.profiles()` describes each of them. */
export type ProfileName = "search-add";

/** How the tools of one model request are written. */
export type WireFormat = "mcp" | "openai" | "openai-responses" | "anthropic" | "google";

/**
 * Whether a tool may be held back.
 * `never`: always sent in full and not part of what is searched; `automatic`: the profile decides; `always`: held
 * back whenever tool search is active.
 */
export type Deferral = "never" | "automatic" | "always";

/**
 * Where a tool stands in a session.
 * `eager`: sent in full, not searched; `pinned`: sent in full from the start and searchable; `revealed`: deferred,
 * found and loaded; `deferred`: held back; `hidden`: outside the session's scope.
 */
export type ToolState = "eager" | "pinned" | "revealed" | "deferred" | "hidden";

/** When tool search is switched on. */
export type Activation =
  | "on"
  | "off"
  /** On from this number of tools. */
  | { tools: number }
  /** On when the deferrable schemas take at least this share (0 to 1) of `contextWindow`. */
  | { contextShare: number };

/** What the model sees of a deferred tool: nothing, its name, or its name and first sentence in the prompt. */
export type Disclosure = "hidden" | "names" | "sentences";

/** What loads a tool: adding it by name, or the search that finds it. */
export type Reveal = "add" | "search";

/** What happens when the model calls a deferred tool that it has not loaded. */
export type UnrevealedCall =
  /** Refuse, and say how to load it. */
  | "refuse"
  /** Refuse, hand the schema back in the message, and reveal the tool, so that the next attempt is right. */
  | "refuse-with-schema"
  /** Reveal the tool and run the call. */
  | "run";

/** What names `register` accepts. */
export type NamePolicy =
  /** Report a name that a vendor would refuse, and offer a safe alias. */
  | "strict"
  /** Take the safe alias as the name the model sees; `dispatch` still carries the original name. */
  | "alias"
  /** Accept any name of at most 256 characters as it is. */
  | "any";

/**
 * Which tools a session may ever see. Nothing outside it is searched, listed, revealed, described or called. A tool
 * is inside when either list names it; without a scope everything is inside, with an empty one nothing is.
 */
export interface Scope {
  /** Servers whose tools are in. */
  servers?: string[];
  /** `"server:tool"`, `"server:*"`, or the bare name that the model sees. */
  tools?: string[];
}

/**
 * Which tools of the catalog take part at all, by the rules of the profile: special categories always do, a package
 * (server or category) that has specific tools selected takes part with those only, and tools with neither server
 * nor category always do. Names are compared in lower case with `-` equal to `_`, tool names also across
 * `camelCase` and `snake_case`.
 */
export interface Selection {
  /** Servers whose tools are in. */
  servers?: string[];
  /** `"package:tool"` or `"package:*"`. An entry without `:` selects nothing. */
  tools?: string[];
}

/** Bounds on everything that grows. Each has a ceiling of its own that the error message names. */
export interface Limits {
  /** Tools in the catalog. Default 20,000. */
  tools?: number;
  /** Sessions kept; the one first opened is forgotten first. Default 1,024. */
  sessions?: number;
  /** Tools a session may hold revealed; adding beyond it is refused. Default 512. */
  revealed?: number;
}

/** Options of `new ToolSift(options)`. A key that is not listed here is refused. */
export interface ToolSiftOptions {
  /** Default `"search-add"`. */
  profile?: ProfileName;
  /** Tokens of the model's context window; needed by `activation: { contextShare }`. */
  contextWindow?: number;
  /** Counts the tokens of a text. Default: `ceil(characters / 4)`. */
  countTokens?: (text: string) => number;
  /** Overrides the profile's activation. */
  activation?: Activation;
  /** Overrides the profile's disclosure of deferred tools. */
  disclosure?: Disclosure;
  /** Overrides what loads a tool. */
  reveal?: Reveal;
  /** Overrides what happens on a call to a deferred tool that was not loaded. */
  unrevealedCall?: UnrevealedCall;
  /** Names of tools that every session starts with; they stay searchable. Unknown names are ignored. */
  preDiscovered?: string[];
  /** Names of tools that are never deferred and never searched, in addition to the profile's own. */
  alwaysAvailable?: string[];
  /** Categories whose tools every session starts with. Replaces the profile's own list. */
  specialCategories?: string[];
  /** At most so many hits of a search. Default: the profile's own bound. */
  searchLimit?: number;
  /** Other names under which `add_tool` finds a tool: `{ write_file: "update_file" }`. */
  aliases?: Record<string, string>;
  /** Lines for the prompt's list of what can be searched for, such as `"slack (messaging)"`. */
  categories?: string[];
  /** Which tools of the catalog take part. */
  selection?: Selection;
  limits?: Limits;
}

/** Options of `register` and `sync`. */
export interface RegisterOptions {
  /** The server the tools come from. Identity is server and name. */
  server?: string;
  /** Default `"strict"`. */
  names?: NamePolicy;
  /** Applied to tools that say nothing themselves. Default `"automatic"`. */
  deferral?: Deferral;
  /** Applied to tools that say nothing themselves. */
  category?: string;
}

/**
 * A tool definition in any of the shapes that `register` reads: MCP (`inputSchema`), OpenAI Chat Completions
 * (`{ type: "function", function }`), OpenAI Responses (`{ type: "function", name, parameters }`), Anthropic
 * (`input_schema`), Google (`{ functionDeclarations: [...] }` or one declaration), or our own (`parameters`).
 * `title`, `category`, `searchHint`, `tags`, `deferral` are read where they are present.
 */
export type ToolDefinition = object;

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
  /** What was changed, in a sentence. */
  repair: string;
}

/** What `register` did. */
export interface RegisterReport {
  /** The names that the model sees, in order. */
  registered: string[];
  rejected: Rejected[];
  repaired: Repaired[];
}

/** What `sync` did. */
export interface SyncReport {
  added: string[];
  changed: string[];
  removed: string[];
  unchanged: number;
  rejected: Rejected[];
  repaired: Repaired[];
}

/** Bytes (UTF-8) and tokens of some text, and how many tools it describes. */
export interface Cost {
  tools: number;
  bytes: number;
  tokens: number;
}

/** What a request costs, by part. */
export interface Size {
  /** Every tool of the session's scope, sent in full, without discovery tools. */
  full: Cost;
  /** This request: the `tools` array as it is serialized, and the prompt section. */
  request: Cost;
  /** Parts of `request`. The array's own brackets and commas belong to no part. */
  parts: {
    discovery: Cost;
    /** Tools that are never deferred, and tools that every session starts with. */
    eager: Cost;
    revealed: Cost;
    /** Deferred tools as far as the tool list shows them. */
    stubs: Cost;
    /** Deferred tools as far as the prompt lists them. */
    listing: Cost;
    /** The rest of the prompt section. */
    prompt: Cost;
  };
  /** `full` minus `request`; `share` is of tokens, 0 to 1, negative where tool search costs more. */
  saved: { bytes: number; tokens: number; share: number };
  /**
   * How much of the previous request's serialized tools this request repeats unchanged from its first byte on: what a
   * vendor's prompt cache can keep. `share` is of the previous request; both are 0 on the first request.
   */
  prefix: { bytes: number; share: number };
}

/** Tools and prompt text for one model request. */
export interface Assembly {
  /** Whether anything is held back. When it is not, `tools` holds every tool and `systemPrompt` is empty. */
  active: boolean;
  /** The definitions in the chosen wire format, to be sent as they are. */
  tools: JsonObject[];
  /** To be appended to the host's system prompt; empty when there is nothing to say. */
  systemPrompt: string;
  size: Size;
}

/** Options of `session.assemble`. */
export interface AssembleOptions {
  /** Default `"mcp"`. */
  format?: WireFormat;
}

/** What a call of the model comes to. */
export type Outcome =
  | {
      /** A discovery tool ran: hand `content` back to the model. */
      kind: "result";
      content: string;
      /** The call itself was wrong (for example an invalid pattern); `content` says how. */
      isError: boolean;
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
      /** The name that the model used. */
      modelName: string;
      arguments: JsonObject;
    }
  | {
      /** Not to be run: hand `error.message` back to the model. */
      kind: "refused";
      error: { code: ErrorCode; message: string };
    };

/** What matched, and what it added to the score. */
export interface HitPart {
  /** Where it matched. */
  field: "name" | "description";
  /** The word or pattern of the query. */
  term: string;
  /** The text of the tool that it matched. */
  matched: string;
  /** How it matched. */
  how: "pattern" | "whole-query" | "word" | "similar";
  /** What it added to the score. */
  contribution: number;
}

/** One tool found. */
export interface Hit {
  /** The name that the model sees. */
  name: string;
  server: string | null;
  description: string;
  /** 0 to 1. Patterns do not rank: each match scores 1, in catalog order. */
  score: number;
  parts: HitPart[];
}

/** What a search found. */
export interface SearchResult {
  query: string;
  /** Which step of the ranker answered. */
  stage: "pattern" | "fuzzy" | "none";
  hits: Hit[];
  /** How many tools were searched. */
  searched: number;
}

/** Why one tool was found, or was not. */
export interface Explanation {
  name: string;
  found: boolean;
  /** Place among the hits, from 1, or null. */
  rank: number | null;
  score: number;
  parts: HitPart[];
  /** The answer in a sentence. */
  reason: string;
}

/** Options of `sift.session`. */
export interface SessionOptions {
  /** What the session may ever see. Fixed when the session is opened. */
  scope?: Scope;
}

/** Options of `sift.search` and `sift.explain`. */
export interface SearchOptions {
  /** At most so many hits. Default: the profile's own bound. */
  limit?: number;
  /** Search what this session may see. */
  session?: string;
}

/** One tool of the catalog, as a page or a log would show it. */
export interface ToolInfo {
  /** The name that the model sees. */
  name: string;
  /** The name under which the host registered it. */
  originalName: string;
  server: string | null;
  category: string | null;
  title: string | null;
  description: string;
  deferral: Deferral;
  /** Where it stands, in the session that was asked. */
  state: ToolState;
  /** What its full definition costs in MCP's format. */
  bytes: number;
  tokens: number;
}

/** What everything in the catalog costs, and where it comes from. */
export interface CatalogSize extends Cost {
  /** In order of first registration; tools without a server stand under null. */
  servers: (Cost & { server: string | null })[];
}

/** What a session knows, as a small JSON value. */
export interface Snapshot {
  /** Version of this format. */
  toolsift: 1;
  id: string;
  profile: ProfileName;
  /** In the order in which they were revealed. */
  revealed: { server: string | null; name: string }[];
}

/** One row of the table of profiles. */
export interface ProfileInfo {
  name: ProfileName;
  /** The published system that it follows. */
  after: string;
  summary: string;
  activation: Activation;
  disclosure: Disclosure;
  search: string;
  reveal: Reveal;
  unrevealedCall: UnrevealedCall;
  /** Names of the discovery tools. */
  surface: string[];
  /** Names that are never deferred and never searched. */
  alwaysAvailable: string[];
  /** Categories whose tools every session starts with. */
  specialCategories: string[];
}

/** Stable codes of every error; the message names the offending value and the limit. */
export type ErrorCode =
  | "alias_invalid"
  | "arguments_invalid"
  | "catalog_full"
  | "context_window_missing"
  | "counter_failed"
  | "description_too_long"
  | "disposed"
  | "duplicate_tool"
  | "internal"
  | "limit_out_of_range"
  | "name_empty"
  | "name_reserved"
  | "name_too_long"
  | "name_unsafe"
  | "not_json"
  | "option_invalid"
  | "option_unknown"
  | "pattern_invalid"
  | "reentrant"
  | "revealed_full"
  | "schema_invalid"
  | "schema_too_large"
  | "session_id_invalid"
  | "snapshot_invalid"
  | "text_invalid"
  | "tool_not_revealed"
  | "tool_out_of_scope"
  | "tool_shape_unknown"
  | "tool_unknown"
  | "wasm_unavailable";
