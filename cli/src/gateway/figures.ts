/** Counters of what gateways did, which outlive the process and are added up over all processes of the user. */

import { join } from "node:path";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { withLock } from "../base/lock.js";

/** How a search ended: with tools, with tools that may not fit, or without any. */
export type SearchOutcome = "found" | "doubtful" | "empty";

/** The counts since `since`. */
export interface FigureTotals {
  since: string;
  /**
   * Answers to `tools/list`, and by how many tokens they were smaller than the tools of all servers: without the parts of their
   * schemas that no parameter reaches, and as the servers send them.
   */
  lists: number;
  tokensSaved: number;
  tokensSavedOfSent: number;
  /** Searches by their outcome, and how many of them were followed by a call of a tool that was found. */
  searches: Record<SearchOutcome | "followed", number>;
  /** The tools that were called, with the milliseconds of all calls; calls of further tools are counted under empty names. */
  tools: { server: string; tool: string; calls: number; failed: number; ms: number }[];
  /** Errors by their kind, such as `server_down`; further kinds are counted as `other`. */
  errors: { kind: string; count: number }[];
}

/** Figures to add. What is missing is 0. */
export type MoreFigures = Partial<Omit<FigureTotals, "since" | "searches">> & {
  searches?: Partial<FigureTotals["searches"]>;
};

export interface Figures {
  /** Adds figures. It costs no time: the file is written in the background, at most every five seconds. */
  add(more: MoreFigures): void;
  /** Writes what was added. A process that ends without it loses the last seconds. Never throws. */
  close(): Promise<void>;
}

/** Milliseconds after which counts are added to the file. */
const WRITE_MS = 5000;
/** At most so many tools and kinds of errors are counted apart. */
const MAX_TOOLS = 1000;
const MAX_KINDS = 100;
/** Names are cut to this length. */
const MAX_NAME = 200;

/** The file of all figures. */
const figuresFile = (): string => join(home(), "figures.json");

/** Opens the counters. */
export function openFigures(file = figuresFile()): Figures {
  let waiting: FigureTotals | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = undefined;
    if (batch === undefined) return writing;
    const write = async () => {
      const totals = await readFigures(file);
      addUp(totals, batch);
      await writePrivately(file, JSON.stringify(totals));
    };
    // A disk that cannot be written costs the counters alone.
    return (writing = writing.then(() => withLock(file, write)).catch(() => {}));
  };
  return {
    add(more) {
      waiting ??= noFigures();
      addUp(waiting, more);
      timer ??= setTimeout(flush, WRITE_MS).unref();
    },
    close: flush,
  };
}

/** The figures of all processes; new ones where there are none or the file is damaged. */
export async function readFigures(file = figuresFile()): Promise<FigureTotals> {
  try {
    const kept = JSON.parse((await readIfThere(file)) ?? "null") as FigureTotals | null;
    const totals = noFigures();
    if (kept !== null) {
      addUp(totals, kept);
      totals.since = new Date(kept.since).toISOString();
    }
    return totals;
  } catch {
    return noFigures();
  }
}

/** Starts all counters again. @throws what the file system throws */
export async function resetFigures(file = figuresFile()): Promise<void> {
  await withLock(file, () => writePrivately(file, JSON.stringify(noFigures())));
}

function noFigures(): FigureTotals {
  const searches = { found: 0, doubtful: 0, empty: 0, followed: 0 };
  const since = new Date().toISOString();
  return { since, lists: 0, tokensSaved: 0, tokensSavedOfSent: 0, searches, tools: [], errors: [] };
}

/** Adds figures to totals. @throws where they are not figures */
function addUp(totals: FigureTotals, { searches = {}, tools = [], errors = [], ...more }: MoreFigures): void {
  for (const key of ["lists", "tokensSaved", "tokensSavedOfSent"] as const) totals[key] += amount(more[key]);
  for (const key of ["found", "doubtful", "empty", "followed"] as const) totals.searches[key] += amount(searches[key]);
  for (const { server, tool, calls, failed, ms } of tools) {
    const names = { server: server.slice(0, MAX_NAME), tool: tool.slice(0, MAX_NAME) };
    const row = rowOf(totals.tools, MAX_TOOLS, names, { server: "", tool: "" }, { calls: 0, failed: 0, ms: 0 });
    row.calls += amount(calls);
    row.failed += amount(failed);
    row.ms += amount(ms);
  }
  for (const { kind, count } of errors) {
    const row = rowOf(totals.errors, MAX_KINDS, { kind: kind.slice(0, MAX_NAME) }, { kind: "other" }, { count: 0 });
    row.count += amount(count);
  }
}

/** The row with these names. If there are `most` rows without it, the row of all others. */
function rowOf<Names extends object, Counts extends object>(
  rows: (Names & Counts)[],
  most: number,
  names: Names,
  others: Names,
  none: Counts,
): Names & Counts {
  const find = (wanted: Names) =>
    rows.find((row) => Object.entries(wanted).every(([key, name]) => row[key as keyof Names] === name));
  const known = find(names) ?? (rows.length < most ? undefined : find(others));
  if (known !== undefined) return known;
  const row = { ...(rows.length < most ? names : others), ...none };
  rows.push(row);
  return row;
}

/** A number that can be counted; 0 for anything else. Tokens saved may be negative. */
const amount = (value: number | undefined): number => (Number.isFinite(value) ? Math.round(value!) : 0);
