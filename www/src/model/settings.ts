/** The settings on the page: the library's axes, flat and as form fields hold them. */
import {
  ToolSift,
  type Activation,
  type Consent,
  type Disclosure,
  type ProfileInfo,
  type ProfileName,
  type Ranker,
  type Reveal,
  type SearchSettings,
  type StubWhen,
  type ToolSiftOptions,
  type UnrevealedCall,
  type WireFormat,
} from "toolsift";

export type ActivationMode = "profile" | "on" | "off" | "tools" | "share";
export type Grammar = NonNullable<SearchSettings["grammar"]>;
export type Universe = NonNullable<SearchSettings["universe"]>;
export type Cutoff = NonNullable<SearchSettings["cutoff"]>;

/** An empty text, and null, mean: as the profile has it. */
export interface Settings {
  profile: ProfileName;
  activation: ActivationMode;
  /** For `tools`: on from so many. */
  fromTools: number;
  /** For `share`: on from so many per cent of the context window. */
  fromPercent: number;
  deferral: Consent | "";
  disclosure: Disclosure | "";
  stubWhen: StubWhen | "";
  reveal: Reveal | "";
  unrevealedCall: UnrevealedCall | "";
  ranker: Ranker | "";
  grammar: Grammar | "";
  universe: Universe | "";
  cutoff: Cutoff | "";
  hits: number | null;
  maxHits: number | null;
  searchesPerMinute: number | null;
  /** Names of tools that every session starts with. */
  preDiscovered: string[];
  /** Tokens; null leaves it unsaid. */
  contextWindow: number | null;
  format: WireFormat;
}

export type SettingKey = keyof Settings;

/** What is said of the host and its model, and so holds for every profile alike. */
export type Surroundings = Pick<Settings, "preDiscovered" | "contextWindow" | "format">;

export function profileOf(name: ProfileName): ProfileInfo {
  const profile = ToolSift.profiles().find((row) => row.name === name);
  if (!profile) throw new Error(`no profile "${name}"`);
  return profile;
}

/**
 * A profile as the page opens it: at work. One that would wait, for tools that ask to be held back or for more of them,
 * is told not to: there would be nothing to see.
 */
export function defaultSettings(name: ProfileName = defaultProfile(), around?: Surroundings): Settings {
  const profile = profileOf(name);
  const { preDiscovered = [], contextWindow = 200_000, format = "mcp" } = around ?? {};
  return {
    profile: name,
    activation: typeof profile.activation === "object" ? "on" : "profile",
    fromTools: 30,
    fromPercent: 10,
    deferral: profile.deferral === "opt-in" ? "opt-out" : "",
    disclosure: "",
    stubWhen: "",
    reveal: "",
    unrevealedCall: "",
    ranker: "",
    grammar: "",
    universe: "",
    cutoff: "",
    hits: null,
    maxHits: null,
    searchesPerMinute: null,
    preDiscovered,
    contextWindow,
    format,
  };
}

/** Asked of the library, whose choice it is. */
function defaultProfile(): ProfileName {
  const sift = new ToolSift();
  const { profile } = sift.settings;
  sift.dispose();
  return profile;
}

export function optionsOf(settings: Settings): ToolSiftOptions {
  const { profile, preDiscovered, contextWindow, searchesPerMinute } = settings;
  const { deferral, disclosure, stubWhen, reveal, unrevealedCall } = settings;
  const { ranker, grammar, universe, cutoff, hits, maxHits } = settings;
  const activation = activationOf(settings);
  const search: SearchSettings = {
    ...(ranker && { ranker }),
    ...(grammar && { grammar }),
    ...(universe && { universe }),
    ...(cutoff && { cutoff }),
    ...(hits !== null && { hits }),
    ...(maxHits !== null && { maxHits }),
  };
  return {
    profile,
    ...(activation !== null && { activation }),
    ...(deferral && { deferral }),
    ...(disclosure && { disclosure }),
    ...(stubWhen && { stubWhen }),
    ...(reveal && { reveal }),
    ...(unrevealedCall && { unrevealedCall }),
    ...(preDiscovered.length > 0 && { preDiscovered }),
    ...(Object.keys(search).length > 0 && { search }),
    ...(searchesPerMinute !== null && { searchesPerMinute }),
    ...(contextWindow !== null && { contextWindow }),
  };
}

function activationOf(settings: Settings): Activation | null {
  switch (settings.activation) {
    case "profile":
      return null;
    case "tools":
      return { tools: settings.fromTools };
    case "share":
      return { contextShare: settings.fromPercent / 100 };
    default:
      return settings.activation;
  }
}
