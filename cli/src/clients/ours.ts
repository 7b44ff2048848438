/** Makes and recognises toolsift's own entry in a client's file. */

import type { Client } from "./table.js";
import type { LocalEntry, Place, RemoteEntry, ServerEntry } from "./types.js";

/** The name of the entry. */
export const OUR_NAME = "toolsift";

/** Words that may come before the program's name: launchers, their subcommands, and `node`. */
const LAUNCHERS = new Set("cmd npx npm pnpx pnpm yarn bunx bun deno node exec dlx x run".split(" "));
const OURS = /^(?:toolsift|toolsift-cli)(?:@[^/\\]*)?$/;

/**
 * Returns the entry that starts the gateway with a configuration file. It runs `npx toolsift-cli`, because `npx toolsift` only
 * runs `npx toolsift-cli` again.
 */
export function ourEntry(client: Client, place: Place, config: string): LocalEntry {
  const npx = ["npx", "-y", "toolsift-cli", "mcp", "--config", config];
  const [command, ...args] = place.platform === "win32" && client.cmd ? ["cmd", "/c", ...npx] : npx;
  return { command: command!, args };
}

/** The header with the path of the configuration, in the entry for an HTTP gateway. */
const CONFIG_HEADER = "x-toolsift-config";

/** Returns the entry that connects a client to an HTTP gateway on this machine, which uses the given configuration. */
export function ourHttpEntry(port: number, token: string, config: string): RemoteEntry {
  // The path is encoded, because a header can hold only Latin-1 characters.
  const headers = { Authorization: `Bearer ${token}`, [CONFIG_HEADER]: encodeURIComponent(config) };
  return { url: `http://127.0.0.1:${port}/mcp`, headers };
}

/**
 * Returns true if an entry starts toolsift's gateway, perhaps with a launcher such as `npx`, or connects to it over HTTP.
 */
export function isOurs(entry: ServerEntry): boolean {
  return gatewayArguments(entry) !== undefined || configHeaderOf(entry) !== undefined;
}

/** Returns the configuration file that an entry of ours names, with `--config` or in its header. */
export function configOf(entry: ServerEntry): string | undefined {
  const header = configHeaderOf(entry);
  if (header !== undefined) return decoded(header);
  const args = gatewayArguments(entry) ?? [];
  const inline = args.find((arg) => arg.startsWith("--config="));
  if (inline !== undefined) return inline.slice("--config=".length);
  const at = args.indexOf("--config");
  return at < 0 ? undefined : args[at + 1];
}

const configHeaderOf = (entry: ServerEntry) => ("url" in entry ? entry.headers?.[CONFIG_HEADER] : undefined);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the arguments after `mcp`, or undefined if the entry does not start our gateway. */
function gatewayArguments(entry: ServerEntry): string[] | undefined {
  if (!("command" in entry)) return undefined;
  // Some users write the whole command line into `command`.
  const words = [...(entry.args === undefined ? entry.command.split(/\s+/) : [entry.command]), ...(entry.args ?? [])];
  for (const [place, word] of words.entries()) {
    if (isProgram(word)) {
      const rest = words.slice(place + 1);
      const verb = rest.findIndex((arg) => !arg.startsWith("-"));
      return rest[verb] === "mcp" ? rest.slice(verb + 1) : undefined;
    }
    if (!LAUNCHERS.has(nameOf(word)) && !/^[-/]/.test(word)) return undefined;
  }
  return undefined;
}

const isProgram = (word: string) => !word.startsWith("-") && OURS.test(nameOf(word));

/** Returns the name of a program without its folder and extension, in lower case. */
function nameOf(word: string): string {
  const last = word.split(/[/\\]/).at(-1) ?? word;
  return last.toLowerCase().replace(/\.(?:mjs|cjs|js|cmd|exe|ps1|bat)$/, "");
}
