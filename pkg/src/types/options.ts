/** The options of a `ToolSift`: a profile, overrides of its settings, the selection of tools, and limits. */

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
 * Selects the tools of the catalog that are used, by the rules of the profile. A package is a server or a category. If
 * `tools` selects tools of a package, only these tools of the package are used. Special categories are always used, and so
 * is a tool with neither server nor category. Names are compared in lower case with `-` equal to `_`; for tool names,
 * `camelCase` also equals `snake_case`.
 */
export interface Selection {
  /** The servers whose tools are used. */
  servers?: string[] | undefined;
  /** Selected tools as `"package:tool"` or `"package:*"`. An entry without `:` selects nothing. */
  tools?: string[] | undefined;
}

/** Limits on everything that grows. Each limit has a maximum, which the error message states. */
export interface Limits {
  /** The maximum number of tools in the catalog. Default 20,000. */
  tools?: number | undefined;
  /** Maximum bytes of names, descriptions, schemas and labels in the catalog. Default 256 MiB, at most 512 MiB. */
  bytes?: number | undefined;
  /**
   * The maximum size of one server's tools in the catalog, in bytes. Tools of your program are limited by `bytes` alone.
   * Default 64 MiB, at most 512 MiB.
   */
  serverBytes?: number | undefined;
  /**
   * The maximum number of sessions. The least recently used one is evicted first; its handles then throw `session_closed`.
   * The profile `stub` does as the system that it copies: of sessions with loaded tools it evicts the one whose first tool
   * was loaded first, and it keeps the same number of sessions without loaded tools in addition. Default 4,096.
   */
  sessions?: number | undefined;
  /** The maximum number of loaded tools in a session. Default 512. */
  revealed?: number | undefined;
  /** The maximum number of tokens of a session's loaded tools, as characters / 4. Default: no limit. */
  revealedTokens?: number | undefined;
  /** The rule when one of these two limits is reached. Default `"evict"` for the profile `sift`, else `"refuse"`. */
  whenFull?: WhenFull | undefined;
}

/** A profile, with options that exist only for profiles which copy another system. */
export interface ProfileSettings {
  name: ProfileName;
  /**
   * The configuration of the copied system, in that system's format: for `stub` `{ threshold, never_defer }`, for `bridge`
   * `{ enabled, threshold_pct, search_default_limit, max_search_limit }` or a boolean. The other options override it.
   */
  config?: unknown;
  /** Categories whose tools every session starts with. Replaces the profile's own list. */
  specialCategories?: string[] | undefined;
}

/** Options of `new ToolSift(options)`. An unknown key is refused. */
export interface ToolSiftOptions {
  /** The name of a profile, or a `ProfileSettings` object. Default `"sift"`. */
  profile?: ProfileName | ProfileSettings | undefined;
  /** The tokens of the model's context window, for `activation: { contextShare }`. */
  contextWindow?: number | undefined;
  /**
   * Counts the tokens of a text. Default: `ceil(characters / 4)`. The function must not use the `ToolSift` that calls it;
   * that throws `reentrant`. If the function throws, the method that needed the count throws `counter_failed`.
   */
  countTokens?: ((text: string) => number) | undefined;
  /** Overrides the profile's activation. */
  activation?: Activation | undefined;
  /** Overrides the profile's rule for tools without a `deferral` of their own. */
  deferral?: Consent | undefined;
  /** Overrides the profile's disclosure of deferred tools. */
  disclosure?: Disclosure | undefined;
  /** The rule for using a stub under `disclosure: "stubs"`. Default `"smaller"`. */
  stubWhen?: StubWhen | undefined;
  /** Overrides the way in which tools are loaded. */
  reveal?: Reveal | undefined;
  /** Overrides the maximum that one search may load, value by value. For profiles whose searches report a confidence. */
  budget?: Budget | undefined;
  /**
   * The behaviour of the tool list while the model finds tools. `"constant"` needs the profile `sift`. It is cheaper if a
   * changed tool list invalidates the vendor's whole prompt cache. Default `"growing"`.
   */
  surface?: Surface | undefined;
  /** Overrides the answer to a call of a deferred tool that is not loaded. */
  unrevealedCall?: UnrevealedCall | undefined;
  /** Overrides the answer to a call of a tool outside the session's scope. */
  outOfScope?: OutOfScope | undefined;
  /**
   * Tools that every session starts with, and that are searched. `"server:tool"`, `"server:*"`, or the bare name that the
   * model sees, as in `Scope`. Unknown names are ignored; `session.unmatched()` lists them, and bare names of several
   * servers.
   */
  preDiscovered?: string[] | undefined;
  /** Tools that are never deferred and never searched, added to the profile's own list; written as in `preDiscovered`. */
  alwaysAvailable?: string[] | undefined;
  /** Overrides the settings of a search, value by value. */
  search?: SearchSettings | undefined;
  /** The maximum number of searches of a session in a minute; 0 for no limit. */
  searchesPerMinute?: number | undefined;
  /** Groups of words with the same meaning in this catalog, for the ranker `sift`: `[["invoice", "bill"]]`. */
  synonyms?: string[][] | undefined;
  /**
   * Everyday words with their translations to words of tools, for the ranker `sift`: a line each, with shares of cases
   * (default 1), such as `"bill invoice:0.4 payment:0.1"`. A word with no translations counts only if a tool has it. Lines
   * that begin with `#` are skipped; at most 4 MB. `toolsift()` and `gateway()` load the translations of `toolsift/packs`.
   */
  translations?: string | undefined;
  /** Other names under which `add_tool` finds a tool, in any spelling style: `{ write_file: "update_file" }`. */
  aliases?: Record<string, string> | undefined;
  /** Lines for the prompt's list of categories that can be searched, such as `"slack (messaging)"`. */
  categories?: string[] | undefined;
  /** The tools of the catalog that are used. */
  selection?: Selection | undefined;
  limits?: Limits | undefined;
  /**
   * The return value of `guard()` of `toolsift/guard`. It pins definitions, quarantines changed ones, and reports suspicious
   * texts. Default: every definition is registered without these checks.
   */
  guard?: Guard | undefined;
}

/** Options of `ToolSift.fromIndex(index, options)`. */
export interface IndexOptions extends ToolSiftOptions {
  /** The `contentHash` of the tools that the index must contain. An index of other tools is refused as `index_stale`. */
  contentHash?: string | undefined;
}
