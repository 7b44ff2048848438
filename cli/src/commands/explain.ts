/** `toolsift explain`: shows why a search finds a tool, or why it does not. */

import { Command } from "commander";
import { misuse } from "../base/failure.js";
import { oneLine } from "../output/escape.js";
import { colours, print, printJson } from "../output/print.js";
import { table } from "../output/table.js";
import { catalogOf, noSuchTool, toolsNamed } from "../sources/catalog.js";
import { enrichmentOf } from "../sources/enrichment.js";
import { packed, type PackOptions, translated, withPacks } from "../sources/packs.js";
import { readSources, type SourceOptions, withSources } from "../sources/sources.js";
import { limitOption, type RankOptions, rankSettings, withRanking } from "./options.js";

interface ExplainOptions extends SourceOptions, PackOptions, RankOptions {
  limit: number;
  json?: true;
}

export function explainCommand(): Command {
  const command = new Command("explain")
    .argument("<query>", "what is searched for")
    .argument("<tool>", "the tool: its name, or server:name");
  return withRanking(withPacks(withSources(command)))
    .description("explain why a search finds a tool, or why it does not")
    .addOption(limitOption("how many hits count: a tool after them counts as not found", 20))
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift explain "open a ticket" create_issue tools.json
  $ toolsift explain "open a ticket" github:create_issue ~/.cursor/mcp.json --json

The exit code is 1 when the search does not find the tool.`,
    )
    .action(async (query: string, wanted: string, paths: string[], options: ExplainOptions) => {
      if (query.trim() === "") throw misuse("the query is empty; write what the tool should do");
      const enrichment = await enrichmentOf(options);
      const { lists } = await readSources(paths, options);
      const { search, ...settings } = await translated(rankSettings(options), options);
      // With `--profile`, the limit of hits is that of the profile. The printed reason mentions the limit.
      const shown =
        options.profile === undefined ? { hits: options.limit, maxHits: options.limit } : { hits: options.limit };
      const sift = catalogOf(await packed(lists, options), { ...settings, search: { ...search, ...shown } }, enrichment);
      const found = toolsNamed(sift.tools(), wanted);
      if (found.length === 0) throw noSuchTool(sift, wanted);
      if (found.length > 1) {
        const names = found.map(({ server, originalName }) => oneLine(`${server}:${originalName}`, 80));
        throw misuse(`several servers have that tool; write ${names.join(" or ")}`);
      }
      const explained = sift.explain(query, found[0]!.name);
      if (!explained.found) process.exitCode = 1;
      if (options.json) return printJson(explained);
      print(`${explained.found ? colours.green("found") : colours.red("not found")}: ${oneLine(explained.reason, 500)}`);
      if (explained.parts.length === 0) return;
      const texts = ["where", "how", "query", "tool"].map((title) => ({ title }));
      const columns = [{ title: "adds", isNumber: true }, ...texts];
      const rows = explained.parts
        .toSorted((a, b) => b.contribution - a.contribution)
        .map(({ contribution, field, how, term, matched }) => [
          contribution.toFixed(3),
          field,
          how,
          oneLine(term, 40),
          oneLine(matched, 40),
        ]);
      print(`\n${table(columns, rows)}`);
    });
}
