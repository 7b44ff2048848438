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
  /** Searches by result. `followed` counts those after which the client called a tool that the search found. */
  searches: Record<SearchOutcome | "followed", number>;
  /** The called tools, with the total time of their calls in ms. */
  tools: { server: string; tool: string; calls: number; failed: number; ms: number }[];
  /** Errors by kind, such as `server_down`. */
  errors: { kind: string; count: number }[];
  /** The servers whose last connection failed: the reason, and the time as an ISO date. An empty reason ends a row. */
  servers: { name: string; error: string; at: string }[];
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
/** The most rows of one table. The counts of further tools and kinds of errors are left out. */
const MAX_ROWS = 1000;
/** The longest text, in characters. Longer texts are cut. */
const MAX_TEXT = 1000;

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
  return { since, lists: 0, tokensSaved: 0, searches, tools: [], errors: [], servers: [] };
}

/** Adds counts to totals. @throws Error if they do not have the form of counts */
function addUp(totals: FigureTotals, more: MoreFigures): void {
  const { searches = {}, tools = [], errors = [], servers = [] } = more;
  for (const key of ["lists", "tokensSaved"] as const) totals[key] += amount(more[key]);
  for (const key of ["found", "doubtful", "empty", "followed"] as const) totals.searches[key] += amount(searches[key]);
  for (const { server, tool, calls, failed, ms } of tools) {
    const row = rowOf(totals.tools, { server: text(server), tool: text(tool) }, { calls: 0, failed: 0, ms: 0 });
    row.calls += amount(calls);
    row.failed += amount(failed);
    row.ms += amount(ms);
  }
  for (const { kind, count } of errors) rowOf(totals.errors, { kind: text(kind) }, { count: 0 }).count += amount(count);
  for (const { name, error, at } of servers) {
    Object.assign(rowOf(totals.servers, { name: text(name) }, { error: "", at: "" }), { error: text(error), at: text(at) });
  }
}

/** Returns the row with these names, or adds one, if there is room for it. */
function rowOf<Names extends object, Counts extends object>(rows: (Names & Counts)[], names: Names, none: Counts) {
  const isIt = (row: Names) => Object.entries(names).every(([key, name]) => row[key as keyof Names] === name);
  const row = rows.find(isIt) ?? { ...names, ...none };
  if (!rows.includes(row) && rows.length < MAX_ROWS) rows.push(row);
  return row;
}

const text = (value: string): string => value.slice(0, MAX_TEXT);

/** Returns a rounded number, or 0 for anything that is not a finite number. Saved tokens may be negative. */
const amount = (value: number | undefined): number => (Number.isFinite(value) ? Math.round(value!) : 0);
