/**
 * The words that led to tools, with how often and in how many sessions. Everything is bounded, and counts half after the
 * half-life. A session is counted once for a word: one that repeats itself a thousand times says no more than one.
 */

import { Recent } from "../../recent.js";

/** Sessions that are counted for one word. A larger count changes no decision. */
export const MOST_SESSIONS = 8;
/** What a search is worth that did not show the tool, so that somebody had to search again: its words are what is missing. */
const MISSED_WORTH = 2;
/** Words and phrases from which on a search is a story, in which each of them says the less the more there are. */
const LONG = 16;
/** The weight of one session after two half-lives; a smaller weight is forgotten. */
const FORGOTTEN = 0.25;

export const HOUR_MS = 3_600_000;

/** A tool by its server and its name. */
export interface ToolName {
  server: string | null;
  name: string;
}

/** The evidence for a word or phrase with one tool. */
export interface Term {
  /** As it was written first. */
  text: string;
  weight: number;
  /** Sixteen bits of the hash of each session that searched with it: many ids have the same. */
  sessions: number[];
  /** Those of them whose search did not show the tool. */
  missed: number[];
}

/** The evidence of one tool. All weights hold for the hour `at`. */
export interface ToolEvidence extends ToolName {
  /** The searches that led to it; one that did not show it counts twice. */
  weight: number;
  /** In hours since 1970. */
  at: number;
  /** By what the forms of a word have in common. */
  terms: Map<string, Term>;
}

/** The words of a search that led to a call. */
export interface Lesson {
  /** The tool's terms, by their keys, as they were written. */
  terms: Iterable<readonly [string, string]>;
  /** How many terms the whole search had. */
  size: number;
  /** Sixteen bits of the session's id. */
  session: number;
  /** Whether the search did not show the tool. */
  missed: boolean;
}

/** How much is kept, and for how long. */
export interface Bounds {
  maxTools: number;
  maxTermsPerTool: number;
  halfLifeMs: number;
}

/** The key of a tool. */
export const keyOf = ({ server, name }: ToolName): string => JSON.stringify([server, name]);

/** 32 bits of a text (FNV-1a). */
export function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  return bits >>> 0;
}

/** Sixteen bits of a session's id: enough to tell a few sessions apart, and too little to tell which. */
export function fingerprint(id: string): number {
  const bits = hash(id);
  return (bits >>> 16) ^ (bits & 0xffff);
}

/** The evidence of all tools: weights of words, which fade. */
export class Evidence {
  readonly tools: Recent<string, ToolEvidence>;
  readonly #bounds: Bounds;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.tools = new Recent(bounds.maxTools);
  }

  /** Takes what a search has taught of a tool. */
  learn(tool: ToolName, { terms, size, session, missed }: Lesson, now: number): void {
    const evidence = this.#of(tool, hourOf(now));
    const worth = (missed ? MISSED_WORTH : 1) * Math.min(1, LONG / size);
    evidence.weight += worth;
    for (const [key, text] of terms) {
      const term = evidence.terms.get(key) ?? { text, weight: 0, sessions: [], missed: [] };
      term.weight += worth;
      note(term.sessions, session);
      if (missed) note(term.missed, session);
      evidence.terms.set(key, term);
    }
    this.#boundTerms(evidence);
  }

  /** Adds what another process has learned, or an earlier one. */
  add({ server, name, weight, at, terms }: ToolEvidence, now: number): void {
    // A clock that was ahead must not make its words last.
    const hour = Math.min(at, hourOf(now));
    const evidence = this.#of({ server, name }, hourOf(now));
    const left = this.#left(evidence.at - hour);
    evidence.weight += weight * left;
    for (const [key, theirs] of terms) {
      const term = evidence.terms.get(key) ?? { text: theirs.text, weight: 0, sessions: [], missed: [] };
      term.weight += theirs.weight * left;
      for (const session of theirs.sessions) note(term.sessions, session);
      for (const session of theirs.missed) note(term.missed, session);
      evidence.terms.set(key, term);
    }
    this.#boundTerms(evidence);
  }

  /** The server of the only tool of that name; null where there are several, or none. */
  serverOf(name: string): string | null {
    const [one, other] = [...this.tools.values()].filter((tool) => tool.name === name);
    return other === undefined ? (one?.server ?? null) : null;
  }

  /** Brings every weight to the present, and forgets what has faded away. */
  fade(now: number): void {
    for (const [key, evidence] of this.tools) {
      this.#bring(evidence, hourOf(now));
      for (const [term, { weight }] of evidence.terms) if (weight < FORGOTTEN) evidence.terms.delete(term);
      if (evidence.terms.size === 0 && evidence.weight < FORGOTTEN) this.tools.delete(key);
    }
  }

  /** The evidence of a tool with the weights of this hour, as the one that was used last. */
  #of(tool: ToolName, hour: number): ToolEvidence {
    const key = keyOf(tool);
    const { server, name } = tool;
    const evidence = this.tools.get(key) ?? { server, name, weight: 0, at: hour, terms: new Map<string, Term>() };
    this.#bring(evidence, hour);
    this.tools.set(key, evidence);
    return evidence;
  }

  #left(hours: number): number {
    return 2 ** -((Math.max(0, hours) * HOUR_MS) / this.#bounds.halfLifeMs);
  }

  /** A clock that goes back changes nothing. */
  #bring(evidence: ToolEvidence, hour: number): void {
    if (hour <= evidence.at) return;
    const left = this.#left(hour - evidence.at);
    evidence.at = hour;
    evidence.weight *= left;
    for (const term of evidence.terms.values()) term.weight *= left;
  }

  /** The least weight goes first; where two weigh the same, the older one. */
  #boundTerms({ terms }: ToolEvidence): void {
    const over = terms.size - this.#bounds.maxTermsPerTool;
    if (over <= 0) return;
    const sorted = [...terms].sort(([, a], [, b]) => a.weight - b.weight);
    for (const [key] of sorted.slice(0, over)) terms.delete(key);
  }
}

const hourOf = (now: number): number => Math.floor(now / HOUR_MS);

/** Remembers a session, as long as there are few. */
function note(sessions: number[], session: number): void {
  if (sessions.length < MOST_SESSIONS && !sessions.includes(session)) sessions.push(session);
}
