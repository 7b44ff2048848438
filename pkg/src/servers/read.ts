/** Reads one entry of `mcpServers`: how a server is reached. Library, gateway and command line read entries here. */

import { ToolSiftError } from "../errors.js";
import { ownFields } from "../plain.js";
import { isList, kind } from "../values.js";
import { expanded, type Variables } from "./variables.js";
import type { ServerWay } from "./way.js";

const STDIO = ["command", "args", "env", "cwd"] as const;
const REMOTE = ["url", "headers"] as const;
/** The keys that say how a server is reached. */
export const SERVER_KEYS = ["type", ...STDIO, ...REMOTE] as const;
/** How clients spell the transports. */
const TYPES: Readonly<Record<string, "stdio" | "http" | "sse">> = {
  stdio: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  sse: "sse",
};
/** More than any command line takes. */
const MOST_CHARS = 100_000;

/**
 * Reads the entry of one server, with `${NAME}`, `${env:NAME}` and `${NAME:-otherwise}` filled in. Keys that are not in
 * `SERVER_KEYS` are left alone.
 *
 * @param what where the entry stands, for messages, such as `mcpServers.github`
 * @param variables the values of variables; `"filled"` where the texts are filled in already; undefined refuses variables
 * @throws ToolSiftError `option_invalid`, `option_conflict`; MissingVariable. No message holds the value of a variable, of
 * `env` or of a header.
 */
export function serverWay(what: string, given: unknown, variables: Variables | "filled" | undefined): ServerWay {
  const entry = Object.fromEntries(
    Object.entries(ownFields(what, given)).filter(([, value]) => value !== undefined && value !== null),
  );
  const { command, args = [], env, cwd, url, headers = {}, type } = entry as Record<string, unknown>;
  if ((command === undefined) === (url === undefined)) {
    const [has, code] =
      command === undefined ? ["neither command nor", "option_invalid"] : ["both command and", "option_conflict"];
    throw new ToolSiftError(code as "option_invalid", `${what} has ${has} url; a server has one of them`);
  }
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
  const fill = (key: string, value: unknown) => filled(`${what}.${key}`, value, variables);
  const fillAll = (key: string, value: unknown) => {
    const entries = Object.entries(ownFields(`${what}.${key}`, value));
    return Object.fromEntries(entries.map(([name, one]) => [name, fill(`${key}.${name.slice(0, 80)}`, one)]));
  };
  if (isStdio) {
    if (!isList(args)) throw wrong(`${what}.args`, kind(args), "a list of texts");
    return {
      kind: "stdio",
      command: notEmpty(`${what}.command`, fill("command", command)),
      args: args.map((one, at) => fill(`args[${at}]`, one)),
      ...(env !== undefined && { env: fillAll("env", env) }),
      ...(cwd !== undefined && { cwd: notEmpty(`${what}.cwd`, fill("cwd", cwd)) }),
    };
  }
  const sent = fillAll("headers", headers);
  checkHeaders(what, sent);
  // As it stands in the configuration: what a variable holds may be secret.
  const written = variables === "filled" && typeof url === "string" ? "a text" : kind(url);
  const to = urlOf(`${what}.url`, fill("url", url), written);
  return { kind: (kindOf as "http" | "sse" | undefined) ?? "either", url: to, headers: sent };
}

function filled(what: string, value: unknown, variables: Variables | "filled" | undefined): string {
  if (typeof value !== "string") throw wrong(what, kind(value), "a text");
  if (value.length > MOST_CHARS) throw wrong(what, `a text of ${value.length} characters`, `one of at most ${MOST_CHARS}`);
  const text = variables === "filled" ? value : expanded(what, value, variables);
  if (text.includes("\0")) throw wrong(what, "a text with the character U+0000", "one without");
  return text;
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
