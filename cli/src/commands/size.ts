/** `toolsift size`: what tools cost in every request, and what toolsift saves of it. */

import { Command, Option } from "commander";
import { type Cost, type ProfileName, ToolSift, type WireFormat } from "toolsift";
import { oneLine } from "../output/escape.js";
import { colours, print, printJson } from "../output/print.js";
import { count, counted, percent, table } from "../output/table.js";
import { catalogOf } from "../sources/catalog.js";
import type { Listed } from "../sources/live.js";
import { readSources, type SourceOptions, withSources } from "../sources/sources.js";
import { jsonOption, limitOption, profileOption } from "./options.js";

interface SizeOptions extends SourceOptions {
  format: WireFormat;
  profile?: ProfileName;
  limit: number;
  json?: true;
}

const FORMATS: WireFormat[] = ["openai", "openai-responses", "anthropic", "google", "bedrock", "mcp"];

/** What one tool costs. */
interface ToolCost {
  name: string;
  server: string | null;
  bytes: number;
  tokens: number;
}

export function sizeCommand(): Command {
  return withSources(new Command("size"))
    .description("show what tools cost in every request, and what toolsift saves of it")
    .addOption(new Option("-f, --format <name>", "how the tools are sent").choices(FORMATS).default("openai"))
    .addOption(profileOption())
    .addOption(limitOption("how many of the most expensive tools are shown", 10))
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
      const { lists } = await readSources(paths, options);
      const measured = measure(lists, options);
      if (options.json) printJson(measured);
      else show(measured, options);
    });
}

/** Everything that the command reports. */
interface Measured {
  format: WireFormat;
  full: Cost;
  servers: (Cost & { server: string | null })[];
  tools: ToolCost[];
  toolsift: {
    profile: ProfileName;
    /** The first request of a conversation, when tools are held back. */
    firstRequest: Cost;
    saved: { bytes: number; tokens: number; share: number };
    /** From how many tokens of tools on the default setting holds tools back. */
    paysFromTokens: number;
    pays: boolean;
  };
}

function measure(lists: readonly Listed[], { format, profile = "sift" }: SizeOptions): Measured {
  const sift = catalogOf(lists, { profile, activation: "on", deferral: "opt-out" });
  const { servers } = sift.size({ format });
  const { size, deferrable } = sift.session().assemble({ format });
  const { autoTokens } = sift.settings;
  const whole = costs(lists, sift, format);
  sift.dispose();
  return {
    format,
    full: size.full,
    servers: servers.toSorted((a, b) => b.tokens - a.tokens),
    tools: whole.toSorted((a, b) => b.tokens - a.tokens),
    toolsift: {
      profile,
      firstRequest: size.request,
      saved: size.saved,
      paysFromTokens: autoTokens,
      pays: deferrable.tokens >= autoTokens,
    },
  };
}

/** Each tool's definition as it is written in the list of a request. */
function costs(lists: readonly Listed[], sift: ToolSift, format: WireFormat): ToolCost[] {
  const all = new ToolSift({ activation: "off" });
  for (const { server, tools } of lists) all.register(tools as never, { server, names: "alias" });
  const sent = all.session().assemble({ format }).tools;
  all.dispose();
  const definitions = sent.flatMap<object>((tool) => ("functionDeclarations" in tool ? tool.functionDeclarations : [tool]));
  return sift.tools().map(({ name, server }, at) => {
    const text = JSON.stringify(definitions[at]) ?? "";
    return { name, server, bytes: Buffer.byteLength(text), tokens: Math.ceil(text.length / 4) };
  });
}

function show({ format, full, servers, tools, toolsift }: Measured, { limit }: SizeOptions): void {
  const total = Math.max(
    1,
    servers.reduce((sum, one) => sum + one.tokens, 0),
  );
  const cost = ({ tokens, bytes }: { tokens: number; bytes: number }) => [
    count(tokens),
    count(bytes),
    percent(tokens / total),
  ];
  const numbers = ["tokens", "bytes", "share"].map((title) => ({ title, isNumber: true }));
  const rows = servers.map((one) => [oneLine(one.server ?? "-", 40), count(one.tools), ...cost(one)]);
  if (servers.length > 1) rows.push(["all", count(full.tools), count(full.tokens), count(full.bytes), percent(1)]);
  print(table([{ title: "server" }, { title: "tools", isNumber: true }, ...numbers], rows));
  const shown = tools.slice(0, limit);
  print(`\n${shown.length < tools.length ? `The ${counted(shown.length, "most expensive tool")}:` : "The tools:"}`);
  const cells = shown.map((tool) => [oneLine(tool.name, 50), oneLine(tool.server ?? "-", 30), ...cost(tool)]);
  print(table([{ title: "tool" }, { title: "server" }, ...numbers], cells));
  const { profile, firstRequest, saved, paysFromTokens, pays } = toolsift;
  print(`\nIn every request (${format}): ${colours.bold(`${count(full.tokens)} tokens`)} when all tools are sent.`);
  const less = saved.share >= 0 ? `${percent(saved.share)} less` : `${percent(-saved.share)} more`;
  const first = `${count(firstRequest.tokens)} tokens`;
  print(`With toolsift (profile ${profile}), the first request has ${colours.bold(first)}: ${less}. Found tools are added.`);
  const verdict = pays ? "It pays here." : "It does not pay here: by default, toolsift sends all of these tools.";
  print(`It pays from ${count(paysFromTokens)} tokens of tools on. ${pays ? colours.green(verdict) : verdict}`);
}
