/** What each setting, and each value of it, is called. */
import type {
  Confidence,
  Consent,
  Disclosure,
  How,
  Ingredient,
  Ranker,
  Reveal,
  SearchedField,
  StubWhen,
  UnrevealedCall,
} from "toolsift";
import type { ActivationMode, Cutoff, Grammar, SettingKey, TokenCount, Universe } from "./settings.ts";

/** What every comparison is with. */
export const IN_FULL = "all tools in full";

/** What each setting of the form is called. */
export const SETTINGS = {
  activation: "Tool search is",
  fromTools: "From how many tools",
  fromTokens: "From how many tokens",
  fromPercent: "From how many per cent",
  deferral: "Tools that do not say whether to be deferred are",
  disclosure: "What the model sees of a deferred tool",
  stubWhen: "The parameters are left out",
  reveal: "What reveals a tool",
  budgetTools: "Tools that one search reveals",
  budgetTokens: "Tokens of their definitions",
  unrevealedCall: "A call to a deferred tool is",
  searchesPerMinute: "Searches a minute, 0 for any number",
  preDiscovered: "Pinned: every session starts with",
  contextWindow: "Context window of the model, in tokens",
  ranker: "Tools are found by",
  grammar: "A query is read",
  universe: "What is searched",
  cutoff: "Hits left out",
  hits: "Hits where nobody asks for a number",
  maxHits: "Hits at the most",
  synonyms: "Words that mean the same here",
} satisfies Partial<Record<SettingKey, string>>;

export type NamedSetting = keyof typeof SETTINGS;

export const ACTIVATIONS: Record<ActivationMode, string> = {
  profile: "Profile default",
  on: "Always on",
  off: "Off: send everything",
  auto: "On where that is cheaper",
  tools: "On from a number of tools",
  tokens: "On from a number of tokens",
  share: "On from a share of the window",
};

export const DEFERRALS: Record<Consent, string> = {
  "opt-in": "Eager: only tools that ask for it are deferred",
  "opt-out": "Deferred",
};

export const DISCLOSURES: Record<Disclosure, string> = {
  hidden: "Nothing",
  servers: "Servers in the prompt",
  names: "Names in the prompt",
  auto: "Names in the prompt, or servers where there are too many",
  sentences: "Names and first sentences in the prompt",
  descriptions: "Names and descriptions in the prompt",
  stubs: "The tool without its parameters",
  "short-stubs": "The tool without its parameters, in a sentence",
  full: "Everything: search is only advice",
};

export const STUB_WHENS: Record<StubWhen, string> = {
  smaller: "Where that is smaller",
  always: "Always",
};

export const REVEALS: Record<Reveal, string> = {
  add: "Adding it by name",
  search: "The search that finds it",
  never: "Nothing: answers carry what is needed",
};

export const UNREVEALED_CALLS: Record<UnrevealedCall, string> = {
  refuse: "Refused, with the way to get to it",
  "refuse-with-schema": "Refused, with its schema; revealed",
  run: "Revealed and run",
  allow: "Run",
};

export const RANKERS: Record<Ranker, string> = {
  sift: "Words and what they mean",
  pattern: "A pattern, else what is similar",
  parts: "Words in parts of names, weighted",
  overlap: "Words inside names and descriptions",
  bm25: "BM25",
};

/** A short name of a ranker: `sift` is what a profile is called. */
export function rankerName(ranker: Ranker): string {
  return ranker === "sift" ? "toolsift" : ranker;
}

export const GRAMMARS: Record<Grammar, string> = {
  plain: "As it stands",
  commands: "With select: and +word",
  full: "With select:, +, -, server:, /…/",
};

export const UNIVERSES: Record<Universe, string> = {
  deferred: "Deferred tools",
  deferrable: "Deferred and pinned tools",
  all: "Every tool",
};

export const TOKEN_COUNTS: Record<TokenCount, string> = {
  estimate: "estimated as characters ÷ 4",
  o200k: "counted by o200k, the tokenizer of GPT-4o and later models of OpenAI",
};

export const CUTOFFS: Record<Cutoff, string> = {
  none: "None",
  "half-of-best": "Those below half of the best score",
};

/** What the ranker of that name can go without. */
export const INGREDIENTS: Record<Ingredient, string> = {
  stems: "Forms of words",
  "stop-words": "Passing over words that mean nothing",
  synonyms: "Synonyms",
  relatives: "Words that begin alike",
  repair: "Repair of slips",
  parameters: "Parameters",
  sentences: "Sentences that are like the query",
  coverage: "How much of the query a tool covers",
  names: "Names that the query covers",
  servers: "Servers",
  intents: "Parts of a query",
  identity: "Exact names first",
  effects: "Verbs that contradict",
};

/** How a text of a tool answers a word of the query, or all of it. */
export const HOWS: Record<How, string> = {
  pattern: "matches it",
  "whole-query": "the whole query",
  word: "the same word",
  inside: "holds it",
  similar: "similar",
  stem: "a form of it",
  synonym: "a synonym",
  relative: "begins alike",
  repair: "probably meant",
  covered: "The query covers it",
  server: "The query fits the server",
  intent: "It fits a part of the query by itself",
  host: "The host scored it",
};

export const FIELDS: Record<SearchedField, string> = {
  name: "name",
  server: "server",
  hint: "hint",
  keyword: "keywords",
  query: "what people ask",
  description: "description",
  parameter: "parameters",
  value: "values of a parameter",
  text: "its texts",
};

export const CONFIDENCES: Record<Confidence, { label: string; meaning: string }> = {
  high: { label: "High confidence", meaning: "" },
  low: { label: "Low confidence", meaning: "It is not certain that any of these fits." },
  none: { label: "No confidence", meaning: "Nothing clearly fits." },
};
