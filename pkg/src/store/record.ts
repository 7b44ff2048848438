/** Writes the state of a session as one JSON text with a version, and reads complete texts only. */

import type { Reveal, State } from "./state.js";

/** The version that this code writes and reads. */
const VERSION = 1;
/** The most reveals of one record: as many as the core accepts in a snapshot. */
export const REVEALS = 20_000;
/** The most characters of one record: enough for that many reveals with servers and names of ordinary length. */
export const CHARS = 4_194_304;
/** The greatest place, so that numbers stay exact, whatever a record says. */
const COUNT = 2 ** 48;

/** A record that was read. */
export interface StoredRecord {
  state: State;
  /** In milliseconds; infinite for a session that never expires. */
  expires: number;
}

/** The text of a record. */
export function written(id: string, state: State, expires: number): string {
  return JSON.stringify({
    toolsift: "session",
    version: VERSION,
    id,
    expires: Number.isFinite(expires) ? expires : null,
    turn: count(state.turn),
    ...(state.scoped && { scoped: true }),
    revealed: [...state.revealed].map(([dot, { server, name, at, used }]) => {
      return { dot, at: count(at), server, name, used: count(used) };
    }),
    concealed: [...state.concealed].map(([dot, at]) => ({ dot, at: count(at) })),
  });
}

/** A number that follows the greatest one of a record must be readable too. */
function count(value: number): number {
  return Math.min(value, COUNT);
}

/** How every record begins. */
const START = '{"toolsift":"session","version":';
/** Why a text is no record: only its beginning was written. The write is still going on, or its process was killed. */
export const TORN = "only its beginning was written";

/** Reads what a store answered: what was written, as text or already as the value that it says, or why it is not that. */
export function readRecord(id: string, answered: unknown): StoredRecord | string {
  let text = "";
  try {
    text = typeof answered === "string" ? answered : JSON.stringify(answered);
    if (text.length > CHARS) return `it has ${text.length} characters, more than ${CHARS}`;
    return read(id, JSON.parse(text));
  } catch {
    return typeof answered === "string" && isTorn(text) ? TORN : "it is no JSON";
  }
}

/** Whether a text that is no JSON is the beginning of a record. A file system may also leave nothing, or zero bytes. */
function isTorn(text: string): boolean {
  return text.startsWith(START) || START.startsWith(text) || /^\0*$/.test(text);
}

function read(id: string, value: unknown): StoredRecord | string {
  const {
    toolsift,
    version,
    id: of,
    expires,
    turn,
    scoped = false,
    revealed,
    concealed,
  } = (value ?? {}) as Record<string, unknown>;
  if (toolsift !== "session") return "it is no record of a session";
  if (version !== VERSION) return `it has version ${JSON.stringify(version)?.slice(0, 20)}; this toolsift reads ${VERSION}`;
  if (of !== id) return "it is of another session";
  if (expires !== null && !isCount(expires)) return "its expiry is no time";
  if (!isCount(turn)) return "its turn is no count";
  if (typeof scoped !== "boolean") return "it does not say whether it had a scope";
  if (!isList(revealed) || !isList(concealed)) return `it holds no lists of at most ${REVEALS} reveals and conceals`;
  const reveals = new Map<string, Reveal>();
  for (const one of revealed) {
    const { dot, at, server, name, used = 0 } = (one ?? {}) as Record<string, unknown>;
    const isTool = (server === null || typeof server === "string") && typeof name === "string";
    if (!isTool || !isDot(dot) || !isCount(at) || !isCount(used)) return "one of its reveals is broken";
    reveals.set(dot, { server, name, at, used });
  }
  const conceals = new Map<string, number>();
  for (const one of concealed) {
    const { dot, at } = (one ?? {}) as Record<string, unknown>;
    if (!isDot(dot) || !isCount(at)) return "one of its conceals is broken";
    conceals.set(dot, at);
  }
  return { state: { turn, scoped, revealed: reveals, concealed: conceals }, expires: expires ?? Infinity };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= COUNT;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length <= REVEALS;
}

function isDot(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{12}\.[0-9a-z]{1,11}$/.test(value);
}
