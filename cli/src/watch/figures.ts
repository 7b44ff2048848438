/** Counters of what gateways did, which outlive the process and are added up over all processes of the user. */

import { join } from "node:path";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { withLock } from "../base/lock.js";

/** How a search ended: with tools, with tools that may not fit, or without any. */
export type SearchOutcome = "found" | "doubtful" | "empty";

/** The counters of one tool. */
export interface ToolFigures {
  server: string;
  tool: string;
  calls: number;
  failed: number;
  /** The time of all calls. */
  ms: number;
}

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
  searches: { found: number; doubtful: number; empty: number; followed: number };
  /** The tools that were called; calls of further tools are counted under empty names. */
  tools: ToolFigures[];
  /** Errors by their kind, such as `server_down`; further kinds are counted as `other`. */
  errors: { kind: string; count: number }[];
}

export interface Figures {
  /** Counts an answer to `tools/list`. */
  listed(tokensSaved: number, tokensSavedOfSent: number): void;
  searched(outcome: SearchOutcome): void;
  /** Counts that a found tool was called. */
  followed(): void;
  called(server: string, tool: string, result: { failed: boolean; ms: number }): void;
  error(kind: string): void;
  /** Adds what was counted to the file now. Never throws. */
  flush(): Promise<void>;
  /** Flushes, and counts nothing afterwards. A process that ends without it loses the last seconds. */
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
export const figuresFile = (): string => join(home(), "figures.json");

/** Opens the counters. Counting costs no time; the file is written in the background, at most every five seconds. */
export function openFigures({ file = figuresFile() }: { file?: string } = {}): Figures {
  let counted = noFigures();
  let isEmpty = true;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function count(add: (totals: FigureTotals) => void): void {
    if (closed) return;
    add(counted);
    isEmpty = false;
    timer ??= setTimeout(() => void flush(), WRITE_MS).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(async () => {
      if (isEmpty) return;
      const batch = counted;
      counted = noFigures();
      isEmpty = true;
      try {
        await withLock(file, async () => {
          const totals = await readFigures(file);
          addUp(totals, batch);
          await writePrivately(file, JSON.stringify(totals));
        });
      } catch {
        // Counted again with the next write.
        addUp(batch, counted);
        counted = batch;
        isEmpty = false;
      }
    });
    return writing;
  }

  return {
    listed: (tokensSaved, tokensSavedOfSent) =>
      count((totals) => {
        totals.lists += 1;
        totals.tokensSaved += amount(tokensSaved);
        totals.tokensSavedOfSent += amount(tokensSavedOfSent);
      }),
    searched: (outcome) => count(({ searches }) => void (searches[outcome] += 1)),
    followed: () => count(({ searches }) => void (searches.followed += 1)),
    called: (server, tool, { failed, ms }) =>
      count((totals) => addTool(totals, { server, tool, calls: 1, failed: failed ? 1 : 0, ms: amount(ms) })),
    error: (kind) => count((totals) => addError(totals, kind, 1)),
    flush,
    async close() {
      closed = true;
      await flush();
    },
  };
}

/** The figures of all processes; new ones where there are none or the file is damaged. */
export async function readFigures(file = figuresFile()): Promise<FigureTotals> {
  const totals = noFigures();
  try {
    const kept = JSON.parse((await readIfThere(file)) ?? "null") as FigureTotals | null;
    if (kept === null) return totals;
    addUp(totals, kept);
    totals.since = new Date(kept.since).toISOString();
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
  return {
    since: new Date().toISOString(),
    lists: 0,
    tokensSaved: 0,
    tokensSavedOfSent: 0,
    searches,
    tools: [],
    errors: [],
  };
}

/** Adds figures to totals. @throws where they are not figures */
function addUp(totals: FigureTotals, more: FigureTotals): void {
  totals.lists += amount(more.lists);
  totals.tokensSaved += amount(more.tokensSaved);
  // A file of an earlier version has one number.
  totals.tokensSavedOfSent += amount(more.tokensSavedOfSent ?? more.tokensSaved);
  for (const outcome of ["found", "doubtful", "empty", "followed"] as const) {
    totals.searches[outcome] += amount(more.searches[outcome]);
  }
  for (const one of more.tools) addTool(totals, one);
  for (const { kind, count } of more.errors) addError(totals, kind, count);
}

function addTool({ tools }: FigureTotals, { server, tool, calls, failed, ms }: ToolFigures): void {
  const [from, name] = [server.slice(0, MAX_NAME), tool.slice(0, MAX_NAME)];
  const rowOf = (server: string, tool: string): ToolFigures | undefined =>
    tools.find((one) => one.tool === tool && one.server === server);
  const added = (server: string, tool: string): ToolFigures => {
    tools.push({ server, tool, calls: 0, failed: 0, ms: 0 });
    return tools.at(-1)!;
  };
  const row = rowOf(from, name) ?? (tools.length < MAX_TOOLS ? added(from, name) : (rowOf("", "") ?? added("", "")));
  row.calls += amount(calls);
  row.failed += amount(failed);
  row.ms += amount(ms);
}

function addError({ errors }: FigureTotals, kind: string, count: number): void {
  const name = kind.slice(0, MAX_NAME);
  const rowOf = (kind: string): { kind: string; count: number } | undefined => errors.find((one) => one.kind === kind);
  const added = (kind: string): { kind: string; count: number } => {
    errors.push({ kind, count: 0 });
    return errors.at(-1)!;
  };
  const row = rowOf(name) ?? (errors.length < MAX_KINDS ? added(name) : (rowOf("other") ?? added("other")));
  row.count += amount(count);
}

/** A number that can be counted; 0 for anything else. Tokens saved may be negative. */
const amount = (value: number): number => (Number.isFinite(value) ? Math.round(value) : 0);
