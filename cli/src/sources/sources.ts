/** Reads the sources of a command (files, configurations, live servers) into one list of tools for each server. */

import { basename, resolve as resolvePath } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { placeOf } from "../clients/places.js";
import type { NamedServer, Problem, ServerEntry } from "../clients/types.js";
import { Failure, misuse } from "../base/failure.js";
import { reasonOf, quoted } from "../output/escape.js";
import { collected } from "./enrichment.js";
import { verboseOption } from "../output/verbose.js";
import { warn } from "../output/print.js";
import { contentOf } from "./content.js";
import { skillsAt, textsOf } from "./files.js";
import type { Listed } from "./live.js";

/** The options of sources. */
export interface SourceOptions {
  server?: string[];
  header?: Record<string, string>;
  timeout?: number;
}

/** The tools of the sources. */
export interface Sources {
  lists: Listed[];
  /** A message for each server that gave no tools, or only some of them. The messages were printed as warnings. */
  problems: string[];
  /** The paths of the files and folders with tools or skills. */
  files: string[];
}

/** The longest error that is printed, in characters. */
const PROBLEM_CHARS = 500;

/** The help text about sources, for each command that reads them. */
export const SOURCE_HELP = `
Sources:
  FILE         tools as JSON: a tools/list answer, or definitions of MCP, OpenAI, Anthropic or Google
  FOLDER       a folder with .json files, or with skills (SKILL.md in it or in its subfolders)
  -            tools or a configuration from the standard input
  CONFIG       a file with servers, as Claude, Cursor, VS Code, Codex, opencode or Zed has it: the servers are started
  https://…    an MCP server at a URL
  --server     an MCP server as a command or a URL: --server 'npx -y @modelcontextprotocol/server-memory'`;

/** Adds the argument and the options of sources to a command. */
export function withSources(command: Command): Command {
  const server = new Option("--server <command>", "start this MCP server, or connect to this URL (repeatable)");
  server.argParser(collected);
  return command
    .argument("[source...]", "files with tools, configurations, URLs, or - for the standard input")
    .addOption(server)
    .option("--header <name: value>", "send this header to URLs; ${NAME} is read from the environment (repeatable)", header)
    .option("--timeout <seconds>", "how long a server may take to start (default: 60)", seconds)
    .addOption(verboseOption(command))
    .addHelpText("after", SOURCE_HELP);
}

/**
 * Reads all sources. If a server does not start, prints a warning, reads the others, and sets the exit code to 1.
 *
 * @throws Failure if a file cannot be read, or if no source has a tool
 */
export async function readSources(
  paths: readonly string[],
  { server = [], header: headers, timeout }: SourceOptions,
): Promise<Sources> {
  if (paths.length === 0 && server.length === 0) {
    throw misuse("name a source: a file with tools, a configuration, a URL, - for the standard input, or --server COMMAND");
  }
  const lists: Listed[] = [];
  const files = new Set<string>();
  const problems: Problem[] = [];
  const configured: NamedServer[] = [];
  const named: { name: string; entry: ServerEntry }[] = [];
  const taken = new Set<string>();
  const behind = (url: string) => ({ url, ...(headers !== undefined && { headers }) });
  const unique = (name: string) => {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}-${n}`;
    taken.add(free);
    return free;
  };
  for (const path of paths) {
    if (/^https?:\/\//.test(path)) {
      named.push({ name: unique(nameOfUrl(path)), entry: behind(path) });
      continue;
    }
    const skills = await skillsAt(path);
    if (skills.length > 0) {
      files.add(path);
      lists.push({ server: unique(basename(resolvePath(path))), tools: skills });
      continue;
    }
    for (const text of await textsOf(path)) {
      const content = await contentOf(text);
      if (content.kind === "servers") {
        problems.push(...content.problems);
        configured.push(...content.servers.map((one) => ({ ...one, name: unique(one.name) })));
      } else {
        files.add(path);
        for (const list of content.lists) lists.push({ ...list, server: unique(list.server) });
      }
    }
  }
  for (const given of server) {
    const isUrl = /^https?:\/\//.test(given);
    const [command, ...args] = isUrl ? [] : wordsOf(given);
    const name = unique(isUrl ? nameOfUrl(given) : nameOfCommand([command!, ...args]));
    named.push({ name, entry: isUrl ? behind(given) : { command: command!, args } });
  }
  if (configured.length + named.length + problems.length === 0) return { lists, problems: [], files: [...files] };
  // Loaded only here: most sources are files, and loading the MCP SDK takes longer than a command.
  const { resolve, sentence, startable, workspaceOf } = await import("../clients/resolve.js");
  const place = placeOf();
  const found = named.map(({ name, entry }) => ({ name, value: entry, entry, bound: [] }));
  const direct = resolve(found, "the command line", place, workspaceOf(place));
  problems.push(...direct.problems);
  const { ready } = startable([...configured, ...direct.servers], problems);
  const lost = problems.filter(({ level }) => level === "error").map(sentence);
  if (ready.size + lists.length === 0 && lost.length > 0) throw new Failure(lost.join("\n"));
  problems.forEach((problem) => tellShort(sentence(problem)));
  const { listLive } = await import("./live.js");
  const answers = await listLive(ready, timeout === undefined ? undefined : 1000 * timeout);
  answers.problems.forEach(tellShort);
  lost.push(...answers.problems);
  if (lost.length > 0) process.exitCode = 1;
  const all = [...lists, ...answers.lists];
  if (all.every(({ tools }) => tools.length === 0)) throw new Failure("no source has a tool");
  return { lists: all, problems: lost, files: [...files] };
}

/** Prints the beginning of a problem as a warning: a server's message can be very long. */
function tellShort(problem: string): void {
  const short = reasonOf(problem, PROBLEM_CHARS);
  warn(short.length < problem.length ? `${short} (--verbose shows all of it)` : short);
}

function nameOfUrl(url: string): string {
  if (!URL.canParse(url)) throw misuse(`${JSON.stringify(url.slice(0, 80))} is not a URL`);
  return new URL(url).hostname.slice(0, 60);
}

/** Parts of a path that cannot serve as the name of a server. */
const GENERIC = new Set([".", "..", "bin", "build", "cli", "dist", "index", "lib", "main", "out", "server", "src"]);

/** Options of interpreters whose next argument is code. */
const CODE = new Set(["-e", "--eval", "-p", "--print", "-pe", "-c"]);

/** Derives a server's name from its command, such as `memory` from `npx -y @modelcontextprotocol/server-memory`. */
function nameOfCommand(words: readonly string[]): string {
  const [program = "", ...args] = words;
  const at = args.findIndex((word) => !word.startsWith("-"));
  const isCode = /(^|[\\/])(node|deno|bun|python3?)(\.exe)?$/.test(program) && CODE.has(args[at - 1] ?? "");
  const isRunner = !isCode && /(^|[\\/])(npx|uvx|bunx|pnpx|node|deno|bun|python3?)(\.cmd|\.exe)?$/.test(program);
  const named = (isRunner ? args[at] : undefined) ?? program;
  const parts = named.split(/[\\/]/).map((part) => part.replace(/(.)@.*$/, "$1").replace(/\.([mc]?[jt]s|py|exe|cmd)$/, ""));
  const own = parts.findLast((part) => part !== "" && !GENERIC.has(part)) ?? parts.at(-1)!;
  return (
    own
      .replace(/^(mcp-)?server-|^mcp-/, "")
      .replace(/-mcp(-server)?$|-server$/, "")
      .slice(0, 60) || "server"
  );
}

/** Parses a header, such as `Authorization: Bearer …`, and adds it to the earlier headers. */
function header(value: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, content] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.+)$/.exec(value) ?? [];
  if (name !== undefined && content !== undefined) return { ...before, [name]: content };
  throw new InvalidArgumentError("It must be a name and a value, such as 'Authorization: Bearer ${TOKEN}'.");
}

function seconds(value: string): number {
  const number = Number(value);
  if (number >= 1 && number <= 600) return number;
  throw new InvalidArgumentError("It must be a number of seconds from 1 to 600.");
}

const WORD = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+)/sy;

/**
 * Splits a command into words. Quotes and backslashes protect spaces.
 *
 * @throws Failure if a quote is not closed or there are no words
 */
function wordsOf(command: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (command.slice(at).trim() !== "") {
    WORD.lastIndex = at;
    const found = WORD.exec(command);
    if (found === null) throw misuse(`the command ${quoted(command)} has a quote that is not closed`);
    words.push(unquoted(found[1]!));
    at = WORD.lastIndex;
  }
  if (words.length === 0) throw misuse("--server needs a command or a URL, such as --server 'npx -y @scope/server'");
  return words;
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single, double, escaped) => {
    if (single !== undefined) return single;
    return double === undefined ? escaped : double.replace(/\\(["\\$`])/g, "$1");
  });
}
