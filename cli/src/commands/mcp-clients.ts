/**
 * `toolsift mcp clients`: lists the MCP clients on this machine, their files and servers, and the servers behind toolsift.
 */

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
  /** The servers that toolsift serves for this file; missing if the file has no entry of toolsift. */
  behind?: string[];
  /** The servers with settings that toolsift does not apply. They are in the file or were moved to toolsift. */
  unapplied?: Unapplied[];
}

const EXAMPLES = `
Examples:
  $ toolsift mcp clients
  $ toolsift mcp clients --json | jq '.clients[] | {id, file}'`;

/** Makes the command `clients`. */
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

/** Returns one row for each file. Claude Code keeps two scopes in the same file: these are merged into one row. */
async function rowsOf({ files }: ClientServers): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (const { file, scope, servers, own, unapplied } of files.filter(({ exists }) => exists)) {
    const before = rows.get(file);
    const configs = await Promise.all(own.flatMap(({ config }) => (config === undefined ? [] : [readConfig(config)])));
    const behind = configs.flatMap((config) => config.servers.map(({ name }) => name));
    const all = [...(before?.unapplied ?? []), ...unapplied];
    rows.set(file, {
      file,
      scope: union(before && [before.scope], [scope]).join(", "),
      servers: union(
        before?.servers,
        servers.map(({ name }) => name),
      ),
      ...((own.length > 0 || before?.behind) && { behind: union(before?.behind, behind) }),
      ...(all.length > 0 && { unapplied: all }),
    });
  }
  return [...rows.values()];
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
