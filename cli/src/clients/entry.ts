/** Translates a server's entry from a client's form to the common form (Cursor's), and back. */

import { serverEntry, spelled } from "toolsift/gateway";
import { reasonOf } from "../base/failure.js";
import { quoted } from "../output/escape.js";
import { isObject } from "../base/values.js";
import { bareObject, withTexts } from "./data.js";
import type { Form } from "./table.js";
import type { ServerEntry } from "./types.js";
import { fromCommon, toCommon } from "./variables.js";

/** The keys of every entry, of a local process and of a remote server, as any client spells them. */
const SHARED = ["type", "transport", "disabled", "enabled"];
const LOCAL = ["command", "args", "cwd", "env", "environment"];
const REMOTE = ["url", "serverUrl", "httpUrl", "headers", "http_headers", "bearer_token_env_var", "env_http_headers"];

/** The result of reading an entry. */
export interface Translation {
  /** The entry in the common form; missing if it is invalid. */
  entry?: ServerEntry;
  /** The reason why the entry is invalid. */
  fault?: string;
  /** Unknown keys, and keys of the wrong kind: those of a process in an entry with a URL, or the reverse. */
  unknown: string[];
  /** Keys that toolsift does not support although the server needs them. The server has to stay in the client. */
  bound: string[];
}

/** Translates an entry from a client's form to the common form. Variables are rewritten in our syntax but not replaced. */
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

/** Keys that only describe an entry and are no settings. */
const METADATA = ["description", "gallery", "name", "source", "version"];

/** Returns the keys of settings that only the client applies, not toolsift. Keys with an empty value do not count. */
function unapplied(value: unknown, entry: ServerEntry): string[] {
  if (!isObject(value)) return [];
  const applied = [...("command" in entry ? LOCAL : REMOTE), ...SHARED, ...METADATA];
  return Object.keys(value).filter((key) => !applied.includes(key) && !isEmpty(value[key]));
}

/** The most keys of a server that a message names. */
const MAX_KEYS = 10;

/** A server, and the settings in its entry that toolsift does not apply. */
export interface Unapplied {
  server: string;
  keys: string[];
}

/** Returns the servers with settings that toolsift does not apply. */
export function unappliedOf(servers: readonly { name: string; value: unknown; entry: ServerEntry }[]): Unapplied[] {
  return servers
    .map(({ name, value, entry }) => ({ server: name, keys: unapplied(value, entry) }))
    .filter(({ keys }) => keys.length > 0);
}

/** Returns the keys in quotes. If there are too many, ends with the number of further keys. */
export function shownKeys(keys: readonly string[]): string {
  const more = keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : "";
  return keys.slice(0, MAX_KEYS).map(quoted).join(", ") + more;
}

/** Translates an entry to a client's form. Keys of `original`, the earlier entry, stay if only the client knows them. */
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

/** Returns whether an entry has a command or a URL. An entry with both or neither is "unclear": `serverEntry` refuses it. */
function sideOf({ command, url }: Record<string, unknown>): "local" | "remote" | "unclear" {
  return isNothing(command) === isNothing(url) ? "unclear" : isNothing(url) ? "local" : "remote";
}

function translated(what: string, given: unknown, form: Form): ServerEntry {
  if (!isObject(given)) return serverEntry(what, given);
  const value = withTexts(given, (text) => toCommon(text, form.variables));
  const { transport, args, env, cwd, headers, ...about } = spelled(value);
  const side = sideOf(about);
  // Keys of the wrong kind are reported elsewhere. They are left out here, so that the server can still start.
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
