/** Profiles: names for one value of every setting. */

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

/** One value on each axis, in the forms that the options take. */
export interface SettingsInfo {
  profile: ProfileName;
  activation: Activation;
  /** From how many tokens of deferrable definitions on `activation: "auto"` holds tools back. */
  autoTokens: number;
  deferral: Consent;
  disclosure: Disclosure;
  stubWhen: StubWhen;
  reveal: Reveal;
  /** null for as much as a search finds. */
  budget: { tools: number | null; tokens: number | null };
  unrevealedCall: UnrevealedCall;
  outOfScope: OutOfScope;
  /** `hits` is null for the ranker's own bound, `maxHits` for none. */
  search: Required<Defined<Omit<SearchSettings, "hits" | "maxHits">>> & { hits: number | null; maxHits: number | null };
  searchesPerMinute: number;
  /** `revealedTokens` is null for any number. */
  limits: Required<Defined<Omit<Limits, "revealedTokens">>> & { revealedTokens: number | null };
  /** Names of the discovery tools. */
  surface: string[];
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
  /** Names that are never deferred and never searched. */
  alwaysAvailable: string[];
  /** Categories whose tools every session starts with. */
  specialCategories: string[];
}
