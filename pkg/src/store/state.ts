/**
 * The state of one session in several processes, as a set that can be merged in any order: each reveal has a name of its
 * own, and a conceal takes back only the reveals that its process had seen, so that one made meanwhile stands.
 */

import type { Snapshot, ToolIdentity } from "../types.js";

/** A revealed tool, as a snapshot has it. */
export type Tool = Snapshot["revealed"][number];

/** One reveal of a tool. */
export interface Reveal extends Tool {
  /** Its place: one more than the greatest that its process had seen. */
  at: number;
}

/** The state of a session: each reveal and each conceal under the name of the reveal. */
export interface State {
  /** Requests assembled so far. */
  turn: number;
  /** Whether the session saw less than everything. What it saw is not kept. */
  scoped: boolean;
  revealed: Map<string, Reveal>;
  /** Concealed reveals, each with the time of the conceal, counted like places. */
  concealed: Map<string, number>;
}

/**
 * Conceals that are remembered, the newest, and all that were made together with the oldest of them. The worst that comes
 * of forgetting one is a reveal that is back.
 */
const CONCEALED = 512;
/** As many as can be revealed, in case all of them are concealed at once. */
const CONCEALED_AT_ONCE = 20_000;

/**
 * Reveals of one tool that are remembered: the first, which gives the tool its place, and the newest. More is known where
 * as many processes reveal the same tool at once; forgetting one matters only if another conceals all those that are left.
 */
const REVEALS_OF_ONE = 4;

/** The state of a new session. */
export function nothing(): State {
  return { turn: 0, scoped: false, revealed: new Map(), concealed: new Map() };
}

/** Merges states. The order of the result does not depend on the order of the states. */
export function merge(states: readonly State[]): State {
  const turn = Math.max(0, ...states.map((state) => state.turn));
  const scoped = states.some((state) => state.scoped);
  const concealed = new Map<string, number>();
  for (const [dot, at] of states.flatMap((state) => [...state.concealed])) {
    concealed.set(dot, Math.max(at, concealed.get(dot) ?? 0));
  }
  const revealed = new Map<string, Reveal>();
  for (const [dot, reveal] of states.flatMap((state) => [...state.revealed])) {
    if (!concealed.has(dot)) revealed.set(dot, usedIn(reveal, revealed.get(dot)?.used ?? 0));
  }
  const byAge = [...concealed].sort(([a, x], [b, y]) => y - x || order(b, a));
  const oldest = byAge[CONCEALED - 1]?.[1] ?? 0;
  const newest = byAge
    .filter(([, at]) => at >= oldest)
    .slice(0, CONCEALED_AT_ONCE)
    .reverse();
  const inOrder = [...revealed].sort(([a, x], [b, y]) => x.at - y.at || order(a, b));
  return { turn, scoped, revealed: new Map(fewOfEach(inOrder)), concealed: new Map(newest) };
}

/** The reveals in their order, without those beyond the bound of one tool. */
function fewOfEach(reveals: [string, Reveal][]): [string, Reveal][] {
  const places = new Map<string, number[]>();
  reveals.forEach(([, reveal], place) => {
    const key = keyOf(reveal);
    const ofOne = places.get(key);
    if (ofOne === undefined) places.set(key, [place]);
    else ofOne.push(place);
  });
  const tooMany = new Set([...places.values()].flatMap((ofOne) => ofOne.slice(1, -REVEALS_OF_ONE + 1)));
  return reveals.filter((_, place) => !tooMany.has(place));
}

/** The revealed tools, each at the place of its first reveal. */
export function tools(state: State): Tool[] {
  const found = new Map<string, Tool>();
  for (const { server, name, used } of state.revealed.values()) {
    const tool = { server, name, used };
    found.set(keyOf(tool), usedIn(tool, found.get(keyOf(tool))?.used ?? 0));
  }
  return [...found.values()];
}

/** The state without some tools: conceals those of their reveals that are known here. */
export function without(state: State, gone: ReadonlySet<string>): State {
  const dots = [...state.revealed].filter(([, reveal]) => gone.has(keyOf(reveal))).map(([dot]) => dot);
  const at = next(state);
  return merge([state, { ...nothing(), concealed: new Map(dots.map((dot) => [dot, at])) }]);
}

/** The state with more tools revealed after all others; `dot` makes the name of each reveal. */
export function withTools(state: State, fresh: readonly Tool[], dot: () => string): State {
  const first = next(state);
  const reveals = fresh.map((tool, i): [string, Reveal] => [dot(), { ...tool, at: first + i }]);
  return merge([state, { ...nothing(), revealed: new Map(reveals) }]);
}

/** The state with the session's turn, and the turns in which its tools were used. */
export function withUse(state: State, turn: number, used: readonly Tool[]): State {
  const turns = new Map(used.map((tool) => [keyOf(tool), tool.used]));
  const revealed = [...state.revealed].map(([dot, reveal]): [string, Reveal] => {
    return [dot, usedIn(reveal, turns.get(keyOf(reveal)) ?? 0)];
  });
  return { ...state, turn: Math.max(state.turn, turn), revealed: new Map(revealed) };
}

/** The identity of a tool as one text. */
export function keyOf({ server, name }: ToolIdentity): string {
  return JSON.stringify([server, name]);
}

/** The tool, marked as used in this turn or later. */
function usedIn<T extends Tool>(tool: T, used: number): T {
  return used <= tool.used ? tool : { ...tool, used };
}

/** The place behind all that are known. */
function next(state: State): number {
  let last = 0;
  for (const { at } of state.revealed.values()) last = Math.max(last, at);
  for (const at of state.concealed.values()) last = Math.max(last, at);
  return last + 1;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
