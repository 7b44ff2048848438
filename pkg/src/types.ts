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
export type ProfileName = "sift" | "search-add" | "select" | "select-load" | "stub" | "bridge";

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

/** When tools are held back. */
export type Activation =
  | "on"
  | "off"
  /** On when the model would be sent at least this number of tools, discovery tools included. */
  | { tools: number }
  /**
   * On when the deferrable definitions take at least this share (0 to 1) of `contextWindow`; where that is not said, from
   * 20,000 tokens on.
   */
  | { contextShare: number };

/** Which tools are held back that say nothing themselves: none (only those that ask for it), or all. */
export type Consent = "opt-in" | "opt-out";

/** What the model sees of a deferred tool. */
export type Disclosure =
  /** Nothing. */
  | "hidden"
  /** The servers that have deferred tools, and how many each, in the prompt. */
  | "servers"
  /** Its name, in the prompt. */
  | "names"
  /** Its name and the first sentence of its description, in the prompt. */
  | "sentences"
  /** Its name and the first 120 bytes of its description, in the prompt. */
  | "descriptions"
  /** Its name and description in the tool list, with the parameters left out. */
  | "stubs"
  /** The same, with the first sentence of its description. */
  | "short-stubs"
  /** Everything: search is only advice. */
  | "full";

/** When a stub takes the place of a tool's parameters: where it is smaller, or always. */
export type StubWhen = "smaller" | "always";

/** What loads a tool: adding it by name, the search that finds it, or nothing. */
export type Reveal = "add" | "search" | "never";

/** What happens when the model calls a deferred tool that it has not loaded. */
export type UnrevealedCall =
  /** Refuse, and say how to get to it. */
  | "refuse"
  /** Refuse, hand the schema back in the message, and reveal the tool, so that the next attempt is right. */
  | "refuse-with-schema"
  /** Reveal the tool and run the call. */
  | "run"
  /** Run the call, and reveal nothing. */
  | "allow";

/** How tools are found. */
export type Ranker =
  /** A regular expression over names and descriptions; where nothing matches, the fuzzy stage. */
  | "pattern"
  /** Words in the parts of names, weighted against hints and descriptions. */
  | "parts"
  /** Words in names and descriptions, the name before the rest. */
  | "overlap"
  /** BM25 over names, descriptions and parameter names. */
  | "bm25"
  /**
   * Ours: names, servers, hints, descriptions and parameters, weighted; forms of words, synonyms and slips; what fits as
   * a whole; and how sure all of that is.
   */
  | "sift";

/** A part of the sift ranker that can be left out: to see what it is good for, or where a catalog is better off without. */
export type Ingredient =
  /** Forms of a word count as the word. */
  | "stems"
  /** Words that mean nothing are passed over. */
  | "stop-words"
  /** Words of the same meaning count in part, those of the host's `synonyms` too. */
  | "synonyms"
  /** Words that begin with a word of the query, or that it begins with, count in part. */
  | "relatives"
  /** Words that no tool has stand for similar ones. */
  | "repair"
  /** Two words written as one, and one as two. */
  | "compounds"
  /** Names, descriptions and values of parameters are searched. */
  | "parameters"
  /** Tools that cover more of the query come before others. */
  | "coverage"
  /** Tools whose names the query covers come before others. */
  | "names"
  /** Words that stand side by side in both count more. */
  | "pairs"
  /** Servers that the query names, or of which several tools fit, lift their tools. */
  | "servers"
  /** Earlier words of a short query count more, repeated words too. */
  | "emphasis"
  /** Queries of several parts find something for each. */
  | "intents"
  /** Exact names come first. */
  | "identity";

/** How a search is made. */
export interface SearchSettings {
  ranker?: Ranker;
  /**
   * `plain`: the query as it stands. `commands`: `select:a,b` names tools, `+word` must occur. `full`: both, in any
   * spelling of the names, and `-word`, `server:name` and `/pattern/`; what cannot be read as one of them is words.
   */
  grammar?: "plain" | "commands" | "full";
  /** Which tools are searched: those held back, also those that every session starts with, or all. */
  universe?: "deferred" | "deferrable" | "all";
  /** Which hits are left out: none, or those with less than half of the best score. */
  cutoff?: "none" | "half-of-best";
  /** Hits where nobody asks for a number. */
  hits?: number;
  /** Hits at the most. */
  maxHits?: number;
  /** What the ranker `sift` does without; other rankers do not look at it. */
  without?: Ingredient[];
}

/** How much one search of the model may load, where searches load tools. The best hit is loaded whatever it takes. */
export interface Budget {
  /** Tools; 0 loads none. */
  tools?: number;
  /** Tokens of their definitions, at four characters each. */
  tokens?: number;
}

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
  /**
   * Sessions kept that revealed something, and as many that did not. Of the former the one whose first reveal is the
   * longest ago is forgotten first, of the latter the one first opened. Default 4,096.
   */
  sessions?: number;
  /** Tools a session may hold revealed; adding beyond it is refused. Default 512. */
  revealed?: number;
}

/** Options of `new ToolSift(options)`. A key that is not listed here is refused. */
export interface ToolSiftOptions {
  /** Default `"sift"`. */
  profile?: ProfileName;
  /**
   * The configuration of the system that the profile follows, in its own words and read as it reads them: for `stub`
   * `{ threshold, never_defer }`, for `bridge` `{ enabled, threshold_pct, search_default_limit, max_search_limit }` or a
   * boolean. The other options go before it.
   */
  config?: unknown;
  /** Tokens of the model's context window, for `activation: { contextShare }`. */
  contextWindow?: number;
  /** Counts the tokens of a text. Default: `ceil(characters / 4)`. */
  countTokens?: (text: string) => number;
  /** Overrides the profile's activation. */
  activation?: Activation;
  /** Overrides which tools are held back that say nothing themselves. */
  deferral?: Consent;
  /** Overrides the profile's disclosure of deferred tools. */
  disclosure?: Disclosure;
  /** When `disclosure: "stubs"` uses a stub. Default `"smaller"`. */
  stubWhen?: StubWhen;
  /** Overrides what loads a tool. */
  reveal?: Reveal;
  /** Overrides how much one search may load, value by value. For profiles whose searches answer with confidence. */
  budget?: Budget;
  /** Overrides what happens on a call to a deferred tool that was not loaded. */
  unrevealedCall?: UnrevealedCall;
  /** Names of tools that every session starts with; they stay searchable. Unknown names are ignored. */
  preDiscovered?: string[];
  /** Names of tools that are never deferred and never searched, in addition to the profile's own. */
  alwaysAvailable?: string[];
  /** Categories whose tools every session starts with. Replaces the profile's own list. */
  specialCategories?: string[];
  /** Overrides how a search is made, value by value. */
  search?: SearchSettings;
  /** Searches that a session may make within a minute; 0 for any number. */
  searchesPerMinute?: number;
  /** Groups of words that mean the same in this catalog, for the ranker `sift`: `[["invoice", "bill"]]`. */
  synonyms?: string[][];
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
  /** What could be held back, in the measure that decides whether it is. */
  deferrable: {
    tools: number;
    /** Tokens of their definitions, in the format of Chat Completions. */
    tokens: number;
    /** Tokens from which on they are held back where tokens decide; 0 without a known window, or without such tools. */
    thresholdTokens: number;
  };
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
      /** The name that the model used. */
      modelName: string;
      arguments: JsonObject;
    }
  | {
      /** Not to be run: hand `error.message` back to the model. */
      kind: "refused";
      error: { code: ErrorCode; message: string };
    };

/** A call of the model. */
export interface ToolCall {
  name: string;
  /** An object, or the JSON text that some vendors send. */
  args?: unknown;
}

/** What the host says of the turn in which a call is made. */
export interface CallOptions {
  /** The host's clock in milliseconds, for `searchesPerMinute`. Default: `Date.now()`. */
  now?: number;
  /**
   * The names of the tools that are visible in this turn; others are out of reach. `null` says that the host has lost the
   * list.
   */
  visible?: readonly string[] | null;
}

/** Where something matched. */
export type SearchedField =
  | "name"
  | "server"
  /** What the host says: hint, tags, category. */
  | "hint"
  | "description"
  /** Names and descriptions of parameters. */
  | "parameter"
  /** Values that a parameter may have. */
  | "value"
  /** All that is searched together. */
  | "text";

/** How something matched. */
export type How =
  /** As a regular expression. */
  | "pattern"
  /** The whole query stands there, or is it. */
  | "whole-query"
  /** The same word. */
  | "word"
  /** Inside the text. */
  | "inside"
  /** A similar word. */
  | "similar"
  /** A form of the word. */
  | "stem"
  /** A word of the same meaning. */
  | "synonym"
  /** A word that begins alike. */
  | "relative"
  /** A word that was probably meant by one that no tool has. */
  | "repair"
  /** Two words of one are one word of the other. */
  | "compound"
  /** Words of the query cover the name. */
  | "covered"
  /** Words that stand side by side in the query do so in the tool. */
  | "adjacent"
  /** The query names the server, or fits other tools of it too. */
  | "server"
  /** The tool fits a part of the query by itself. */
  | "intent";

/**
 * How far hits can be trusted, beside what chance would find in the same catalog. `high`: at least as good, or named in
 * the query; `low`: not as good; `none`: nothing fits, the hits are what came nearest.
 */
export type Confidence = "high" | "low" | "none";

/** What matched, and what it added to the score. */
export interface HitPart {
  /** Where it matched. */
  field: SearchedField;
  /** The word or pattern of the query; empty where the whole of it is meant. */
  term: string;
  /** The text of the tool that it matched; empty where no one text did. */
  matched: string;
  /** How it matched. */
  how: How;
  /** What it added to the score. */
  contribution: number;
}

/** One tool found. */
export interface Hit {
  /** The name that the model sees. */
  name: string;
  server: string | null;
  description: string;
  /**
   * How well it fits, on the ranker's own scale. That of `sift` goes from 0 to 1, where 1 is all that the query asks for.
   * Patterns do not rank: each match scores 1, in catalog order.
   */
  score: number;
  /** Why it was found: of `sift` for the first 50 hits, or as many as were asked for. */
  parts: HitPart[];
}

/** What a search found. */
export interface SearchResult {
  /** Several queries are here on a line each. */
  query: string;
  /** Which step of the ranker answered. */
  stage: "select" | "pattern" | "fuzzy" | "parts" | "overlap" | "bm25" | "substring" | "sift" | "none";
  hits: Hit[];
  /** How many tools were searched. */
  searched: number;
  /** How far the hits can be trusted; only the ranker `sift` and the grammar `full` can tell. */
  confidence?: Confidence;
  /** With it: the best score as a multiple of what chance would find; null where the query names tools. */
  overChance?: number | null;
  /** With it: the words of the query that nothing in the catalog stands for. */
  unknownWords?: string[];
  /** With it: the servers of the best hits, closest first. */
  closestServers?: string[];
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

/** One value on each axis, in the forms that the options take. */
export interface SettingsInfo {
  profile: ProfileName;
  activation: Activation;
  deferral: Consent;
  disclosure: Disclosure;
  stubWhen: StubWhen;
  reveal: Reveal;
  /** null for as much as a search finds. */
  budget: { tools: number | null; tokens: number | null };
  unrevealedCall: UnrevealedCall;
  /** `hits` is null for the ranker's own bound, `maxHits` for none. */
  search: Required<Omit<SearchSettings, "hits" | "maxHits">> & { hits: number | null; maxHits: number | null };
  searchesPerMinute: number;
}

/** One row of the table of profiles. */
export interface ProfileInfo extends Omit<SettingsInfo, "profile"> {
  name: ProfileName;
  /** As `name`. */
  profile: ProfileName;
  /** The published system that it follows, if any. */
  after: string;
  summary: string;
  /** What the model sees, in a few words. */
  shows: string;
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
  | "arguments_not_json"
  | "arguments_not_object"
  | "bridge_recursion"
  | "catalog_full"
  | "counter_failed"
  | "description_too_long"
  | "disposed"
  | "duplicate_tool"
  | "internal"
  | "limit_out_of_range"
  | "name_empty"
  | "name_required"
  | "name_reserved"
  | "name_too_long"
  | "name_unsafe"
  | "no_registry"
  | "no_scorable_terms"
  | "no_visible_tools"
  | "not_currently_available"
  | "not_deferrable"
  | "not_json"
  | "option_conflict"
  | "option_invalid"
  | "option_unknown"
  | "out_of_session_scope"
  | "pattern_invalid"
  | "query_empty"
  | "query_missing"
  | "query_required"
  | "rate_limited"
  | "reentrant"
  | "revealed_full"
  | "schema_invalid"
  | "schema_too_large"
  | "session_id_invalid"
  | "snapshot_invalid"
  | "text_invalid"
  | "tool_names_required"
  | "tool_not_revealed"
  | "tool_out_of_scope"
  | "tool_shape_unknown"
  | "tool_unknown"
  | "wasm_unavailable";
