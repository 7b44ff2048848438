/** Profiles: named rows of settings. */

import type { Limits } from "./options.js";
import type { SearchSettings } from "./ranking.js";
import type { Defined } from "./defined.js";
import type {
  Activation,
  Consent,
  Disclosure,
  OutOfScope,
  ProfileName,
  Reveal,
  StubWhen,
  UnrevealedCall,
} from "./settings.js";

/** The settings in force, in the forms that the options take. */
export interface SettingsInfo {
  profile: ProfileName;
  activation: Activation;
  /** The number of tokens of deferrable definitions from which `activation: "auto"` defers tools. */
  autoTokens: number;
  deferral: Consent;
  disclosure: Disclosure;
  stubWhen: StubWhen;
  reveal: Reveal;
  /** The maximum that one search loads; null for no limit. */
  budget: { tools: number | null; tokens: number | null };
  unrevealedCall: UnrevealedCall;
  outOfScope: OutOfScope;
  /** `hits` is null for the ranker's own limit; `maxHits` is null for no limit. */
  search: Required<Defined<Omit<SearchSettings, "hits" | "maxHits">>> & { hits: number | null; maxHits: number | null };
  searchesPerMinute: number;
  /** `revealedTokens` is null for no limit. */
  limits: Required<Defined<Omit<Limits, "revealedTokens">>> & { revealedTokens: number | null };
  /** The names of the discovery tools. */
  surface: string[];
}

/** One row of the table of profiles. */
export interface ProfileInfo extends Omit<SettingsInfo, "profile"> {
  name: ProfileName;
  /** The name of the profile, as in `sift.settings.profile`. */
  profile: ProfileName;
  /** The published system that the profile copies; empty if there is none. */
  after: string;
  summary: string;
  /** A few words on what the model sees. */
  shows: string;
  /** The names of tools that are never deferred and never searched. */
  alwaysAvailable: string[];
  /** Categories whose tools every session starts with. */
  specialCategories: string[];
}
