/** `toolsift eval`: measures how often a search finds the right tool, with test queries from a file. */

import { Command, Option } from "commander";
import type { ToolSift } from "toolsift";
import { Failure } from "../base/failure.js";
import { oneLine, quoted, shown } from "../output/escape.js";
import { colours, print, printJson } from "../output/print.js";
import { count, counted, percent, table } from "../output/table.js";
import { catalogOf, noSuchTool, toolsNamed } from "../sources/catalog.js";
import { type Line, linesOf } from "../sources/lines.js";
import { standardInput, textOf } from "../sources/files.js";
import { enrichmentOf } from "../sources/enrichment.js";
import { packed, type PackOptions, translated, withPacks } from "../sources/packs.js";
import { readSources, type SourceOptions, withSources } from "../sources/sources.js";
import { limitOption, type RankOptions, rankSettings, share, withRanking } from "./options.js";

interface EvalOptions extends SourceOptions, PackOptions, RankOptions {
  failUnder?: number;
  limit: number;
  json?: true;
}

/** The number of hits of each search. A tool with a lower rank counts as not found. */
const DEPTH = 50;
/** The number of hits that are shown for a miss. */
const INSTEAD = 3;

export function evalCommand(): Command {
  const command = new Command("eval").argument("<lines>", "a file with a query and its tool on each line, or -");
  return withRanking(withPacks(withSources(command)))
    .description("measure how often searches find the right tool, with your own test queries")
    .addOption(new Option("--fail-under <share>", "exit code 1 when recall@5 is lower, such as 0.8").argParser(share))
    .addOption(limitOption("how many misses are shown", 20))
    .addHelpText(
      "after",
      `
Lines:
  open a ticket -> create_issue              also → or a tab in place of ->
  {"query": "open a ticket", "tool": "github:create_issue"}
  A line may name several tools, each of which is right: create_issue | jira_create_issue
  Empty lines and lines that begin with # are not read.

Examples:
  $ toolsift eval queries.txt tools.json
  $ toolsift eval queries.tsv ~/.cursor/mcp.json --fail-under 0.8 --json
  $ toolsift eval queries.txt tools.json --enrichment enrichment.jsonl

A miss is a tool that is not among the first five. With --enrichment, a second row says what the words change.`,
    )
    .action(async (file: string, paths: string[], options: EvalOptions) => {
      const text = file === "-" ? await standardInput() : (await textOf(file)).text;
      const lines = linesOf(text, file === "-" ? "the standard input" : quoted(file));
      const enrichment = await enrichmentOf(options);
      const { lists } = await readSources(paths, options);
      const words = await packed(lists, options);
      const settings = await translated(rankSettings(options), options);
      const plain = evaluate(catalogOf(words, settings), lines);
      const result = enrichment === undefined ? plain : evaluate(catalogOf(words, settings, enrichment), lines);
      const without = enrichment === undefined ? undefined : plain;
      if (options.json) printJson({ ...result, ...(without && { without }) });
      else show(result, without, options.limit);
      if (options.failUnder === undefined || result.recallAt5 >= options.failUnder) return;
      const [reached, wanted] = [percent(result.recallAt5), percent(options.failUnder)];
      throw new Failure(`recall@5 is ${reached}, lower than ${wanted} of --fail-under`);
    });
}

/** A query whose right tools are not among the first five hits. */
interface Miss {
  line: number;
  query: string;
  tools: string[];
  /** The rank of the best right tool, counted from 1; null if none is found. */
  rank: number | null;
  instead: string[];
}

interface Evaluated {
  queries: number;
  recallAt1: number;
  recallAt5: number;
  mrr: number;
  misses: Miss[];
}

function evaluate(sift: ToolSift, lines: readonly Line[]): Evaluated {
  const all = sift.tools();
  const names = new Map(all.map(({ name, originalName }) => [name, originalName]));
  const ranks: (number | null)[] = [];
  const misses: Miss[] = [];
  for (const { line, query, tools } of lines) {
    const right = new Set(
      tools.flatMap((tool) => {
        const named = toolsNamed(all, tool);
        if (named.length === 0) throw new Failure(`line ${line}: ${noSuchTool(sift, tool).message}`);
        return named.map(({ name }) => name);
      }),
    );
    const hits = sift.search(query, { limit: DEPTH }).hits.map(({ name }) => name);
    const at = hits.findIndex((name) => right.has(name));
    const rank = at < 0 ? null : at + 1;
    ranks.push(rank);
    if (rank !== null && rank <= 5) continue;
    const instead = hits.slice(0, INSTEAD).map((name) => names.get(name) ?? name);
    misses.push({ line, query, tools, rank, instead });
  }
  const within = (most: number) => ranks.filter((rank) => rank !== null && rank <= most).length / ranks.length;
  const mrr = ranks.reduce<number>((sum, rank) => sum + (rank === null ? 0 : 1 / rank), 0) / ranks.length;
  return { queries: lines.length, recallAt1: within(1), recallAt5: within(5), mrr, misses };
}

function show(result: Evaluated, without: Evaluated | undefined, limit: number): void {
  const { misses } = result;
  const numbers = ["queries", "recall@1", "recall@5", "MRR"].map((title) => ({ title, isNumber: true }));
  if (without === undefined) print(table(numbers, [cells(result)]));
  else {
    const rows = [
      ["without the file", ...cells(without)],
      ["with the file", ...cells(result)],
    ];
    print(table([{ title: "searched" }, ...numbers], rows));
    print(`\n${moved(without.misses, misses)}`);
  }
  if (misses.length === 0) return print(`\n${colours.green("No misses.")}`);
  print(`\n${counted(misses.length, "miss").replace(/misss$/, "misses")}:`);
  const rows = misses
    .slice(0, limit)
    .map((miss) => [
      String(miss.line),
      oneLine(miss.query, 50),
      oneLine(miss.tools.join(" | "), 50),
      miss.rank === null ? "-" : String(miss.rank),
      miss.instead.map((name) => shown(name, 50)).join(", "),
    ]);
  const texts = [{ title: "query" }, { title: "tool" }];
  const rank = { title: "rank", isNumber: true };
  print(table([{ title: "line", isNumber: true }, ...texts, rank, { title: "found instead" }], rows));
  if (misses.length > limit) print(`… and ${misses.length - limit} more; --limit shows them`);
}

function cells({ queries, recallAt1, recallAt5, mrr }: Evaluated): string[] {
  return [count(queries), percent(recallAt1), percent(recallAt5), mrr.toFixed(3)];
}

/** The most line numbers that are printed for a change. */
const MOST_LINES = 10;

/** Describes the lines that find their tool only with the enrichment, and the lines that find it only without. */
function moved(before: readonly Miss[], after: readonly Miss[]): string {
  const linesOnly = (some: readonly Miss[], others: readonly Miss[]) => {
    const lines = some.map(({ line }) => line).filter((line) => !others.some((other) => other.line === line));
    if (lines.length === 0) return "none";
    return `${count(lines.length)} (line ${lines.slice(0, MOST_LINES).join(", ")}${lines.length > MOST_LINES ? ", …" : ""})`;
  };
  return `Found only with --enrichment: ${linesOnly(before, after)}. Found only without it: ${linesOnly(after, before)}.`;
}
