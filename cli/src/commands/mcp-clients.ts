/** `toolsift mcp clients`: which clients are here, their files and servers, and which of them use toolsift. */

import { Command } from "commander";
import { readable } from "toolsift/guard";
import { readConfig } from "../clients/config.js";
import { readClient, type ClientServers } from "../clients/read.js";
import { shownKeys, type Unapplied } from "../clients/entry.js";
import { CLIENTS } from "../clients/table.js";
import { colours as pc, print, printJson } from "../output/print.js";

interface Row {
  file: string;
  scope: string;
  servers: string[];
  /** The servers behind toolsift; missing where the file does not name toolsift. */
  behind?: string[];
  /** The servers, in the file or behind toolsift, with settings that toolsift does not apply. */
  unapplied?: Unapplied[];
}

const EXAMPLES = `
Examples:
  $ toolsift mcp clients
  $ toolsift mcp clients --json | jq '.clients[] | {id, file}'`;

/** The command `clients`. */
export function mcpClientsCommand(): Command {
  return new Command("clients")
    .description("list the MCP clients on this machine, their files and servers, and which of them use toolsift")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: { json?: boolean }) => {
      const clients = await Promise.all(
        CLIENTS.map(async ({ id, title }) => {
          const read = await readClient(id);
          return { id, title, file: read.file, files: await rowsOf(read), problems: read.problems };
        }),
      );
      if (flags.json) printJson({ clients });
      else print(clients.flatMap(linesOf).join("\n"));
    });
}

async function rowsOf({ files }: ClientServers): Promise<Row[]> {
  const rows = files.map(async ({ file, scope, exists, servers, own, unapplied }): Promise<Row | undefined> => {
    if (!exists) return undefined;
    const configs = own.flatMap(({ config }) => (config === undefined ? [] : [config]));
    const behind = (await Promise.all(configs.map((config) => readConfig(config)))).flatMap((one) => one.servers);
    const names = servers.map(({ name }) => name);
    const row = { file, scope, servers: names, ...(unapplied.length > 0 && { unapplied }) };
    return own.length > 0 ? { ...row, behind: behind.map(({ name }) => name) } : row;
  });
  const byFile = new Map<string, Row>();
  for (const row of await Promise.all(rows)) {
    if (row === undefined) continue;
    const first = byFile.get(row.file);
    byFile.set(row.file, first === undefined ? row : joined(first, row));
  }
  return [...byFile.values()];
}

/** Two places of one file: Claude Code keeps a user's servers and those of a folder in the same one. */
function joined(one: Row, other: Row): Row {
  const behind = one.behind === undefined && other.behind === undefined ? undefined : union(one.behind, other.behind);
  const unapplied = [...(one.unapplied ?? []), ...(other.unapplied ?? [])];
  return {
    file: one.file,
    scope: union([one.scope], [other.scope]).join(", "),
    servers: union(one.servers, other.servers),
    ...(behind !== undefined && { behind }),
    ...(unapplied.length > 0 && { unapplied }),
  };
}

const union = (one: readonly string[] = [], other: readonly string[] = []) => [...new Set([...one, ...other])];

type Listed = Pick<ClientServers, "file" | "problems"> & { title: string; files: Row[] };

function linesOf({ title, file, files, problems }: Listed): string[] {
  if (files.length === 0) return [`${pc.bold(title)}: not configured here (${readable(file)})`];
  const names = (list: string[]) => (list.length === 0 ? "none" : list.map(readable).join(", "));
  return [
    pc.bold(title),
    ...files.flatMap((row) => {
      const servers = `    servers: ${names(row.servers)}`;
      const behind = row.behind && `    behind toolsift: ${names(row.behind)}`;
      const unapplied = (row.unapplied ?? []).map(
        ({ server, keys }) => `    toolsift does not apply ${shownKeys(keys)} of ${readable(server)}`,
      );
      return [`  ${readable(row.file)} (${row.scope})`, servers, ...(behind ? [behind] : []), ...unapplied];
    }),
    ...problems.map(({ level, file: where, line, column, message }) => {
      const place = line === undefined ? "" : `:${line}:${column}`;
      return `  ${level === "error" ? pc.red("error") : pc.dim("note")}: ${readable(where)}${place}: ${readable(message)}`;
    }),
  ];
}
