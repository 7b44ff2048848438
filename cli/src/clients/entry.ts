/** Translates a server's entry from a client's spelling to the common form, and back. */

import { serverEntry, spelled } from "toolsift/gateway";
import { reasonOf } from "../base/failure.js";
import { quoted } from "../output/escape.js";
import { isObject } from "../base/values.js";
import { bareObject, withTexts } from "./data.js";
import type { Form } from "./table.js";
import type { ServerEntry } from "./types.js";
import { fromCommon, toCommon } from "./variables.js";

/** Keys that every entry may have, and those of a process and of a URL, in the spellings of all clients. */
const SHARED = ["type", "transport", "disabled", "enabled"];
const LOCAL = ["command", "args", "cwd", "env", "environment"];
const REMOTE = ["url", "serverUrl", "httpUrl", "headers", "http_headers", "bearer_token_env_var", "env_http_headers"];

/** An entry, read. */
export interface Translation {
  /** Missing where the entry cannot be understood. */
  entry?: ServerEntry;
  /** Why there is no entry. */
  fault?: string;
  /** Keys that nobody knows, and those of a process beside a URL. */
  unknown: string[];
  /** Keys that toolsift cannot carry, so that the server has to stay in the client. */
  bound: string[];
}

/** A client's spelling → the common form, with variables in our spelling and not replaced. */
export function fromClient(name: string, value: unknown, form: Form): Translation {
  const given = isObject(value) ? value : {};
  const own = form.signsIn ? ["oauth"] : [];
  const known = [...SHARED, "description", ...LOCAL, ...REMOTE, ...form.ignored, ...form.bound, ...own];
  const beside = { local: REMOTE, remote: LOCAL, unclear: [] as string[] }[sideOf(spelled(given))];
  const isLost = (key: string) => !known.includes(key) || (beside.includes(key) && !isEmpty(given[key]));
  const unknown = Object.keys(given).filter(isLost);
  const bound = form.bound.filter((key) => given[key] !== undefined);
  try {
    return { entry: translated(quoted(name), value, form), unknown, bound };
  } catch (error) {
    return { unknown, bound, fault: reasonOf(error) };
  }
}

/** Keys that say where an entry comes from or what it is, and set nothing. */
const METADATA = ["description", "gallery", "name", "source", "version"];

/** The settings of an entry that toolsift does not apply: they count in the client alone. Empty ones set nothing. */
function unapplied(value: unknown, entry: ServerEntry): string[] {
  if (!isObject(value)) return [];
  const applied = [...("command" in entry ? LOCAL : REMOTE), ...SHARED, ...METADATA];
  return Object.keys(value).filter((key) => !applied.includes(key) && !isEmpty(value[key]));
}

/** How many keys of a server are named; an entry may have any number. */
const MAX_KEYS = 10;

/** A server, and the settings in its entry that toolsift does not apply. */
export interface Unapplied {
  server: string;
  keys: string[];
}

/** The servers that have such settings. */
export function unappliedOf(servers: readonly { name: string; value: unknown; entry: ServerEntry }[]): Unapplied[] {
  return servers
    .map(({ name, value, entry }) => ({ server: name, keys: unapplied(value, entry) }))
    .filter(({ keys }) => keys.length > 0);
}

/** The keys in quotes, with how many more there are. */
export function shownKeys(keys: readonly string[]): string {
  const more = keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : "";
  return keys.slice(0, MAX_KEYS).map(quoted).join(", ") + more;
}

/** The common form → a client's spelling. `original` is what stood there before; keys that only the client knows stay. */
export function toClient(entry: ServerEntry, form: Form, original?: unknown): unknown {
  const own = [...SHARED, ...LOCAL, ...REMOTE];
  const kept = (isObject(original) ? Object.entries(original) : []).filter(([key]) => !own.includes(key));
  const spelt = withTexts(entry, (text) => fromCommon(text, form.variables));
  const pairs: [string, unknown][] = [];
  if ("command" in spelt) {
    const { command, args, env, cwd } = spelt;
    if (form.types) pairs.push(["type", form.types.local]);
    pairs.push(["command", form.command === "array" ? [command, ...(args ?? [])] : command]);
    if (form.command === "string" && args) pairs.push(["args", args]);
    if (env) pairs.push([form.env, env]);
    if (cwd !== undefined) pairs.push(["cwd", cwd]);
  } else {
    if (form.types) pairs.push(["type", form.types.remote === "http" ? (spelt.type ?? "http") : form.types.remote]);
    else if (spelt.type) pairs.push(["type", spelt.type]);
    pairs.push([form.url, spelt.url]);
    if (spelt.headers) pairs.push([form.headers, spelt.headers]);
  }
  if (entry.disabled) pairs.push([form.off, form.off === "disabled"]);
  return bareObject([...pairs, ...kept]);
}

/** Whether an entry starts a process or names a URL; both or neither is for `serverEntry` to refuse. */
function sideOf({ command, url }: Record<string, unknown>): "local" | "remote" | "unclear" {
  return isNothing(command) === isNothing(url) ? "unclear" : isNothing(url) ? "local" : "remote";
}

function translated(what: string, given: unknown, form: Form): ServerEntry {
  if (!isObject(given)) return serverEntry(what, given);
  const value = withTexts(given, (text) => toCommon(text, form.variables));
  const { transport, args, env, cwd, headers, ...about } = spelled(value);
  const side = sideOf(about);
  // What stands beside the way that an entry has is reported, and does not keep the server from starting.
  const entry = serverEntry(what, {
    ...about,
    type: about["type"] ?? transport,
    ...(side !== "remote" && { args, env, cwd }),
    ...(side !== "local" && { headers }),
  });
  const oauth = form.signsIn ? value["oauth"] : undefined;
  if ("command" in entry || isNothing(oauth)) return entry;
  if (!isObject(oauth)) throw new Error(`${what}.oauth must be an object`);
  return { ...entry, oauth };
}

const isNothing = (value: unknown): value is undefined | null => value === undefined || value === null;
const isEmpty = (value: unknown) => isNothing(value) || (typeof value === "object" && Object.keys(value).length === 0);
