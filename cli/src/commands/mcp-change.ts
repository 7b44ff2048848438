/**
 * `toolsift mcp add` adds toolsift to a client's configuration and moves the client's servers to toolsift. `toolsift mcp
 * remove` undoes this. Both choose a client, ask the user, and print the result.
 */

import { Command } from "commander";
import { readable } from "toolsift/guard";
import { addTo } from "../clients/add.js";
import { readClient } from "../clients/read.js";
import { removeFrom } from "../clients/remove.js";
import { CLIENT_IDS, CLIENTS, type Scope } from "../clients/table.js";
import type { Change } from "../clients/target.js";
import { colours as pc, print, printJson } from "../output/print.js";
import { wholeNumber } from "./options.js";

/** The options of `add` and `remove`. */
interface ChangeFlags {
  scope?: string;
  dryRun?: boolean;
  json?: boolean;
  yes?: boolean;
}

const SCOPES: readonly Scope[] = ["user", "project", "local"];

/** Makes the command `add [client]`. */
export function mcpAddCommand(): Command {
  const command = new Command("add").description(
    "add toolsift to a client's configuration and move the client's servers to toolsift",
  );
  const port = wholeNumber(1, 65_535);
  return withChangeFlags(command)
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift mcp add cursor --dry-run                # shows the change and writes nothing
  $ toolsift mcp add cursor --yes                    # makes the change without asking
  $ toolsift mcp add codex --keep playwright,figma   # these two servers stay in Codex
  $ toolsift mcp add claude-code --scope project     # changes the project's .mcp.json
  $ toolsift mcp add cursor --http 8080              # connects to a running gateway, with its token
  $ toolsift mcp add zed --create                    # also where Zed was not found on this machine

\`toolsift mcp remove\` undoes it.`,
    )
    .option("--keep <names>", "servers that stay in the client, separated by commas")
    .option("--create", "write the file of a client that was not found on this machine")
    .option("--http <port>", "connect to the gateway that `mcp --http` serves on this port, with its token", port)
    .action(async (id: string | undefined, flags: ChangeFlags & { keep?: string; create?: boolean; http?: number }) => {
      const [client, scope] = await chosen(command, id, flags);
      const { create = false, http } = flags;
      const keep = flags.keep?.split(",").flatMap((name) => name.trim() || []);
      const options = { scope, create, ...(keep && { keep }), ...(http !== undefined && { http }) };
      await attempt(flags, (dryRun) => addTo(client, { ...options, dryRun }));
    });
}

/** Makes the command `remove [client]`. */
export function mcpRemoveCommand(): Command {
  const command = new Command("remove").description(
    "take toolsift out of a client's configuration and put its servers back",
  );
  return withChangeFlags(command)
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift mcp remove cursor --dry-run               # shows the change and writes nothing
  $ toolsift mcp remove cursor --yes                   # makes the change without asking
  $ toolsift mcp remove claude-code --scope project    # takes it out of the project's .mcp.json`,
    )
    .action(async (id: string | undefined, flags: ChangeFlags) => {
      const [client, scope] = await chosen(command, id, flags);
      await attempt(flags, (dryRun) => removeFrom(client, { scope, dryRun }));
    });
}

/** Adds the options of both commands. */
function withChangeFlags(command: Command): Command {
  return command
    .argument("[client]", `the client: ${CLIENT_IDS.join(", ")}`)
    .option("--scope <scope>", "which file: user, project, or local (Claude Code, this project only)", "user")
    .option("--dry-run", "show the change and write nothing")
    .option("-y, --yes", "do not ask")
    .option("--json", "print the result as JSON")
    .showHelpAfterError();
}

/** Returns the client and the scope. If no client is named, asks for it on a terminal. Exits with 2 if they are wrong. */
async function chosen(command: Command, id: string | undefined, flags: ChangeFlags): Promise<[string, Scope]> {
  const scope = SCOPES.find((one) => one === flags.scope);
  const wrong = (message: string): never => command.error(`error: ${message}`, { exitCode: 2, code: "toolsift.usage" });
  const given = readable(String(flags.scope).slice(0, 40));
  if (scope === undefined) return wrong(`unknown scope "${given}". Allowed: ${SCOPES.join(", ")}.`);
  if (id !== undefined && !CLIENT_IDS.includes(id)) {
    return wrong(`unknown client "${readable(id.slice(0, 40))}". Known: ${CLIENT_IDS.join(", ")}.`);
  }
  const { json, yes, dryRun } = flags;
  if (id === undefined && (json || yes || !process.stdin.isTTY)) return wrong(`name a client: ${CLIENT_IDS.join(", ")}.`);
  const client = id ?? (await ask());
  if (json || yes || dryRun || (process.stdin.isTTY && process.stdout.isTTY)) return [client, scope];
  return wrong("cannot ask without a terminal. Look at the change with --dry-run, then pass --yes.");
}

async function agreed(change: Change): Promise<boolean> {
  tell(change, true);
  const { cancel, confirm } = await import("@clack/prompts");
  if (!change.changed || (await confirm({ message: `Write ${readable(change.file)}?` })) === true) return true;
  cancel("Nothing was written.");
  return false;
}

/** Makes a change and prints it. On a terminal, asks the user first. */
async function attempt(flags: ChangeFlags, run: (dryRun: boolean) => Promise<Change>): Promise<void> {
  const asks = process.stdin.isTTY && !flags.yes && !flags.json;
  if (flags.dryRun) report(await run(true), flags, true);
  else if (!asks || (await agreed(await run(true)))) report(await run(false), flags, false);
}

function report(change: Change, flags: ChangeFlags, dryRun: boolean): void {
  if (flags.json) printJson({ ...change, dryRun });
  else tell(change, dryRun);
}

function tell(change: Change, dryRun: boolean): void {
  const lines: string[] = [];
  const names = (list: string[]) => list.map(readable).join(", ");
  if (!change.changed) lines.push(`${change.title}: nothing to change in ${readable(change.file)}.`);
  else lines.push(`${change.title}: ${readable(change.file)} ${dryRun ? "would change" : "was changed"}.`);
  if (change.changed && dryRun) lines.push("", ...change.diff.split("\n").map(coloured), "");
  if (change.moved.length > 0) lines.push(`Servers ${dryRun ? "that would move" : "that moved"}: ${names(change.moved)}`);
  for (const { name, reason } of change.kept) lines.push(`Stays: ${readable(name)}, because ${readable(reason)}`);
  for (const note of change.notes) lines.push(`Note: ${readable(note)}`);
  if (change.backup !== undefined) lines.push(`Backup: ${readable(change.backup)}`);
  if (change.changed && !dryRun) lines.push(`Restart ${change.title} to apply the change.`);
  print(lines.join("\n"));
}

function coloured(line: string): string {
  return line.startsWith("+") ? pc.green(line) : line.startsWith("-") ? pc.red(line) : line;
}

async function ask(): Promise<string> {
  const found = await Promise.all(CLIENTS.map(({ id }) => readClient(id)));
  const options = CLIENTS.map(({ id, title }, place) => {
    const { files, servers } = found[place]!;
    const hint = files.some(({ exists }) => exists) ? `${servers.length} servers` : "no configuration here";
    return { value: id, label: title, hint };
  });
  const { cancel, isCancel, select } = await import("@clack/prompts");
  const answer = await select({ message: "Which client?", options });
  if (!isCancel(answer)) return answer;
  cancel("Nothing was written.");
  process.exit(0);
}
