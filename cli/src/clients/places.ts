/** Finds the files of clients on this machine, from the path templates in the table of clients. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { posix, win32 } from "node:path";
import type { Client, Path, Source } from "./table.js";
import type { Place } from "./types.js";

/** The most folders in which a project's file is searched, from the current folder upwards. */
const MAX_LEVELS = 64;

/** One of a client's files. */
export interface Located {
  source: Source;
  file: string;
  /** The folder of the project that the file or the entry belongs to. */
  project: string;
}

/** Returns the platform, folders and environment of this process, with the given values in place of the real ones. */
export function placeOf(given: Partial<Place> = {}): Place {
  return {
    platform: given.platform ?? process.platform,
    home: given.home ?? homedir(),
    cwd: given.cwd ?? process.cwd(),
    env: given.env ?? process.env,
  };
}

/** Returns all possible files of a client, in order of precedence, even if they do not exist. */
export function filesOf(client: Client, place: Place): Located[] {
  const located = client.sources.flatMap((source) => {
    const found = source.scope === "project" ? inProject(source, place) : inFolder(source, place, place.cwd);
    return found ? [found] : [];
  });
  // In the home directory, the user's file can also match as a project's file. It counts only as the user's file.
  const users = new Set(located.filter(({ source }) => source.scope === "user").map(({ file }) => file));
  return located.filter(({ source, file }) => source.scope !== "project" || !users.has(file));
}

/** Returns true if a client is on this machine: one of its files, the folder of the user's file, or its `sign` exists. */
export function isHere(client: Client, place: Place): boolean {
  const { dirname } = pathOf(place);
  const sign = client.sign === undefined ? undefined : filled(client.sign, place, place.cwd);
  if (sign !== undefined && existsSync(sign)) return true;
  return filesOf(client, place).some(({ source, file }) => {
    const folder = dirname(file);
    return existsSync(file) || (source.scope === "user" && folder !== place.home && existsSync(folder));
  });
}

/** Finds a project's file, from the current folder upwards. If there is none, returns the path in the current folder. */
function inProject(source: Source, place: Place): Located | undefined {
  const { dirname } = pathOf(place);
  const here = inFolder(source, place, place.cwd);
  let folder = place.cwd;
  // The search stops at the home directory: its files belong to the user and not to a project.
  for (let level = 0; level < MAX_LEVELS && folder !== place.home; level += 1) {
    const found = inFolder(source, place, folder);
    if (found && existsSync(found.file)) return found;
    if (dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  return here;
}

function inFolder(source: Source, place: Place, project: string): Located | undefined {
  const fill = (path: Path) => filled(path, place, project);
  const paths = source.paths.map(fill).filter((path) => path !== undefined);
  const [first] = paths;
  if (first === undefined) return undefined;
  if (existsSync(first)) return { source, file: first, project };
  const other = (source.alternatives ?? []).map(fill).find((path) => path !== undefined && existsSync(path));
  return { source, file: other ?? first, project };
}

function filled(path: Path, place: Place, project: string): string | undefined {
  const template = typeof path === "string" ? path : path[place.platform];
  if (template === undefined) return undefined;
  const xdg = place.env["XDG_CONFIG_HOME"] || pathOf(place).join(place.home, ".config");
  const folders: Record<string, string> = { home: place.home, project, xdg, config: config(place) ?? xdg };
  let applies = true;
  const text = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = folders[key] ?? place.env[key];
    if (!value) applies = false;
    return value ?? "";
  });
  return applies ? pathOf(place).normalize(text) : undefined;
}

/** Returns the folder for the settings of applications on Windows and macOS; undefined on Linux. */
function config({ platform, home, env }: Place): string | undefined {
  if (platform === "win32") return env["APPDATA"] || win32.join(home, "AppData", "Roaming");
  return platform === "darwin" ? posix.join(home, "Library", "Application Support") : undefined;
}

const pathOf = (place: Place) => (place.platform === "win32" ? win32 : posix);
