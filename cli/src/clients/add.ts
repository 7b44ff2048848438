/** Adds toolsift to an MCP client's configuration, and moves the client's servers to toolsift's own configuration. */

import { Failure } from "../base/failure.js";
import { readable } from "toolsift/guard";
import { ownWhere } from "./config.js";
import { difference, secretsOf } from "./diff.js";
import { shownKeys, toClient, unappliedOf } from "./entry.js";
import { readText, replaceAll } from "./files.js";
import { OUR_NAME, ourEntry, ourHttpEntry } from "./ours.js";
import { isHere } from "./places.js";
import { readClient } from "./read.js";
import { equal, restored } from "./restore.js";
import { edited, sectionOf, type Found, type Section } from "./section.js";
import { home } from "../base/home.js";
import { quoted, shownPath } from "../output/escape.js";
import { leadsToUs, targetOf, verify, type Change, type ChangeOptions, type Target } from "./target.js";
import { keptToken } from "../base/token.js";
import type { RemoteEntry } from "./types.js";
import { expand } from "./variables.js";

export interface AddOptions extends ChangeOptions {
  /** The names of servers that stay in the client. Default: the servers that stayed last time. */
  keep?: readonly string[];
  /** Whether to write the file even if the client was not found on this machine. */
  create?: boolean;
  /** The port of an HTTP gateway to which the client connects. Without it, the client starts a gateway. */
  http?: number;
}

/**
 * Adds toolsift to a client. If toolsift is there already, moves the servers that were added since. Everything else in the
 * client's file stays unchanged, even comments, and a backup is written next to it. A second call changes nothing.
 * @throws Failure if the client is not on this machine, the file is broken, read-only, too large or changed in the
 * meantime, or the moved servers cannot be found. Nothing is changed then.
 */
export async function addTo(id: string, options: AddOptions = {}): Promise<Change> {
  const target = await targetOf(id, options);
  const { client, place, where, section, config, own, before, backup } = target;
  if (!options.create && !isHere(client, place)) {
    const advice = `Neither ${shownPath(where.file)} nor its folder exists. Pass --create to write the file.`;
    throw new Failure(`${client.title} was not found on this machine. ${advice}`);
  }
  const [first] = section.own;
  if (first && !leadsToUs(target)) {
    const file = first.config === undefined ? "no configuration" : `the configuration ${quoted(first.config)}`;
    const there = `${quoted(where.file)} has toolsift already, as ${quoted(first.name)} with ${file}.`;
    throw new Failure(`${there} Delete that entry, then run the command again.`);
  }
  const { text, conflicts, notes } = restored(target);
  for (const name of conflicts) {
    notes.push(`${quoted(name)} is in the client's file and in toolsift's configuration. The client's entry is used.`);
  }
  for (const { server, level, message } of own.problems) {
    const mended = level === "error" && before.found.some(({ name }) => name === server);
    if (mended)
      notes.push(`The invalid entry in ${shownPath(config)} is replaced by the one from before the move: ${message}`);
  }
  const base = sectionOf(text ?? "", where);
  const keep = options.keep ?? keptBefore(target);
  for (const name of keep) if (!base.names.includes(name)) notes.push(`There is no server ${quoted(name)} to keep.`);
  const { moved, kept } = selected(target, base, keep);
  const names = moved.map(({ name }) => name);
  const left = base.names.filter((name) => !names.includes(name));
  if (left.includes(OUR_NAME)) {
    const other = `${quoted(where.file)} has another server named ${quoted(OUR_NAME)}, which stays.`;
    throw new Failure(`${other} Rename it first.`);
  }
  const entry = (await httpEntry(target, options)) ?? ourEntry(client, place, config);
  const after = edited(base.text!, where, names, [[OUR_NAME, toClient(entry, where.form)]]);
  verify(target, base.text!, after, [...left, OUR_NAME]);
  const behind = configWith(own, moved);
  if (!options.dryRun) {
    await replaceAll([
      [backup, await readText(backup), text],
      [config, own.text, behind],
      [where.file, section.text, after],
    ]);
  }
  const changed = after !== section.text || behind !== own.text;
  // Only servers that were not in toolsift's configuration before count as moved.
  const fresh = changed ? moved.filter(({ name }) => !leadsToUs(target) || !own.names.includes(name)) : [];
  notes.push(...(await notesFor(target, fresh, changed, options)));
  const diff = difference(section.text ?? "", after, secretsOf([...base.found, ...own.found, { entry }]));
  const copy = changed && text !== undefined && !options.dryRun && { backup };
  const about = { client: id, title: client.title, file: where.file, config };
  return { ...about, changed, moved: fresh.map(({ name }) => name), kept, notes, diff, ...copy };
}

/** Returns the entry for an HTTP gateway, with its token, or undefined if the client starts a gateway itself. */
async function httpEntry(target: Target, { http, dryRun = false }: AddOptions): Promise<RemoteEntry | undefined> {
  if (http === undefined) return undefined;
  const { client, place, located, config } = target;
  if (client.processesOnly) throw new Failure(`${client.title} takes no URL in its file. Leave out --http.`);
  if (located.source.scope === "project") {
    throw new Failure("The project's file would hold this machine's token. Leave out --http, or use another scope.");
  }
  // A gateway with the same environment uses this token too.
  const given = place.env["TOOLSIFT_TOKEN"];
  if (given) return ourHttpEntry(http, given, config);
  const { token, problem } = await keptToken(home(place.env, place.platform), !dryRun);
  if (problem !== undefined) throw new Failure(`The token of the gateway cannot be kept: ${problem}`);
  return ourHttpEntry(http, token, config);
}

/** Returns the servers that stayed in the client last time although they could have been moved. */
function keptBefore(target: Target): string[] {
  const { section, own, before } = target;
  const stayed = before.found.filter(({ name }) => section.names.includes(name) && !own.names.includes(name));
  return stayed.filter((one) => obstacle(target, before, one) === undefined).map(({ name }) => name);
}

function selected(target: Target, base: Section, keep: readonly string[]) {
  const kept: Change["kept"] = [];
  const moved = base.found.filter((one) => {
    const reason = keep.includes(one.name) ? "it is to be kept" : obstacle(target, base, one);
    if (reason !== undefined) kept.push({ name: one.name, reason });
    return reason === undefined;
  });
  for (const { server, message } of base.problems) {
    const isRead = base.found.some(({ name }) => name === server);
    if (server !== undefined && !isRead) kept.push({ name: server, reason: message });
  }
  return { moved, kept };
}

/** Returns the reason why a server cannot be moved, or undefined if it can. */
function obstacle(target: Target, { text }: Section, { name, value, entry, bound }: Found): string | undefined {
  const { own, before, place, located, where } = target;
  if (bound.length > 0) return `it uses ${bound.map(quoted).join(", ")}, which toolsift does not apply`;
  const needs = new Set(expand(JSON.stringify(entry), place, located.project).needs);
  if (needs.size > 0) return `it needs ${[...needs].map(quoted).join(", ")}, which only the client can ask for`;
  if (where.form.variables.includes("braces") && JSON.stringify(value).includes("{file:")) {
    return "it reads values from files, which only the client does";
  }
  const behind = own.found.find((one) => one.name === name);
  const ours = before.names.includes(name);
  if (behind && !ours && !equal(behind.entry, entry)) return "toolsift's configuration has another server of this name";
  // TOML lets people write servers in ways that cannot be cut out of the text, such as `mcp_servers = { … }`.
  if (where.format === "json" || !sectionOf(edited(text ?? "", where, [name]), where).names.includes(name)) return undefined;
  return `it is not written as a table of its own ([${where.at.join(".")}.${readable(name)}])`;
}

/** Returns toolsift's configuration with the moved servers added. Equal entries that are there already stay unchanged. */
function configWith({ text = "", found }: Section, moved: readonly Found[]): string {
  const where = ownWhere("");
  const there = new Map(found.map((one) => [one.name, one]));
  const fresh = moved.filter(({ name, entry }) => !equal(there.get(name)?.entry, entry));
  const start = text.trim() === "" ? '{\n  "mcpServers": {}\n}\n' : text;
  const spelt = fresh.map(({ name, entry }) => [name, toClient(entry, where.form)] as const);
  const names = fresh.map(({ name }) => name);
  return edited(start, where, names, spelt);
}

async function notesFor(target: Target, moved: Found[], changed: boolean, options: AddOptions): Promise<string[]> {
  const { client, place, located, section, where, config } = target;
  const notes = unappliedOf(moved).map(({ server, keys }) => {
    const reason = keys.length === 1 ? "toolsift does not apply this setting" : "toolsift does not apply these settings";
    return `${quoted(server)} is moved without ${shownKeys(keys)}: ${reason}.`;
  });
  const remote = moved.filter(({ entry }) => "url" in entry && !signsIn(entry));
  if (remote.length > 0) {
    const names = remote.map(({ name }) => quoted(name)).join(", ");
    const login = `The sign-in stored by ${client.title} is not used.`;
    notes.push(`${names}: if the server asks for a login, toolsift asks once more. ${login}`);
  }
  if (section.text === undefined) notes.push(`${quoted(where.file)} did not exist. toolsift creates it.`);
  if (options.http !== undefined) {
    const command = `npx toolsift mcp --config ${shownPath(config)} --http ${options.http}`;
    notes.push(`The entry connects to a gateway that you start yourself. It must be running: ${command}`);
  }
  if (changed && located.source.scope === "project") {
    notes.push("The project's file names a path of this machine now. Do not commit it for others.");
  }
  const { files } = await readClient(client.id, place);
  for (const { file, scope, servers } of files) {
    const other = file !== where.file || scope !== (options.scope ?? "user");
    const more = `${quoted(file)} (${scope}) has more servers (${servers.length}), which stay there.`;
    if (other && servers.length > 0) notes.push(more);
  }
  return notes;
}

const signsIn = (entry: RemoteEntry) =>
  Object.keys(entry.headers ?? {}).some((key) => key.toLowerCase() === "authorization");
