/** Prepares the servers of a file for their start: replaces variables, and finds the servers that cannot be started. */

import { serverWay } from "./server-config.js";
import { reasonOf } from "../base/failure.js";
import { quoted } from "../output/escape.js";
import { withTexts } from "./data.js";
import { PRIVATE } from "./secrets.js";
import type { Found } from "./section.js";
import type { NamedServer, Place, Problem, ServerEntry } from "./types.js";
import { expand } from "./variables.js";

/** Returns the servers of a file with their variables replaced, and their problems. */
export function resolve(found: Found[], file: string, place: Place, project: string) {
  const problems: Problem[] = [];
  const servers = found.map(({ name, entry: given, bound }): NamedServer => {
    const say = (text: string, level: Problem["level"] = "note") =>
      problems.push({ level, file, server: name, message: `${quoted(name)} ${text}.` });
    const { entry, lacks } = replaced(given, place, project);
    if (bound.length > 0) say(`uses ${bound.map(quoted).join(", ")}, which toolsift does not apply`);
    if (entry.disabled) {
      say("is switched off");
      return { name, entry, file };
    }
    const fault = lacks ?? faultOf(name, entry);
    if (fault === undefined) return { name, entry, file };
    say(`is left out: ${fault}`, "error");
    return { name, entry, file, fault };
  });
  return { servers, problems };
}

/** Returns the servers that can be started, and for each other server its name and the reason. */
export function startable(servers: readonly NamedServer[], problems: readonly Problem[]) {
  const ready = new Map(servers.flatMap((one) => (isAble(one) ? [[one.name, one.entry] as const] : [])));
  const unread = problems.filter(({ level, server }) => level === "error" && server !== undefined);
  const faults = new Map([
    ...unread.map(({ server, message }) => [server!, message] as const),
    ...servers.flatMap(({ name, fault }) => (fault === undefined ? [] : [[name, fault] as const])),
  ]);
  return { ready, faults };
}

const isAble = ({ entry, fault }: NamedServer) => fault === undefined && !entry.disabled;

/** Returns a problem as a sentence for people, with its file and line. */
export function sentence({ file, line, column, message }: Problem): string {
  const where = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${where}: ${message}`;
}

/** Returns `${workspaceFolder}` for servers of no project: the client's current project, or the current folder. */
export function workspaceOf({ env, cwd }: Place): string {
  // Claude Code documents the first variable. Cursor sets the second one, a list of folders with commas between them.
  return env["CLAUDE_PROJECT_DIR"] || env["WORKSPACE_FOLDER_PATHS"]?.split(",")[0] || cwd;
}

function replaced(given: ServerEntry, place: Place, project: string): { entry: ServerEntry; lacks?: string } {
  const needs = new Set<string>();
  const unset = new Set<string>();
  const misplaced = new Set<string>();
  const parts = Object.entries(given).map(([key, part]) => {
    const change = (text: string) => {
      const result = expand(text, place, project);
      result.needs.forEach((one) => needs.add(quoted(one)));
      result.unset.forEach((one) => unset.add(one));
      if (!PRIVATE.includes(key)) result.commands.forEach((one) => misplaced.add(quoted(`\${command:${one}}`)));
      return result.text;
    };
    return [key, withTexts(part, change)];
  });
  const entry = Object.fromEntries(parts) as ServerEntry;
  if (needs.size > 0) return { entry, lacks: `it needs ${[...needs].join(", ")}, which only the client can ask for` };
  if (unset.size > 0) return { entry, lacks: `the environment has no ${[...unset].join(", ")}` };
  if (misplaced.size === 0) return { entry };
  return { entry, lacks: `${[...misplaced].join(", ")} may occur only in "env" and "headers"` };
}

function faultOf(name: string, entry: ServerEntry): string | undefined {
  try {
    serverWay(name, entry);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
