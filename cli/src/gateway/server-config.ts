/** Reads one entry of `mcpServers`: how a server is reached. Keys that clients keep there for themselves are left alone. */

import { type OAuthSettings, oauthSettings } from "../oauth/settings.js";
import { shown } from "../shown.js";

/** How one server is reached. */
export type ServerWay =
  | { kind: "stdio"; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { kind: "http" | "sse" | "either"; url: URL; headers: Record<string, string>; oauth: OAuthSettings };

/** The values of variables; undefined where an entry's texts are filled in already. */
type Variables = Readonly<Record<string, string | undefined>> | undefined;

const TYPES: Record<string, "http" | "sse"> = {
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  sse: "sse",
};
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s;
/** No text of an entry is longer. */
const MAX_CHARS = 100_000;
/** No list or table of an entry has more. */
const MAX_ENTRIES = 1_000;

/**
 * Reads the entry of one server, with `${NAME}`, `${env:NAME}` and `${NAME:-otherwise}` filled in.
 *
 * @param what where the entry stands, for messages, such as `mcpServers.github`
 * @throws Error that says what is wrong; it never holds the value of a variable, of `env` or of a header
 */
export function serverWay(what: string, given: unknown, variables: Variables): ServerWay {
  const entry = table(what, given);
  const { command, url, type } = entry;
  if ((command === undefined) === (url === undefined)) {
    const has = command === undefined ? "neither command nor url" : "both command and url";
    throw new Error(`${what} has ${has}; a server has one of them`);
  }
  if (type !== undefined && type !== "stdio" && !(typeof type === "string" && Object.hasOwn(TYPES, type))) {
    const written = JSON.stringify(shown(String(type), 40));
    throw new Error(`${what}.type is ${written}; it may be stdio, ${Object.keys(TYPES).join(", ")}`);
  }
  const fill = (place: string, value: unknown) => filled(`${what}.${place}`, value, variables);
  const fillAll = (place: string) => {
    const entries = Object.entries(table(`${what}.${place}`, entry[place] ?? {}));
    return Object.fromEntries(entries.map(([key, value]) => [key, fill(`${place}.${shown(key, 80)}`, value)]));
  };
  if (command !== undefined) {
    const args = entry["args"] ?? [];
    if (!Array.isArray(args) || args.length > MAX_ENTRIES) {
      throw new Error(`${what}.args must be a list of at most ${MAX_ENTRIES} texts`);
    }
    return {
      kind: "stdio",
      command: notEmpty(`${what}.command`, fill("command", command)),
      args: args.map((one, at) => fill(`args[${at}]`, one)),
      env: fillAll("env"),
      ...(entry["cwd"] === undefined ? {} : { cwd: notEmpty(`${what}.cwd`, fill("cwd", entry["cwd"])) }),
    };
  }
  if (type === "stdio") throw new Error(`${what}.type is "stdio", which does not go with url`);
  const kind = type === undefined ? "either" : TYPES[type as string]!;
  const headers = fillAll("headers");
  checkHeaders(what, headers);
  const oauth = oauthOf(`${what}.oauth`, entry["oauth"], variables);
  return { kind, url: urlOf(`${what}.url`, fill("url", url)), headers, oauth };
}

/** The `oauth` entry; its texts may hold variables as well. */
function oauthOf(what: string, given: unknown, variables: Variables): OAuthSettings {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return oauthSettings(what, given);
  const entries = Object.entries(table(what, given)).map(([key, value]) => {
    return [key, typeof value === "string" ? filled(`${what}.${shown(key, 40)}`, value, variables) : value];
  });
  return oauthSettings(what, Object.fromEntries(entries));
}

function table(what: string, given: unknown): Record<string, unknown> {
  if (typeof given === "object" && given !== null && !Array.isArray(given) && Object.keys(given).length <= MAX_ENTRIES) {
    return Object.fromEntries(Object.entries(given));
  }
  throw new Error(`${what} must be an object of at most ${MAX_ENTRIES} entries`);
}

function filled(what: string, value: unknown, variables: Variables): string {
  if (typeof value !== "string") throw new Error(`${what} must be a text`);
  if (value.length > MAX_CHARS) throw new Error(`${what} has ${value.length} characters; at most ${MAX_CHARS} are allowed`);
  const text =
    variables === undefined
      ? value
      : value.replace(/\$\{([^}]*)\}/g, (whole, inner: string) => {
          const [, name, otherwise] = VARIABLE.exec(inner) ?? [];
          const written = JSON.stringify(shown(whole, 80));
          if (name === undefined) {
            throw new Error(`${what} holds ${written}, which is not a variable; write \${NAME} or \${env:NAME}`);
          }
          const found = Object.hasOwn(variables, name) ? variables[name] : undefined;
          if (found !== undefined && found !== "") return found;
          if (otherwise !== undefined) return otherwise;
          throw new Error(`${what} holds ${written}, and the environment has no ${name}`);
        });
  if (text.includes("\0")) throw new Error(`${what} holds the character U+0000`);
  return text;
}

function notEmpty(what: string, text: string): string {
  if (text.trim() === "") throw new Error(`${what} must not be empty`);
  return text;
}

function urlOf(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new Error(`${what} must be a URL that begins with http:// or https://`);
  }
  if (url.username !== "" || url.password !== "") throw new Error(`${what} must not hold a user or a password; use headers`);
  return url;
}

function checkHeaders(what: string, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new Error(`${what}.headers.${shown(name, 80)} is not a header that can be sent`);
    }
  }
}
