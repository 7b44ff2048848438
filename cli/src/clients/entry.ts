/** Translates a server's entry from a client's spelling to the common form, and back. */

import { bareObject } from "./data.js";
import { quoted } from "../output/escape.js";
import { isObject } from "../values.js";
import { fromCommon, toCommon } from "./variables.js";
import type { Form, ServerEntry } from "./types.js";

/** Keys of the common form that every client's entry may have. */
const SHARED = ["command", "args", "cwd", "type", "transport", "disabled", "enabled", "description"];

/** Keys by which Codex names environment variables instead of values. */
const BEARER = "bearer_token_env_var";
const ENV_HEADERS = "env_http_headers";

/** An entry, read. */
export interface Translation {
  /** Missing where the entry cannot be understood. */
  entry?: ServerEntry;
  /** Why there is no entry, to be written behind the name of the server. */
  fault?: string;
  /** Keys that nobody knows. */
  unknown: string[];
  /** Keys that toolsift cannot carry, so that the server has to stay in the client. */
  bound: string[];
}

/** A client's spelling → the common form, with variables in our spelling and not replaced. */
export function fromClient(value: unknown, form: Form): Translation {
  const none = { unknown: [], bound: [] };
  if (!isObject(value)) return { ...none, fault: ` must be an object, got ${kind(value)}` };
  const known = [...SHARED, ...form.url, form.env, form.headers, ...form.ignored, ...form.bound, BEARER, ENV_HEADERS];
  if (form.signsIn) known.push("oauth");
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  const bound = form.bound.filter((key) => value[key] !== undefined);
  try {
    return { entry: translated(value, form), unknown, bound };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { unknown, bound, fault: error.message };
  }
}

/** Keys that say where an entry comes from or what it is, and set nothing. */
const METADATA = ["description", "gallery", "name", "source", "version"];

/** The settings of an entry that toolsift does not apply: they count in the client alone. Empty ones set nothing. */
export function unapplied(value: unknown, entry: ServerEntry, form: Form): string[] {
  if (!isObject(value)) return [];
  const local = ["command", "args", "cwd", form.env];
  const remote = [...form.url, form.headers, BEARER, ENV_HEADERS];
  const applied = [...("command" in entry ? local : remote), "type", "transport", "disabled", "enabled", ...METADATA];
  return Object.keys(value).filter((key) => !applied.includes(key) && !isEmpty(value[key]));
}

/** The common form → a client's spelling. `original` is what stood there before; keys that only the client knows stay. */
export function toClient(entry: ServerEntry, form: Form, original?: unknown): unknown {
  const own = ["command", "args", "cwd", "type", "transport", "disabled", "enabled", ...form.url, form.env, form.headers];
  const known = isObject(original) ? Object.entries(original) : [];
  const kept = known.filter(([key]) => ![...own, BEARER, ENV_HEADERS].includes(key));
  const text = (value: string) => fromCommon(value, form.variables);
  const record = (values: Record<string, string>) =>
    bareObject(Object.entries(values).map(([key, value]) => [key, text(value)]));
  const pairs: [string, unknown][] = [];
  if ("command" in entry) {
    const words = [entry.command, ...(entry.args ?? [])].map(text);
    if (form.types) pairs.push(["type", form.types.local]);
    pairs.push(["command", form.command === "array" ? words : words[0]]);
    if (form.command === "string" && entry.args) pairs.push(["args", words.slice(1)]);
    if (entry.env) pairs.push([form.env, record(entry.env)]);
    if (entry.cwd !== undefined) pairs.push(["cwd", text(entry.cwd)]);
  } else {
    if (form.types) pairs.push(["type", form.types.remote === "http" ? (entry.type ?? "http") : form.types.remote]);
    else if (entry.type && form.env !== "environment") pairs.push(["type", entry.type]);
    pairs.push([form.url[0], text(entry.url)]);
    if (entry.headers) pairs.push([form.headers, record(entry.headers)]);
  }
  if (entry.disabled) pairs.push([form.off, form.off === "disabled"]);
  return bareObject([...pairs, ...kept]);
}

class Fault extends Error {}

/** What an entry has instead of what it needs: often a slip of the keyboard. */
function keysOf(value: object): string {
  const keys = Object.keys(value)
    .slice(0, 5)
    .map((key) => JSON.stringify(key.slice(0, 40)));
  return keys.length === 0 ? "" : `; it has ${keys.join(", ")}`;
}

function translated(value: Record<string, unknown>, form: Form): ServerEntry {
  const text = (key: string) => optionalText(value, key, form);
  const disabled = flag(value, "disabled") === true || flag(value, "enabled") === false;
  const off = disabled ? { disabled } : {};
  const url = form.url.map(text).find((one) => one !== undefined);
  if (value["command"] !== undefined) {
    const [command, ...first] = form.command === "array" ? texts(value, "command", form)! : [text("command")!];
    if (!command) throw new Fault(': "command" is empty');
    const args = form.command === "array" ? first : texts(value, "args", form);
    const env = record(value, form.env, form);
    const cwd = text("cwd");
    const extra = { ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }) };
    return { command, ...extra, ...off };
  }
  if (url === undefined) throw new Fault(` has neither "command" nor "${form.url[0]}"${keysOf(value)}`);
  const type = text("type") ?? text("transport");
  const headers = { ...record(value, form.headers, form), ...namedHeaders(value) };
  const transport = type === "sse" ? ("sse" as const) : type === "http" ? ("http" as const) : undefined;
  const oauth = form.signsIn ? signIn(value["oauth"]) : undefined;
  return {
    url,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(transport && { type: transport }),
    ...(oauth && { oauth }),
    ...off,
  };
}

/** How to sign in. What it may hold is checked where it is used. */
function signIn(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw new Fault(`: "oauth" must be an object, got ${kind(value)}`);
  return value;
}

/** Codex' headers that name environment variables. */
function namedHeaders(value: Record<string, unknown>): Record<string, string> {
  const bearer = value[BEARER];
  const named = isObject(value[ENV_HEADERS]) ? Object.entries(value[ENV_HEADERS]) : [];
  const pairs = named.map(([key, name]): [string, string] => [key, `\${env:${String(name)}}`]);
  if (typeof bearer === "string") pairs.push(["Authorization", `Bearer \${env:${bearer}}`]);
  return bareObject(pairs) as Record<string, string>;
}

function optionalText(value: Record<string, unknown>, key: string, form: Form): string | undefined {
  const one = value[key];
  if (one === undefined || one === null) return undefined;
  if (typeof one !== "string") throw new Fault(`: ${quoted(key)} must be text, got ${kind(one)}`);
  return toCommon(one, form.variables);
}

function flag(value: Record<string, unknown>, key: string): boolean | undefined {
  const one = value[key];
  if (one === undefined || one === null || typeof one === "boolean") return one ?? undefined;
  throw new Fault(`: ${quoted(key)} must be true or false, got ${kind(one)}`);
}

function texts(value: Record<string, unknown>, key: string, form: Form): string[] | undefined {
  const list = value[key];
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) throw new Fault(`: ${quoted(key)} must be a list of texts, got ${kind(list)}`);
  return list.map((one, place) => {
    if (typeof one === "string") return toCommon(one, form.variables);
    throw new Fault(`: ${quoted(key)}[${place}] must be text, got ${kind(one)}`);
  });
}

/** A record of texts; numbers and truth values are written as text, as clients do. */
function record(value: Record<string, unknown>, key: string, form: Form): Record<string, string> | undefined {
  const one = value[key];
  if (one === undefined || one === null) return undefined;
  if (!isObject(one)) throw new Fault(`: ${quoted(key)} must be an object, got ${kind(one)}`);
  const pairs = Object.entries(one).map(([name, inner]): [string, string] => {
    if (typeof inner === "string") return [name, toCommon(inner, form.variables)];
    if (typeof inner === "number" || typeof inner === "boolean") return [name, String(inner)];
    throw new Fault(`: ${quoted(key)}.${quoted(name)} must be text, got ${kind(inner)}`);
  });
  return bareObject(pairs) as Record<string, string>;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

const kind = (value: unknown) =>
  value === null ? "null" : Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
