/**
 * Selects the words that are worth a person's time: those that a tool's definition lacks, that led to it in several sessions,
 * and that stand there more often than chance and its siblings explain.
 */

import { type Evidence, keyOf, type Term, type ToolEvidence, type ToolName } from "./evidence.js";
import { stem } from "./stem.js";
import type { LearnedEvidence } from "./types.js";

/**
 * How surprising it must be that a word stands in so many searches for a tool, if it stood there as often as in searches for
 * others: chance brings it about once in e^4, or 55 times. At 6, half of what five labelled sets gain is lost.
 */
const SURPRISE = 4;
/** Searches for other tools that are assumed where few are known, and those of them that have the word. */
const ASSUMED = { searches: 20, having: 0.5 };
/** The share of a word's support that must be left after it has faded. */
const LEFT = 0.5;

/** A tool with the text of its definition. */
export interface Defined extends ToolName {
  text: string;
}

/** How many words of a tool are selected, and from which support on. */
export interface Choice {
  minSupport: number;
  maxKeywords: number;
}

/** The evidence for a word with several tools together. */
interface Shared {
  weight: number;
  tools: number;
}

/** Selects from every word of every tool. */
export class Selection {
  readonly #evidence: Evidence;
  /** Over all tools, and over those of each server. */
  readonly #all = new Searches();
  readonly #servers = new Map<string | null, Searches>();

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
    for (const tool of evidence.tools.values()) {
      const server = this.#servers.get(tool.server) ?? new Searches();
      this.#servers.set(tool.server, server);
      for (const searches of [this.#all, server]) searches.add(tool);
    }
  }

  /** The best words of a tool, with what speaks for each. */
  of(tool: Defined, { minSupport, maxKeywords }: Choice): LearnedEvidence[] {
    const evidence = this.#evidence.tools.get(keyOf(tool));
    if (evidence === undefined) return [];
    const known = wordsOf(tool.text);
    const scored: { score: number; found: LearnedEvidence }[] = [];
    for (const [key, term] of evidence.terms) {
      if (term.sessions.length < minSupport || term.weight < LEFT * minSupport) continue;
      if (key.split(" ").every((word) => known.has(word))) continue;
      const score = this.#surprise(key, term, evidence);
      if (score < SURPRISE) continue;
      const { tools } = this.#all.of(key);
      const { text, weight, sessions, missed } = term;
      const rounded = Math.round(weight * 100) / 100;
      const found = { keyword: text, sessions: sessions.length, missed: missed.length, weight: rounded, tools };
      scored.push({ score, found });
    }
    scored.sort((a, b) => b.score - a.score || (a.found.keyword < b.found.keyword ? -1 : 1));
    return scored.slice(0, maxKeywords).map(({ found }) => found);
  }

  /**
   * Tools of one server are confused most, so a word must tell a tool from its siblings, too. Without this, one of five
   * labelled sets lost first places.
   */
  #surprise(key: string, term: Term, tool: ToolEvidence): number {
    const siblings = this.#servers.get(tool.server) ?? this.#all;
    return Math.min(this.#all.surprise(key, term, tool), siblings.surprise(key, term, tool));
  }
}

/** The searches for some tools, and how many of them have each word. */
class Searches {
  #weight = 0;
  readonly #words = new Map<string, Shared>();

  add({ weight, terms }: ToolEvidence): void {
    this.#weight += weight;
    for (const [key, term] of terms) {
      const word = this.#words.get(key) ?? { weight: 0, tools: 0 };
      word.weight += term.weight;
      word.tools += 1;
      this.#words.set(key, word);
    }
  }

  of(key: string): Shared {
    return this.#words.get(key) ?? { weight: 0, tools: 0 };
  }

  /** How surprising a word is with a tool: the logarithm of Chernoff's bound on a Poisson variable. */
  surprise(key: string, { weight }: Term, tool: ToolEvidence): number {
    // Sums of weights that have faded differ in the last digits.
    const having = Math.max(0, this.of(key).weight - weight) + ASSUMED.having;
    const searches = Math.max(0, this.#weight - tool.weight) + ASSUMED.searches;
    const expected = (tool.weight * having) / searches;
    return weight <= expected ? 0 : weight * Math.log(weight / expected) - (weight - expected);
  }
}

/** The words of a definition, by what their forms have in common. */
function wordsOf(text: string): Set<string> {
  const parts = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  return new Set((parts.match(/[\p{L}\p{M}]+/gu) ?? []).map(stem));
}
