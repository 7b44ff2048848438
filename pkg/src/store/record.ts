/**
 * A record: what one process knew of a session when it wrote it, as one JSON text. Records are joined as sets of tools, in the
 * order of their names, so that every process that reads the same records has the same reveals in the same order.
 */

import type { Snapshot, ToolIdentity } from "../types/index.js";
import { isRecordName } from "./keys.js";

/** The version that this code writes and reads. */
const VERSION = 1;
/** The most reveals of one record: as many as the core accepts in a snapshot. */
export const REVEALS = 20_000;
/** The most characters of one record: enough for that many reveals with servers and names of ordinary length. */
export const CHARS = 4_194_304;
/** The greatest count, so that numbers stay exact, whatever a record says. */
const COUNT = 2 ** 48;

/** A revealed tool, as a snapshot has it. */
export type Tool = Snapshot["revealed"][number];

/** What is known of a session. */
export interface State {
  /** Requests assembled so far. */
  turn: number;
  /** Whether the session saw less than everything. What it saw is not kept. */
  scoped: boolean;
  revealed: Tool[];
}

/** A state as a record has it. */
export interface StoredRecord extends State {
  /** The names of the records whose content this one has: they count no more, also while they are still there. */
  replaces: string[];
  /** In milliseconds; infinite for a session that never expires. */
  expires: number;
}

/** The identity of a tool as one text. */
export function keyOf({ server, name, skill }: ToolIdentity & { skill?: true }): string {
  return JSON.stringify([server, name, skill]);
}

/** All tools of some states, each at its first place, with the latest turns and uses. */
export function union(states: readonly State[]): State {
  const found = new Map<string, Tool>();
  for (const tool of states.flatMap(({ revealed }) => revealed)) {
    const known = found.get(keyOf(tool));
    found.set(keyOf(tool), { ...tool, used: Math.max(tool.used, known?.used ?? 0) });
  }
  const turn = Math.max(0, ...states.map((state) => state.turn));
  return { turn, scoped: states.some(({ scoped }) => scoped), revealed: [...found.values()] };
}

/**
 * Earlier reveals that count no more: they were concealed since, or revealed anew behind others. Reveals are only ever
 * appended, so that whatever stands behind the first change is new.
 */
export function goneOf(before: readonly Tool[], now: readonly Tool[]): Set<string> {
  const places = before.map(keyOf);
  const gone = new Set(places);
  let last = -1;
  for (const key of now.map(keyOf)) {
    last = places.indexOf(key, last + 1);
    if (last < 0) break;
    gone.delete(key);
  }
  return gone;
}

/** The text of a record. */
export function written(id: string, { turn, scoped, revealed, replaces, expires }: StoredRecord): string {
  return JSON.stringify({
    toolsift: "session",
    version: VERSION,
    id,
    expires: Number.isFinite(expires) ? expires : null,
    turn: count(turn),
    ...(scoped && { scoped: true }),
    replaces,
    revealed: revealed.map((tool) => ({ ...tool, used: count(tool.used) })),
  });
}

/** A number that others have to read. */
function count(value: number): number {
  return Math.min(value, COUNT);
}

const START = '{"toolsift":"session","version":';
/** Why a text is no record: only its beginning was written. The write is still going on, or its process was killed. */
export const TORN = "only its beginning was written";

/** Reads what a store answered: what was written, as text or already as the value that it says, or why it is not that. */
export function readRecord(id: string, answered: unknown): StoredRecord | string {
  try {
    const text = typeof answered === "string" ? answered : JSON.stringify(answered);
    if (text.length > CHARS) return `it has ${text.length} characters, more than ${CHARS}`;
    return read(id, JSON.parse(text));
  } catch {
    return typeof answered === "string" && isTorn(answered) ? TORN : "it is no JSON";
  }
}

/** Whether a text that is no JSON is the beginning of a record. A file system may also leave nothing, or zero bytes. */
function isTorn(text: string): boolean {
  return text.startsWith(START) || START.startsWith(text) || /^\0*$/.test(text);
}

function read(id: string, value: unknown): StoredRecord | string {
  const record = (value ?? {}) as Record<string, unknown>;
  const { toolsift, version, id: of, expires, turn, scoped = false, revealed, replaces = [] } = record;
  if (toolsift !== "session") return "it is no record of a session";
  if (version !== VERSION) return `it has version ${JSON.stringify(version)?.slice(0, 20)}; this toolsift reads ${VERSION}`;
  if (of !== id) return "it is of another session";
  if (expires !== null && !isCount(expires)) return "its expiry is no time";
  if (!isCount(turn)) return "its turn is no count";
  if (typeof scoped !== "boolean") return "it does not say whether it had a scope";
  if (!Array.isArray(revealed) || revealed.length > REVEALS) return `it holds no list of at most ${REVEALS} reveals`;
  if (!Array.isArray(replaces) || !replaces.every(isRecordName)) return "it does not say which records it replaces";
  const tools: Tool[] = [];
  for (const one of revealed) {
    const { server, name, used = 0, skill, ahead } = (one ?? {}) as Record<string, unknown>;
    const isTool = (server === null || typeof server === "string") && typeof name === "string";
    if (!isTool || !isCount(used)) return "one of its reveals is broken";
    tools.push({ server, name, used, ...(skill === true && { skill }), ...(ahead === true && { ahead }) });
  }
  return { turn, scoped, revealed: tools, replaces, expires: expires ?? Infinity };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= COUNT;
}
