/** Reads the connection in one entry of `mcpServers`, for the library, the gateway and the command line. */

import { ToolSiftError } from "../base/errors.js";
import { ownFields } from "../base/plain-data.js";
import { isList, kind } from "../base/values.js";
import clients from "./clients.json" with { type: "json" };
import { checkName } from "./name.js";
import { expanded, type Variables } from "./variables.js";
import type { ServerEntry, ServerWay } from "./way.js";

const STDIO = ["command", "args", "env", "cwd"] as const;
const REMOTE = ["url", "headers"] as const;
/** The keys that describe the connection to a server. */
export const SERVER_KEYS = ["type", ...STDIO, ...REMOTE] as const;
/** The names of the transports in the configurations of clients. */
const TYPES: Readonly<Record<string, string>> = clients.types;
/** The maximum length of a text, above the limit of any command line. */
const MOST_CHARS = 100_000;
const NAMED = 5;

/**
 * Reads the way in which the gateway connects to a server, with the values of `${NAME}`, `${env:NAME}` and
 * `${NAME:-otherwise}` filled in; `$${` means `${`. Keys that do not describe the connection are ignored.
 *
 * @param name the server's name; it must not have a colon, which separates server and tool in scopes and rules
 * @param variables the values of variables; `"filled"` if the texts are already filled in; undefined refuses variables
 * @throws ToolSiftError `option_invalid`, `option_conflict`; MissingVariable. No message has the value of a variable, of
 * `env` or of a header.
 */
export function serverWay(name: string, entry: unknown, variables: Variables | "filled" | undefined): ServerWay {
  checkName(name);
  checkNoColon(name);
  const what = `mcpServers.${name.slice(0, 80)}`;
  return wayOf(what, serverEntry(what, entry), variables);
}

/** Refuses a name with a colon, at which scopes and rules would split it. @throws ToolSiftError `option_invalid` */
export function checkNoColon(name: string): void {
  if (!name.includes(":")) return;
  const why = "has a colon, which separates server and tool in scopes and rules; give it another name";
  throw new ToolSiftError("option_invalid", `${JSON.stringify(name.slice(0, 80))} ${why}`);
}

/**
 * Checks the entry of one server. Numbers and booleans in `env` and `headers` become texts, as in other clients. Keys that
 * do not describe the connection are left out.
 *
 * @param what the place of the entry for messages, such as `mcpServers.github`
 * @throws ToolSiftError `option_invalid`, `option_conflict`
 */
export function serverEntry(what: string, given: unknown): ServerEntry {
  const entry = Object.fromEntries(
    Object.entries(ownFields(what, given)).filter(([, value]) => value !== undefined && value !== null),
  );
  const { command, args, env, cwd, url, headers, type, disabled, enabled } = entry;
  if ((command === undefined) === (url === undefined)) throw undecided(what, entry);
  const isStdio = command !== undefined;
  const kindOf = type === undefined ? undefined : Object.hasOwn(TYPES, String(type)) ? TYPES[String(type)] : null;
  if (kindOf === null) throw wrong(`${what}.type`, kind(type), `one of ${Object.keys(TYPES).join(", ")}`);
  if (kindOf !== undefined && (kindOf === "stdio") !== isStdio) {
    const message = `${what}.type is ${JSON.stringify(type)}, which does not go with ${isStdio ? "command" : "url"}`;
    throw new ToolSiftError("option_conflict", message);
  }
  const stray = (isStdio ? REMOTE : STDIO).find((key) => entry[key] !== undefined);
  if (stray !== undefined) {
    throw new ToolSiftError("option_conflict", `${what}.${stray} does not go with ${isStdio ? "command" : "url"}`);
  }
  const [off, on] = [aFlag(`${what}.disabled`, disabled), aFlag(`${what}.enabled`, enabled)];
  const isOff = off === true || on === false;
  if (isStdio) {
    return {
      command: notEmpty(`${what}.command`, aText(`${what}.command`, command)),
      ...(args !== undefined && { args: texts(`${what}.args`, args) }),
      ...(env !== undefined && { env: record(`${what}.env`, env) }),
      ...(cwd !== undefined && { cwd: aText(`${what}.cwd`, cwd) }),
      ...(isOff && { disabled: true }),
    };
  }
  return {
    url: aText(`${what}.url`, url),
    ...(headers !== undefined && { headers: record(`${what}.headers`, headers) }),
    ...((kindOf === "http" || kindOf === "sse") && { type: kindOf }),
    ...(isOff && { disabled: true }),
  };
}

/** Returns the way to connect to the server of an entry. @throws as `serverWay` */
export function wayOf(what: string, entry: ServerEntry, variables: Variables | "filled" | undefined): ServerWay {
  const fill = (key: string, text: string) => filled(`${what}.${key}`, text, variables);
  const fillAll = (key: string, values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, one]) => [name, fill(`${key}.${name.slice(0, 80)}`, one)]));
  if ("command" in entry) {
    const { command, args = [], env, cwd } = entry;
    return {
      kind: "stdio",
      command: notEmpty(`${what}.command`, fill("command", command)),
      args: args.map((one, at) => fill(`args[${at}]`, one)),
      ...(env !== undefined && { env: fillAll("env", env) }),
      ...(cwd !== undefined && { cwd: notEmpty(`${what}.cwd`, fill("cwd", cwd)) }),
    };
  }
  const headers = fillAll("headers", entry.headers ?? {});
  checkHeaders(what, headers);
  // Messages show the URL as written in the configuration, because the value of a variable may be secret.
  const written = variables === "filled" ? "a text" : kind(entry.url);
  const url = urlOf(`${what}.url`, fill("url", entry.url), written);
  return { kind: entry.type ?? "either", url, headers };
}

function undecided(what: string, entry: object): ToolSiftError {
  if ("command" in entry) {
    return new ToolSiftError("option_conflict", `${what} has both command and url; a server has one of them`);
  }
  const keys = Object.keys(entry).slice(0, NAMED);
  const has = keys.map((key) => JSON.stringify(key.slice(0, 40))).join(", ");
  const help = has === "" ? "a server has one of them" : `it has ${has}`;
  return new ToolSiftError("option_invalid", `${what} has neither command nor url; ${help}`);
}

function filled(what: string, given: string, variables: Variables | "filled" | undefined): string {
  if (given.length > MOST_CHARS) throw wrong(what, `a text of ${given.length} characters`, `one of at most ${MOST_CHARS}`);
  const text = variables === "filled" ? given : expanded(what, given, variables);
  if (text.includes("\0")) throw wrong(what, "a text with the character U+0000", "one without");
  return text;
}

function aText(what: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw wrong(what, kind(value), "a text");
}

function aFlag(what: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  throw wrong(what, kind(value), "true or false");
}

function texts(what: string, value: unknown): string[] {
  // The text is not shown, because it may be secret.
  if (!isList(value)) throw wrong(what, typeof value === "string" ? "a text" : kind(value), "a list of texts");
  return value.map((one, at) => aText(`${what}[${at}]`, one));
}

function record(what: string, value: unknown): Record<string, string> {
  if (typeof value === "string") throw wrong(what, "a text", "an object of texts");
  const text = (key: string, one: unknown) =>
    typeof one === "number" || typeof one === "boolean" ? String(one) : aText(`${what}.${key.slice(0, 80)}`, one);
  return Object.fromEntries(Object.entries(ownFields(what, value)).map(([key, one]) => [key, text(key, one)]));
}

function notEmpty(what: string, text: string): string {
  if (text.trim() === "") throw wrong(what, "empty", "a text that is not empty");
  return text;
}

function urlOf(what: string, text: string, written: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw wrong(what, written, "a URL that begins with http:// or https://");
  }
  if (url.username === "" && url.password === "") return url;
  throw new ToolSiftError("option_invalid", `${what} must not hold a user or a password; use headers`);
}

function checkHeaders(what: string, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new ToolSiftError("option_invalid", `${what}.headers.${name.slice(0, 80)} is not a header that can be sent`);
    }
  }
}

function wrong(what: string, is: string, wanted: string): ToolSiftError {
  return new ToolSiftError("option_invalid", `${what} is ${is}; it must be ${wanted}`);
}
