/** Makes found entries ready to start: replaces variables, and says which entries cannot be started. */

import { bareObject } from "./data.js";
import { quoted } from "../output/escape.js";
import type { Found } from "./section.js";
import type { NamedServer, Place, Problem, ServerEntry } from "./types.js";
import { expand } from "./variables.js";

/** The servers of a file with their variables replaced, and what is missing. */
export function resolve(found: Found[], file: string, place: Place, project: string) {
  const problems: Problem[] = [];
  const servers = found.map(({ name, entry, bound }): NamedServer => {
    const say = (text: string) => problems.push({ level: "note", file, server: name, message: `${quoted(name)} ${text}` });
    const needs = new Set<string>();
    const unset = new Set<string>();
    const misplaced = new Set<string>();
    const replaced = mapTexts(entry, (text, isPrivate) => {
      const result = expand(text, place, project);
      result.needs.forEach((one) => needs.add(one));
      result.unset.forEach((one) => unset.add(one));
      if (!isPrivate) result.secrets.forEach((one) => misplaced.add(`\${keyring:${one}}`));
      return result.text;
    });
    if (needs.size > 0) say(`needs ${[...needs].map(quoted).join(", ")}, which only the client can ask for.`);
    if (unset.size > 0) say(`uses environment variables that are not set: ${[...unset].map(quoted).join(", ")}.`);
    if (misplaced.size > 0) say(`uses ${[...misplaced].join(", ")}, which may stand in "env" and "headers" alone.`);
    if (bound.length > 0) say(`uses ${bound.map(quoted).join(", ")}, which toolsift does not apply.`);
    const all = misplaced.size > 0 ? { misplaced: [...misplaced] } : {};
    return {
      name,
      entry: replaced,
      file,
      ...all,
      ...(needs.size > 0 && { needs: [...needs] }),
      ...(unset.size > 0 && { unset: [...unset] }),
    };
  });
  return { servers, problems };
}

/** `${workspaceFolder}` of servers that are configured for no project: what the client says that it works on. */
export function workspaceOf({ env, cwd }: Place): string {
  // Claude Code documents the first variable; Cursor sets the second, a list of folders that is separated by commas.
  return env["CLAUDE_PROJECT_DIR"] || env["WORKSPACE_FOLDER_PATHS"]?.split(",")[0] || cwd;
}

function mapTexts(entry: ServerEntry, change: (text: string, isPrivate?: boolean) => string): ServerEntry {
  const record = (values: Record<string, string>) =>
    bareObject(Object.entries(values).map(([key, value]) => [key, change(value, true)])) as Record<string, string>;
  if ("url" in entry) {
    const { url, headers, oauth } = entry;
    const text = (value: unknown) => (typeof value === "string" ? change(value) : value);
    const signIn = oauth && bareObject(Object.entries(oauth).map(([key, value]) => [key, text(value)]));
    return { ...entry, url: change(url), ...(headers && { headers: record(headers) }), ...(signIn && { oauth: signIn }) };
  }
  return {
    ...entry,
    command: change(entry.command),
    ...(entry.args && { args: entry.args.map((text) => change(text)) }),
    ...(entry.env && { env: record(entry.env) }),
    ...(entry.cwd !== undefined && { cwd: change(entry.cwd) }),
  };
}
