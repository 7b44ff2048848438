/** What each value of each axis is called. */
import type { Consent, Disclosure, Ranker, Reveal, StubWhen, UnrevealedCall } from "toolsift";
import type { ActivationMode, Cutoff, Grammar, Universe } from "./settings.ts";

export const ACTIVATIONS: Record<ActivationMode, string> = {
  profile: "As the profile has it",
  on: "Always on",
  off: "Off: send everything",
  tools: "On from a number of tools",
  share: "On from a share of the window",
};

export const DEFERRALS: Record<Consent, string> = {
  "opt-in": "Sent: only those that ask for it are held back",
  "opt-out": "Held back",
};

export const DISCLOSURES: Record<Disclosure, string> = {
  hidden: "Nothing",
  names: "Names in the prompt",
  sentences: "Names and first sentences in the prompt",
  descriptions: "Names and descriptions in the prompt",
  stubs: "The tool without its parameters",
  "short-stubs": "The tool without its parameters, in a sentence",
  full: "Everything: search is only advice",
};

export const STUB_WHENS: Record<StubWhen, string> = {
  smaller: "Where it is smaller than the parameters",
  always: "Always",
};

export const REVEALS: Record<Reveal, string> = {
  add: "Adding it by name",
  search: "The search that finds it",
  never: "Nothing: answers carry what is needed",
};

export const UNREVEALED_CALLS: Record<UnrevealedCall, string> = {
  refuse: "Refused, with the way to get to it",
  "refuse-with-schema": "Refused, with its schema; loaded",
  run: "Loaded and run",
  allow: "Run",
};

export const RANKERS: Record<Ranker, string> = {
  pattern: "A pattern, else what is similar",
  parts: "Words in parts of names, weighted",
  overlap: "Words inside names and descriptions",
  bm25: "BM25",
};

export const GRAMMARS: Record<Grammar, string> = {
  plain: "As it stands",
  commands: "With select: and +word",
};

export const UNIVERSES: Record<Universe, string> = {
  deferred: "What is held back",
  deferrable: "That, and what is pinned",
  all: "Every tool",
};

export const CUTOFFS: Record<Cutoff, string> = {
  none: "None",
  "half-of-best": "Those below half of the best score",
};
