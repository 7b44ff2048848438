/** `toolsift search`: shows what a model's search would find. */

import { Command } from "commander";
import type { HitPart, SearchResult } from "toolsift";
import { misuse } from "../base/failure.js";
import { firstOf, oneLine, shown } from "../output/escape.js";
import { colours, print, printJson } from "../output/print.js";
import { counted, table } from "../output/table.js";
import { catalogOf } from "../sources/catalog.js";
import { enrichmentOf } from "../sources/enrichment.js";
import { packed, type PackOptions, translated, withPacks } from "../sources/packs.js";
import { readSources, type SourceOptions, withSources } from "../sources/sources.js";
import { limitOption, type RankOptions, rankSettings, withRanking } from "./options.js";

interface SearchCommandOptions extends SourceOptions, PackOptions, RankOptions {
  limit: number;
  json?: true;
}

/** The most reasons that are shown for one hit. */
const MOST_REASONS = 4;

export function searchCommand(): Command {
  const command = new Command("search").argument("<query>", "what is searched for, as the model would write it");
  return withRanking(withPacks(withSources(command)))
    .description("search tools as the model would, with scores, confidence and reasons")
    .addOption(limitOption("the most tools to show", 10))
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift search "open a ticket" tools.json
  $ toolsift search "read a file" ~/.cursor/mcp.json --limit 3
  $ toolsift search "is it raining" tools.json --enrichment enrichment.jsonl
  $ curl -s https://example.com/tools.json | toolsift search "send a message" -`,
    )
    .action(async (query: string, paths: string[], options: SearchCommandOptions) => {
      if (query.trim() === "") throw misuse("the query is empty; write what the tool should do");
      const enrichment = await enrichmentOf(options);
      const { lists } = await readSources(paths, options);
      const settings = await translated(rankSettings(options), options);
      const sift = catalogOf(await packed(lists, options), settings, enrichment);
      const result = sift.search(query, { limit: options.limit, reasons: true });
      if (options.json) printJson(result);
      else
        show(
          result,
          new Map(
            sift.tools().map(({ name, originalName, skill }) => [name, skill ? `${originalName} [skill]` : originalName]),
          ),
        );
      // Like grep, the exit code tells a script that nothing was found.
      if (result.hits.length === 0) process.exitCode = 1;
    });
}

/** Prints a result. @param names from the name that the model sees to the name in the source */
function show({ hits, searched, confidence, unknownWords = [] }: SearchResult, names: ReadonlyMap<string, string>): void {
  if (hits.length === 0) {
    print(`Nothing found in ${counted(searched, "tool")}.`);
  } else {
    const columns = [{ title: "score", isNumber: true }, { title: "tool" }, { title: "server" }, { title: "why" }];
    const rows = hits.map(({ score, name, server, parts }) => [
      score.toFixed(3),
      shown(names.get(name) ?? name, 50),
      oneLine(server ?? "-", 30),
      reasons(parts),
    ]);
    print(table(columns, rows));
  }
  if (confidence !== undefined && hits.length > 0) {
    print(`\n${sentenceOf(confidence)} (${counted(searched, "tool")} searched)`);
  }
  if (unknownWords.length > 0)
    print(`Words that occur in no tool: ${unknownWords.map((word) => oneLine(word, 40)).join(", ")}`);
}

function sentenceOf(confidence: NonNullable<SearchResult["confidence"]>): string {
  if (confidence === "high") return `Confidence: ${colours.green("high")}, better than a random match.`;
  if (confidence === "low") return `Confidence: ${colours.yellow("low")}, not better than a random match.`;
  return `Confidence: ${colours.red("none")}. No tool fits. The nearest tools are listed.`;
}

/** Formats the parts that added most to a score, such as `name: issue, open~create`. */
export function reasons(parts: readonly HitPart[], most: number = MOST_REASONS): string {
  const best = firstOf(
    parts.toSorted((a, b) => b.contribution - a.contribution),
    most,
  );
  const byField = new Map<string, Set<string>>();
  for (const { field, term, matched, how } of best) {
    const word = term === "" ? how : term === matched || matched === "" ? term : `${term}~${matched}`;
    const words = byField.get(field) ?? new Set<string>();
    byField.set(field, words.add(oneLine(word, 40)));
  }
  return [...byField].map(([field, words]) => `${field}: ${[...words].join(", ")}`).join("; ");
}
