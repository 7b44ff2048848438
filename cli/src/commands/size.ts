/** `toolsift size`: shows the tokens of tools in every request, and how many of them toolsift saves. */

import { Command, Option } from "commander";
import type { CatalogSize, Cost, ProfileName, TextCost, WireFormat } from "toolsift";
import { oneLine, shown } from "../output/escape.js";
import { colours, print, printJson } from "../output/print.js";
import { count, counted, percent, table } from "../output/table.js";
import { catalogOf } from "../sources/catalog.js";
import { type EnrichmentOptions, enrichmentOf, withEnrichment } from "../sources/enrichment.js";
import { knownWords, wordsLine } from "../sources/known-words.js";
import type { Listed } from "../sources/live.js";
import { type PackOptions, packed, withPacks } from "../sources/packs.js";
import { COUNTED_FORMAT, type DefinitionCost, definitionsIn } from "../sources/request.js";
import { readSources, type SourceOptions, withSources } from "../sources/sources.js";
import { jsonOption, limitOption, profileOption } from "./options.js";

interface SizeOptions extends SourceOptions, EnrichmentOptions, PackOptions {
  format: WireFormat;
  profile?: ProfileName;
  limit?: number;
  json?: true;
}

const FORMATS: WireFormat[] = ["openai", "openai-responses", "anthropic", "google", "bedrock", "mcp"];

export function sizeCommand(): Command {
  return withPacks(withEnrichment(withSources(new Command("size"))))
    .description("show how many tokens tools take in every request, and how many toolsift saves")
    .addOption(new Option("-f, --format <name>", "how the tools are sent").choices(FORMATS).default(COUNTED_FORMAT))
    .addOption(profileOption())
    .addOption(limitOption("how many of the most expensive tools are shown (default: 10, and all with --json)"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift size tools.json
  $ toolsift size ~/.cursor/mcp.json --format anthropic
  $ toolsift size --server 'npx -y @modelcontextprotocol/server-memory'

Tokens are characters / 4.`,
    )
    .action(async (paths: string[], options: SizeOptions) => {
      const enrichment = await enrichmentOf(options);
      const { lists } = await readSources(paths, options);
      const measured = measure(lists, options);
      const words = knownWords(await packed(lists, options), enrichment);
      if (options.json) return printJson({ ...measured, tools: measured.tools.slice(0, options.limit), words });
      show(measured, options);
      print(wordsLine(words));
    });
}

interface Saved extends TextCost {
  share: number;
}

export interface Measured {
  format: WireFormat;
  full: Cost;
  sent: TextCost;
  servers: CatalogSize["servers"];
  tools: DefinitionCost[];
  toolsift: {
    profile: ProfileName;
    firstRequest: Cost;
    saved: Saved;
    /** The saving compared with the definitions as the servers send them, with the unused `$defs` that toolsift removes. */
    savedOfSent: Saved;
    /** Whether there are skills, which are always deferred. */
    hasSkills: boolean;
    /** The default setting defers tools if they take at least this many tokens. */
    paysFromTokens: number;
    pays: boolean;
  };
}

/** Measures the cost of all tools in a format, and the cost of the first request with toolsift. */
export function measure(
  lists: readonly Listed[],
  { format, profile = "sift" }: Pick<SizeOptions, "format" | "profile">,
): Measured {
  const sift = catalogOf(lists, { profile, activation: "on", deferral: "opt-out" });
  const all = sift.size({ format });
  const { size, deferrable } = sift.session("size").assemble({ format });
  const { autoTokens } = sift.settings;
  const hasSkills = sift.tools().some(({ skill }) => skill === true);
  sift.dispose();
  // `full` includes the brackets and commas of the list, `all` only the definitions.
  const { full } = size;
  const sent = { bytes: full.bytes + all.sent.bytes - all.bytes, tokens: full.tokens + all.sent.tokens - all.tokens };
  const saved = { bytes: sent.bytes - size.request.bytes, tokens: sent.tokens - size.request.tokens };
  return {
    format,
    full,
    sent,
    servers: all.servers.toSorted((a, b) => b.tokens - a.tokens),
    tools: definitionsIn(lists, format).toSorted((a, b) => b.tokens - a.tokens),
    toolsift: {
      profile,
      firstRequest: size.request,
      saved: size.saved,
      savedOfSent: { ...saved, share: saved.tokens / Math.max(1, sent.tokens) },
      hasSkills,
      paysFromTokens: autoTokens,
      pays: deferrable.tokens >= autoTokens,
    },
  };
}

function show({ format, full, sent, servers, tools, toolsift }: Measured, { limit = 10 }: SizeOptions): void {
  // The tokens that a client without toolsift would send. They differ from `full` only for servers with unused `$defs`.
  const total = Math.max(
    1,
    servers.reduce((sum, one) => sum + one.sent.tokens, 0),
  );
  const cost = (one: TextCost) => [count(one.tokens), count(one.bytes), percent(one.tokens / total)];
  const numbers = ["tokens", "bytes", "share"].map((title) => ({ title, isNumber: true }));
  const rows = servers.map((one) => [oneLine(one.server ?? "-", 40), count(one.tools), ...cost(one.sent)]);
  if (servers.length > 1) rows.push(["all", count(full.tools), ...cost(sent).slice(0, -1), percent(1)]);
  print(table([{ title: "server" }, { title: "tools", isNumber: true }, ...numbers], rows));
  const dearest = tools.toSorted((a, b) => b.sent.tokens - a.sent.tokens).slice(0, limit);
  print(`\n${dearest.length < tools.length ? `The ${counted(dearest.length, "most expensive tool")}:` : "The tools:"}`);
  const cells = dearest.map((tool) => [shown(tool.originalName, 50), oneLine(tool.server ?? "-", 30), ...cost(tool.sent)]);
  print(table([{ title: "tool" }, { title: "server" }, ...numbers], cells));
  const { profile, firstRequest, savedOfSent, hasSkills, paysFromTokens, pays } = toolsift;
  const [whole, first] = [sent, firstRequest].map((one) => colours.bold(`${count(one.tokens)} tokens`));
  print(
    `\nIn every request (${format}): ${whole} when all tools are sent; with toolsift (profile ${profile}), the first request has ${first}, ${compared(savedOfSent.share)}. Found tools are added.`,
  );
  const sentAll = `by default, toolsift sends all of these tools${hasSkills ? ", but not the skills, which the model finds by search" : ""}`;
  const verdict = pays ? "It pays here." : `It does not pay here: ${sentAll}.`;
  print(`It pays if the tools take at least ${count(paysFromTokens)} tokens. ${pays ? colours.green(verdict) : verdict}`);
}

/** If toolsift costs more than ten times as much as sending all tools, the factor is printed instead of a percentage. */
const MANY_TIMES = 10;

/** Formats a saved share, such as `40 % less`. A negative share means a higher cost. */
function compared(saved: number): string {
  if (saved >= 0) return `${percent(saved)} less`;
  const times = 1 - saved;
  return times > MANY_TIMES ? `${count(times)} times as much` : `${percent(-saved)} more`;
}
