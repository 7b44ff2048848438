/** Writes what a learner knows as plain JSON, and reads it back, whoever wrote it. */

import { ToolSiftError } from "../../errors.js";
import { isList, kind, reasonOf } from "../../values.js";
import { MOST_SESSIONS, type Evidence, type Term, type ToolEvidence } from "./evidence.js";
import type { LearnedSnapshot } from "./types.js";

const VERSION = 1;
/** Snapshots that are added up: one of each process. */
const SNAPSHOTS = 1_024;
/** Characters of a snapshot; a learner at its largest writes less. */
const CHARS = 256 * 1024 * 1024;
const TOOLS = 20_000;
const TERMS = 512;
/** As the core bounds names. */
const NAME_CHARS = 256;
/** Larger weights are no counts. */
const WEIGHT = 1e9;
/** Until the year 10,000. */
const HOURS = 70_389_528;
/** A word or two of letters: nothing else is ever learned, and nothing else gets in by a snapshot. */
const TEXT = /^[\p{L}\p{M}]{1,24}(?: [\p{L}\p{M}]{1,24})?$/u;

/** The evidence as plain JSON. */
export function written({ tools }: Evidence): LearnedSnapshot {
  return {
    toolsift: "learned",
    version: VERSION,
    tools: [...tools.values()].map(({ name, server, at, weight, terms }) => ({
      name,
      server,
      hour: at,
      weight: rounded(weight),
      terms: [...terms.values()].map((term) => [term.text, rounded(term.weight), [...term.sessions], [...term.missed]]),
    })),
  };
}

const rounded = (weight: number): number => Math.round(weight * 1_000) / 1_000;

/**
 * What one snapshot or several hold.
 *
 * @param keyOf what the forms of a word have in common
 * @throws ToolSiftError `snapshot_invalid`
 */
export function readSnapshots(value: unknown, keyOf: (text: string) => string): ToolEvidence[] {
  const list = isList(value) ? value : [value];
  if (list.length > SNAPSHOTS) throw invalid(`${list.length} snapshots; at most ${SNAPSHOTS}`);
  return list.flatMap((one) => readSnapshot(one, keyOf));
}

function readSnapshot(value: unknown, keyOf: (text: string) => string): ToolEvidence[] {
  if (typeof value !== "object" || value === null || isList(value))
    throw invalid(`it must be an object, got ${kind(value)}`);
  const text = textOf(value);
  if (text.length > CHARS) throw invalid(`it has ${text.length} characters; at most ${CHARS}`);
  const { toolsift, version, tools } = value as Record<string, unknown>;
  if (toolsift !== "learned") throw invalid(`toolsift is ${shown(toolsift)}; it must be "learned"`);
  if (version !== VERSION) throw invalid(`version is ${shown(version)}; this toolsift reads ${VERSION}`);
  return listOf(tools, "tools", TOOLS).map((tool, at) => readTool(tool, `tools.${at}`, keyOf));
}

function textOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw invalid(`it cannot be written as JSON: ${reasonOf(cause)}`);
  }
}

function readTool(value: unknown, where: string, keyOf: (text: string) => string): ToolEvidence {
  const { name, server = null, hour, weight, terms } = Object(value) as Record<string, unknown>;
  const isName = (one: unknown): one is string => typeof one === "string" && one !== "" && one.length <= NAME_CHARS;
  if (!isName(name)) throw invalid(`${where}.name is ${shown(name)}; it must be a text of at most ${NAME_CHARS} characters`);
  if (server !== null && !isName(server)) {
    throw invalid(`${where}.server is ${shown(server)}; it must be null or a text of at most ${NAME_CHARS} characters`);
  }
  const at = numberOf(hour, `${where}.hour`, HOURS, true);
  const read = new Map<string, Term>();
  for (const [place, term] of listOf(terms, `${where}.terms`, TERMS).entries()) {
    const one = readTerm(term, `${where}.terms.${place}`);
    const key = keyOf(one.text);
    if (read.has(key)) throw invalid(`${where}.terms.${place}: ${shown(one.text)} stands there twice`);
    read.set(key, one);
  }
  return { name, server, at, weight: numberOf(weight, `${where}.weight`, WEIGHT), terms: read };
}

function readTerm(value: unknown, where: string): Term {
  const [text, weight, sessions, missed] = listOf(value, where, 4);
  if (typeof text !== "string" || !TEXT.test(text) || text !== text.toLowerCase()) {
    throw invalid(`${where}.0 is ${shown(text)}; it must be a word or two in small letters`);
  }
  const sessionsOf = (list: unknown, place: string) => {
    const read = listOf(list, place, MOST_SESSIONS).map((one, at) => numberOf(one, `${place}.${at}`, 0xffff, true));
    if (new Set(read).size < read.length) throw invalid(`${place} holds a session twice`);
    return read;
  };
  return {
    text,
    weight: numberOf(weight, `${where}.1`, WEIGHT),
    sessions: sessionsOf(sessions, `${where}.2`),
    missed: sessionsOf(missed, `${where}.3`),
  };
}

function listOf(value: unknown, where: string, most: number): readonly unknown[] {
  if (!isList(value)) throw invalid(`${where} must be a list, got ${kind(value)}`);
  if (value.length > most) throw invalid(`${where} has ${value.length} entries; at most ${most}`);
  return value;
}

function numberOf(value: unknown, where: string, most: number, isWhole = false): number {
  if (typeof value === "number" && value >= 0 && value <= most && (!isWhole || Number.isInteger(value))) return value;
  throw invalid(`${where} is ${shown(value)}; it must be a ${isWhole ? "whole " : ""}number from 0 to ${most}`);
}

/** What JSON held, for a message. */
const shown = (value: unknown): string => (JSON.stringify(value) ?? "missing").slice(0, 80);

function invalid(why: string): ToolSiftError {
  return new ToolSiftError("snapshot_invalid", `the snapshot of what was learned cannot be read: ${why}`);
}
