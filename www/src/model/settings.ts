/** The settings on the page: the library's axes, flat and as form fields hold them. */
import type {
  Activation,
  Budget,
  Consent,
  Disclosure,
  Ingredient,
  ProfileInfo,
  ProfileName,
  Ranker,
  Reveal,
  SearchSettings,
  StubWhen,
  ToolSiftOptions,
  UnrevealedCall,
  WireFormat,
} from "toolsift";

export type ActivationMode = "profile" | "on" | "off" | "auto" | "tools" | "tokens" | "share";
export type Grammar = NonNullable<SearchSettings["grammar"]>;
export type Universe = NonNullable<SearchSettings["universe"]>;
/** How tokens are counted: as characters ÷ 4, or by a tokenizer of OpenAI. */
export type TokenCount = "estimate" | "o200k";
export type Cutoff = NonNullable<SearchSettings["cutoff"]>;

/** An empty text, and null, mean: as the profile has it. */
export interface Settings {
  profile: ProfileName;
  activation: ActivationMode;
  /** For `tools`: on from so many. */
  fromTools: number;
  /** For `tokens`: on from so many. */
  fromTokens: number;
  /** For `share`: on from so many per cent of the context window. */
  fromPercent: number;
  deferral: Consent | "";
  disclosure: Disclosure | "";
  stubWhen: StubWhen | "";
  reveal: Reveal | "";
  budgetTools: number | null;
  budgetTokens: number | null;
  unrevealedCall: UnrevealedCall | "";
  ranker: Ranker | "";
  grammar: Grammar | "";
  universe: Universe | "";
  cutoff: Cutoff | "";
  hits: number | null;
  maxHits: number | null;
  /** What the ranker goes without. */
  without: Ingredient[];
  /** Words that mean the same, with commas between them and semicolons between groups. */
  synonyms: string;
  searchesPerMinute: number | null;
  /** Names of tools that every session starts with. */
  preDiscovered: string[];
  /** Tokens; null leaves it unsaid. */
  contextWindow: number | null;
  format: WireFormat;
  tokens: TokenCount;
}

export type SettingKey = keyof Settings;

/** What is said of the host and its model, and so holds for every profile alike. */
export type Surroundings = Pick<Settings, "preDiscovered" | "contextWindow" | "format" | "tokens">;

/** The library's table of profiles, with the one that it takes by itself. The page gets it from the core. */
export interface ProfileTable {
  all: readonly ProfileInfo[];
  byDefault: ProfileName;
}

/** Whose tool search a profile is modelled on. */
export function modelOf(profile: ProfileInfo | undefined, table: ProfileTable): string {
  if (profile === undefined) return "";
  return profile.name === table.byDefault ? "toolsift’s own" : profile.after;
}

export function profileOf(table: ProfileTable, name: ProfileName): ProfileInfo {
  const profile = table.all.find((row) => row.name === name);
  if (!profile) throw new Error(`no profile "${name}"`);
  return profile;
}

/**
 * A profile as the page opens it. The default one decides by itself whether deferring is cheaper, as in the code that the page
 * hands out. Others wait for tools that ask to be deferred, or for more tools: the page tells them not to wait, and so does
 * their code.
 */
export function defaultSettings(table: ProfileTable, name = table.byDefault, around?: Surroundings): Settings {
  const profile = profileOf(table, name);
  const { preDiscovered = [], contextWindow = 200_000, format = "mcp", tokens = "estimate" } = around ?? {};
  return {
    profile: name,
    activation: profile.activation === "on" || profile.activation === "auto" ? "profile" : "on",
    fromTools: 30,
    fromTokens: 4_000,
    fromPercent: 10,
    deferral: profile.deferral === "opt-in" ? "opt-out" : "",
    disclosure: "",
    stubWhen: "",
    reveal: "",
    budgetTools: null,
    budgetTokens: null,
    unrevealedCall: "",
    ranker: "",
    grammar: "",
    universe: "",
    cutoff: "",
    hits: null,
    maxHits: null,
    without: [],
    synonyms: "",
    searchesPerMinute: null,
    preDiscovered,
    contextWindow,
    format,
    tokens,
  };
}

export function optionsOf(settings: Settings): ToolSiftOptions {
  const { profile, preDiscovered, contextWindow, searchesPerMinute } = settings;
  const { deferral, disclosure, stubWhen, reveal, unrevealedCall } = settings;
  const { ranker, grammar, universe, cutoff, hits, maxHits, without, budgetTools, budgetTokens } = settings;
  const activation = activationOf(settings);
  const synonyms = synonymsOf(settings.synonyms);
  const budget: Budget = {
    ...(budgetTools !== null && { tools: budgetTools }),
    ...(budgetTokens !== null && { tokens: budgetTokens }),
  };
  const search: SearchSettings = {
    ...(ranker && { ranker }),
    ...(grammar && { grammar }),
    ...(universe && { universe }),
    ...(cutoff && { cutoff }),
    ...(hits !== null && { hits }),
    ...(maxHits !== null && { maxHits }),
    ...(without.length > 0 && { without }),
  };
  return {
    profile,
    ...(activation !== null && { activation }),
    ...(deferral && { deferral }),
    ...(disclosure && { disclosure }),
    ...(stubWhen && { stubWhen }),
    ...(reveal && { reveal }),
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(synonyms.length > 0 && { synonyms }),
    ...(unrevealedCall && { unrevealedCall }),
    ...(preDiscovered.length > 0 && { preDiscovered }),
    ...(Object.keys(search).length > 0 && { search }),
    ...(searchesPerMinute !== null && { searchesPerMinute }),
    ...(contextWindow !== null && { contextWindow }),
  };
}

/** `invoice, bill; ticket, case` as groups. */
function synonymsOf(text: string): string[][] {
  const groups = text.split(";").map((group) =>
    group
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean),
  );
  return groups.filter((group) => group.length > 0);
}

function activationOf(settings: Settings): Activation | null {
  switch (settings.activation) {
    case "profile":
      return null;
    case "tools":
      return { tools: settings.fromTools };
    case "tokens":
      return { tokens: settings.fromTokens };
    case "share":
      return { contextShare: settings.fromPercent / 100 };
    default:
      return settings.activation;
  }
}
