/** Usage counters of all gateways of the user, summed in one file that stays after a gateway ends. */

import { join } from "node:path";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { withLock } from "../base/lock.js";

/** The result of a search: it showed tools, found only doubtful tools, or found none. */
export type SearchOutcome = "found" | "doubtful" | "empty";

/** The counts since a time. */
export interface FigureTotals {
  /** The start of the counting, as an ISO date. */
  since: string;
  /** The number of answers to `tools/list`. */
  lists: number;
  /** The tokens saved in total. The baseline is all definitions without unused parts of schemas. */
  tokensSaved: number;
  /** The tokens saved in total. The baseline is all definitions as the servers send them. */
  tokensSavedOfSent: number;
  /** Searches by result. `followed` counts those after which the client called a tool that the search found. */
  searches: Record<SearchOutcome | "followed", number>;
  /** The called tools, with the total time of their calls in ms. After `MAX_TOOLS` tools, all others are one row with empty names. */
  tools: { server: string; tool: string; calls: number; failed: number; ms: number }[];
  /** Errors by kind, such as `server_down`. After `MAX_KINDS` kinds, all others are counted as `other`. */
  errors: { kind: string; count: number }[];
}

/** Counts to add. A missing count is 0. */
export type MoreFigures = Partial<Omit<FigureTotals, "since" | "searches">> & {
  searches?: Partial<FigureTotals["searches"]>;
};

export interface Figures {
  /** Adds counts. They are written to the file in the background, at most every five seconds. */
  add(more: MoreFigures): void;
  /** Writes the added counts now. Without this call, the counts of the last seconds are lost. Never throws. */
  close(): Promise<void>;
}

/** The time after which added counts are written to the file, in ms. */
const WRITE_MS = 5000;
/** The most tools and the most kinds of errors with counts of their own. */
const MAX_TOOLS = 1000;
const MAX_KINDS = 100;
/** The longest name, in characters. Longer names are cut. */
const MAX_NAME = 200;

/** Returns the path of the file with the counters. */
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
    // If the file cannot be written, only these counts are lost.
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

/** Returns the counters of all processes, or zero counts if there is no file or it is damaged. */
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

/** Resets all counters to zero. @throws Error if the file cannot be written */
export async function resetFigures(file = figuresFile()): Promise<void> {
  await withLock(file, () => writePrivately(file, JSON.stringify(noFigures())));
}

function noFigures(): FigureTotals {
  const searches = { found: 0, doubtful: 0, empty: 0, followed: 0 };
  const since = new Date().toISOString();
  return { since, lists: 0, tokensSaved: 0, tokensSavedOfSent: 0, searches, tools: [], errors: [] };
}

/** Adds counts to totals. @throws Error if they do not have the form of counts */
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

/** Returns the row with these names, or makes one. If there are `most` rows already, it is the row of all others. */
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

/** Returns a rounded number, or 0 for anything that is not a finite number. Saved tokens may be negative. */
const amount = (value: number | undefined): number => (Number.isFinite(value) ? Math.round(value!) : 0);
