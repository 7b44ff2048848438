/** toolsift's own configuration: the file of `npx toolsift mcp --config FILE`. */

import { SYNTAX } from "./document.js";
import { placeOf } from "./places.js";
import { resolve, workspaceOf } from "./resolve.js";
import { readSection, type Section, type Where } from "./section.js";
import { quoted } from "../output/escape.js";
import { codex } from "./table/codex.js";
import type { Form, NamedServer, Place, Problem } from "./types.js";

/** The spelling of our own file: Cursor's, with the variables of all clients. */
export const OWN_FORM: Form = {
  command: "string",
  env: "env",
  url: ["url"],
  headers: "headers",
  off: "disabled",
  variables: ["own"],
  ignored: ["timeout", "autoApprove", "alwaysAllow"],
  bound: [],
  signsIn: true,
};

const OWN_TOML: Form = { ...codex.form, variables: ["own"], bound: [] };

/** The servers and settings of a configuration. */
export interface Config {
  servers: NamedServer[];
  /** The object under `toolsift`, as it stands there; `{}` where there is none. */
  settings: Record<string, unknown>;
  /** Errors and notes; where the file could not be read at all, there is an error and no server. */
  problems: Problem[];
}

/**
 * Reads a configuration: Cursor's form with comments allowed, or Codex' form where the name ends in `.toml`. Variables are
 * replaced. What can be read is returned even where the file is broken. Nothing is thrown.
 */
export async function readConfig(file: string, given: Partial<Place> = {}): Promise<Config> {
  const place = placeOf(given);
  const mine = ownWhere(file);
  const first = await readSection(mine);
  // VS Code's own key for servers.
  const isCodes = mine.format === "json" && member(first.root, "mcpServers") === undefined && member(first.root, "servers");
  const where = isCodes ? { ...mine, at: ["servers"] } : mine;
  const section = isCodes ? await readSection(where) : first;
  const { servers, problems } = resolve(section.found, file, place, workspaceOf(place));
  const settings = SYNTAX[where.format].read(section.text ?? "", ["toolsift"]);
  const value = member(settings.root, "toolsift");
  const wrong = value !== undefined && (typeof value !== "object" || value === null || Array.isArray(value));
  const all = [...section.problems, ...problems];
  for (const { name } of section.own) {
    all.push({ level: "note", file, server: name, message: `${quoted(name)} starts toolsift itself and is left out.` });
  }
  if (section.text === undefined && section.problems.length === 0) {
    all.push({ level: "error", file, message: "There is no such file." });
  } else if (section.text?.trim() === "") {
    all.push({ level: "error", file, message: "The file is empty." });
  } else if (section.problems.length === 0 && member(section.root, where.at[0]!) === undefined) {
    const message = `${quoted(file)} has no key ${quoted(where.at[0])}, under which the servers stand.`;
    all.push({ level: "error", file, message });
  }
  if (wrong) all.push({ level: "error", file, message: 'The value of "toolsift" must be an object with settings.' });
  const object = wrong ? undefined : (value as Record<string, unknown> | undefined);
  return { servers, settings: object ?? fromItems(settings.items), problems: all };
}

/** Where servers stand in a file of ours. */
export function ownWhere(file: string): Where {
  if (file.toLowerCase().endsWith(".toml")) return { file, format: "toml", at: ["mcp_servers"], form: OWN_TOML };
  return { file, format: "json", at: ["mcpServers"], form: OWN_FORM };
}

/** A file of ours as it stands, variables not replaced. */
export function readOwn(file: string): Promise<Section> {
  return readSection(ownWhere(file));
}

function member(root: unknown, key: string): unknown {
  if (typeof root !== "object" || root === null || !Object.hasOwn(root, key)) return undefined;
  return (root as Record<string, unknown>)[key];
}

const fromItems = (items: { name: string; value: unknown }[]) =>
  Object.fromEntries(items.map(({ name, value }) => [name, value]));
