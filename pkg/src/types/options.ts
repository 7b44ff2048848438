/** The options of a `ToolSift`: a profile, what the host overrides of it, which tools take part, and limits. */

import type { Guard } from "./guard.js";
import type { SearchSettings } from "./ranking.js";
import type {
  Activation,
  Budget,
  Consent,
  Disclosure,
  OutOfScope,
  ProfileName,
  Reveal,
  StubWhen,
  Surface,
  UnrevealedCall,
  WhenFull,
} from "./settings.js";

/**
 * Which tools of the catalog take part at all, by the rules of the profile: special categories always do, a package
 * (server or category) that has specific tools selected takes part with those only, and tools with neither server
 * nor category always do. Names are compared in lower case with `-` equal to `_`, tool names also across
 * `camelCase` and `snake_case`.
 */
export interface Selection {
  /** Servers whose tools are in. */
  servers?: string[] | undefined;
  /** `"package:tool"` or `"package:*"`. An entry without `:` selects nothing. */
  tools?: string[] | undefined;
}

/** Bounds on everything that grows. Each has a ceiling of its own that the error message names. */
export interface Limits {
  /** Tools in the catalog. Default 20,000. */
  tools?: number | undefined;
  /** Bytes of names, descriptions, schemas and labels that the catalog keeps. Default 256 MiB, at most 512 MiB. */
  bytes?: number | undefined;
  /**
   * Bytes that the catalog keeps of one server's tools. The host's own tools are bounded by `bytes` alone. Default 64 MiB, at
   * most 512 MiB.
   */
  serverBytes?: number | undefined;
  /**
   * Sessions kept. The least recently used one is evicted first; its handles then throw `session_closed`. The profile `stub`
   * behaves like its system: it keeps that many sessions with reveals, evicts the one whose first reveal is the oldest, and
   * keeps as many sessions without reveals beside them. Default 4,096.
   */
  sessions?: number | undefined;
  /** Tools a session may hold revealed. Default 512. */
  revealed?: number | undefined;
  /** Tokens of their definitions, at four characters each. Default: any number. */
  revealedTokens?: number | undefined;
  /** What happens at either of these two limits. Default `"evict"` for the profile `sift`, `"refuse"` for the others. */
  whenFull?: WhenFull | undefined;
}

/** A profile with the options that only the systems have which profiles follow. */
export interface ProfileSettings {
  name: ProfileName;
  /**
   * The configuration of the system that the profile follows, in that system's form and read as it reads it: for `stub`
   * `{ threshold, never_defer }`, for `bridge` `{ enabled, threshold_pct, search_default_limit, max_search_limit }` or a
   * boolean. The other options override it.
   */
  config?: unknown;
  /** Categories whose tools every session starts with. Replaces the profile's own list. */
  specialCategories?: string[] | undefined;
}

/** Options of `new ToolSift(options)`. A key that is not listed here is refused. */
export interface ToolSiftOptions {
  /** The name of a profile, or its name with what only other systems have. Default `"sift"`. */
  profile?: ProfileName | ProfileSettings | undefined;
  /** Tokens of the model's context window, for `activation: { contextShare }`. */
  contextWindow?: number | undefined;
  /**
   * Counts the tokens of a text. Default: `ceil(characters / 4)`. It must not use the `ToolSift` that calls it, which throws
   * `reentrant`. If it throws, the method that called it throws `counter_failed`.
   */
  countTokens?: ((text: string) => number) | undefined;
  /** Overrides the profile's activation. */
  activation?: Activation | undefined;
  /** Overrides which tools are deferred, of those without a `deferral` of their own. */
  deferral?: Consent | undefined;
  /** Overrides the profile's disclosure of deferred tools. */
  disclosure?: Disclosure | undefined;
  /** When `disclosure: "stubs"` uses a stub. Default `"smaller"`. */
  stubWhen?: StubWhen | undefined;
  /** Overrides what loads a tool. */
  reveal?: Reveal | undefined;
  /** Overrides how much one search may load, value by value. For profiles whose searches answer with confidence. */
  budget?: Budget | undefined;
  /**
   * What the tool list does as the model finds tools. `"constant"` is for the profile `sift`, and cheaper where a changed list
   * costs a vendor's whole prompt cache. Default `"growing"`.
   */
  surface?: Surface | undefined;
  /** Overrides what happens on a call to a deferred tool that was not loaded. */
  unrevealedCall?: UnrevealedCall | undefined;
  /** Overrides what the model learns about a tool that the session may not see. */
  outOfScope?: OutOfScope | undefined;
  /**
   * Tools that every session starts with; they stay searchable. `"server:tool"`, `"server:*"`, or the bare name that the model
   * sees, as in `Scope`. Unknown names are ignored; `session.unmatched()` has them, and bare names that several servers have.
   */
  preDiscovered?: string[] | undefined;
  /** Tools that are never deferred and never searched, in addition to the profile's own; named as in `preDiscovered`. */
  alwaysAvailable?: string[] | undefined;
  /** Overrides how a search is made, value by value. */
  search?: SearchSettings | undefined;
  /** Searches that a session may make within a minute; 0 for any number. */
  searchesPerMinute?: number | undefined;
  /** Groups of words that mean the same in this catalog, for the ranker `sift`: `[["invoice", "bill"]]`. */
  synonyms?: string[][] | undefined;
  /**
   * What people say for the words of tools, for the ranker `sift`: one word a line, and behind it the words of tools that it is
   * said for, each with the share of cases (1 where none is given): `"bill invoice:0.4 payment:0.1"`. A word with none behind it counts only where a
   * tool has it. Lines that begin with `#` are passed over; at most 4 MB. `toolsift()` and `gateway()` load those of `toolsift/packs`.
   */
  translations?: string | undefined;
  /** Other names under which `add_tool` finds a tool, in any spelling style: `{ write_file: "update_file" }`. */
  aliases?: Record<string, string> | undefined;
  /** Lines for the prompt's list of what can be searched for, such as `"slack (messaging)"`. */
  categories?: string[] | undefined;
  /** Which tools of the catalog take part. */
  selection?: Selection | undefined;
  limits?: Limits | undefined;
  /**
   * What `guard()` of `toolsift/guard` returned: it pins definitions, holds those that changed, and reports suspicious texts.
   * Default: every definition is taken as it is.
   */
  guard?: Guard | undefined;
}

/** Options of `ToolSift.fromIndex(index, options)`. */
export interface IndexOptions extends ToolSiftOptions {
  /** The `contentHash` of the tools that the index must hold; an index of other tools is refused as `index_stale`. */
  contentHash?: string | undefined;
}
