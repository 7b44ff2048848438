/** `toolsift demo`: shows in a minute what toolsift would save on this machine, without changing anything. */

import { Command } from "commander";
import type { ToolSift } from "toolsift";
import { readClient } from "../clients/read.js";
import { CLIENTS } from "../clients/table.js";
import type { ServerEntry } from "../clients/types.js";
import { oneLine, shown } from "../output/escape.js";
import { colours, print, tell, warn } from "../output/print.js";
import { count, counted, percent, table } from "../output/table.js";
import { catalogOf } from "../sources/catalog.js";
import { type Listed, listLive } from "../sources/live.js";
import { packed, translated } from "../sources/packs.js";
import { MEASURED, PUBLIC_SERVERS } from "./public-servers.js";
import { measure } from "./size.js";

/** The default texts of the searches. */
const REQUESTS = [
  "let the others know on the channel that we shipped",
  "which bugs are open?",
  "give the customer her money back",
];
/** The number of tools that are shown for each search. */
const HITS = 3;
/** All extra search words are used: packs and translations. */
const WORDS = { packs: true };

interface DemoOptions {
  yes?: true;
  public?: true;
}

export function demoCommand(): Command {
  return new Command("demo")
    .description("show what toolsift saves with your own MCP servers, and search their tools in your own words")
    .option("-y, --yes", "start your servers without asking")
    .option("--public", "leave your servers alone and use the sizes of six public ones")
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift demo
  $ toolsift demo --public

It reads the files of your MCP clients and starts the servers in them to list their tools. It changes no file and calls
no tool.`,
    )
    .action(async (options: DemoOptions) => {
      const found = options.public ? { client: undefined, servers: new Map<string, ServerEntry>() } : await configured();
      const lists = (await startedLists(found.servers, options)) ?? publicLists();
      showSizes(lists);
      const sift = catalogOf(await packed(lists, WORDS), await translated({}, WORDS));
      for (const request of REQUESTS) {
        const text = await asked(request);
        if (text === undefined) break;
        showSearch(sift, text);
      }
      sift.dispose();
      print(`\n${colours.bold("To use it:")} npx toolsift mcp add ${found.client ?? "cursor"} --dry-run`);
      print("This shows the change to the client's file. Without --dry-run it is made, and a copy of the file is kept.");
    });
}

/** Returns the servers in the files of all clients, and the client with the most servers. */
async function configured() {
  const clients = await Promise.all(CLIENTS.map(({ id }) => readClient(id)));
  const having = clients.filter(({ servers }) => servers.length > 0).sort((a, b) => b.servers.length - a.servers.length);
  const servers = new Map(
    having.toReversed().flatMap((one) => one.servers.map(({ name, entry }) => [name, entry] as const)),
  );
  if (servers.size > 0) {
    const titles = having.map(({ client }) => CLIENTS.find(({ id }) => id === client)!.title);
    const names = [...servers.keys()].map((name) => shown(name, 40));
    print(`Found ${counted(servers.size, "MCP server")} of ${titles.join(", ")}: ${names.join(", ")}.`);
  }
  return { client: having[0]?.client, servers };
}

/** Starts the servers if the user agrees, and returns their tools. Returns undefined if no server has a tool. */
async function startedLists(
  servers: ReadonlyMap<string, ServerEntry>,
  { yes }: DemoOptions,
): Promise<readonly Listed[] | undefined> {
  if (servers.size === 0) return undefined;
  if (!yes) {
    if (!isTerminal()) {
      tell("They are not started without a terminal to ask on; --yes starts them.");
      return undefined;
    }
    const { confirm } = await import("@clack/prompts");
    const answer = await confirm({
      message: "Start them once to list their tools? Nothing is changed, and no tool is called.",
    });
    if (answer !== true) return undefined;
  }
  const { lists, problems } = await listLive(servers, undefined);
  problems.forEach(warn);
  return lists.some(({ tools }) => tools.length > 0) ? lists : undefined;
}

/**
 * Returns the tools of six public servers. Each has the measured size, but its description is filler. Searches use the words
 * of packs.
 */
function publicLists(): Listed[] {
  const names = Object.keys(PUBLIC_SERVERS);
  print(`These are the sizes of ${names.length} public servers (${names.join(", ")}), measured in ${MEASURED}.`);
  return Object.entries(PUBLIC_SERVERS).map(([server, tools]) => ({
    server,
    tools: tools.split(" ").map((one) => {
      const [name, tokens] = one.split("=");
      const tool = { name, description: "", inputSchema: { type: "object" } };
      const sent = JSON.stringify({ type: "function", function: { name, description: "", parameters: tool.inputSchema } });
      return { ...tool, description: ".".repeat(Math.max(0, 4 * Number(tokens) - sent.length)) };
    }),
  }));
}

function showSizes(lists: readonly Listed[]): void {
  const { servers, sent, toolsift } = measure(lists, { format: "openai" });
  const columns = [{ title: "server" }, { title: "tools", isNumber: true }, { title: "tokens", isNumber: true }];
  const rows = servers.map((one) => [oneLine(one.server ?? "-", 40), count(one.tools), count(one.sent.tokens)]);
  print(`\n${table(columns, rows)}`);
  const [all, first] = [sent.tokens, toolsift.firstRequest.tokens].map((tokens) => colours.bold(count(tokens)));
  print(`\nTokens of tools in every request: ${all}. With toolsift the first request has ${first}.`);
  if (toolsift.pays) print(`That is ${percent(toolsift.savedOfSent.share)} less. Tools that a search finds are added.`);
  else print("With so few tools it is cheapest to send them all, and toolsift does.");
}

/** Asks the user for a text to search; undefined if the user cancels. Without a terminal, returns the example. */
async function asked(example: string): Promise<string | undefined> {
  if (!isTerminal()) return example;
  const { isCancel, text } = await import("@clack/prompts");
  const answer = await text({ message: "What would you ask your agent for?", placeholder: example, defaultValue: example });
  return isCancel(answer) ? undefined : answer;
}

function showSearch(sift: ToolSift, request: string): void {
  const { hits, confidence } = sift.search(request, { limit: HITS });
  print(`\n${colours.bold(oneLine(request, 100))}`);
  const names = new Map(sift.tools().map(({ name, originalName }) => [name, originalName]));
  for (const { name, server } of hits)
    print(`  ${shown(names.get(name) ?? name, 50)}  ${colours.dim(oneLine(server ?? "", 30))}`);
  if (hits.length === 0) print("  No tool fits.");
  else if (confidence === "none") print("  No tool clearly fits. These tools are the closest.");
}

const isTerminal = () => process.stdin.isTTY === true && process.stdout.isTTY === true;
