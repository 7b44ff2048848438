/** toolsift's own entry in a client's file: how it looks, and how it is recognised. */

import type { Client } from "./table.js";
import type { LocalEntry, Place, RemoteEntry, ServerEntry } from "./types.js";

/** The name under which the entry stands. */
export const OUR_NAME = "toolsift";

/** Words that may stand before the program: launchers, their commands, and `node`. */
const LAUNCHERS = new Set("cmd npx npm pnpx pnpm yarn bunx bun deno node exec dlx x run".split(" "));
const OURS = /^(?:toolsift|toolsift-cli)(?:@[^/\\]*)?$/;

/**
 * The entry that starts the gateway with a configuration file. It names the package of the commands: `npx toolsift` would bring that
 * by a second npx.
 */
export function ourEntry(client: Client, place: Place, config: string): LocalEntry {
  const npx = ["npx", "-y", "toolsift-cli", "mcp", "--config", config];
  const [command, ...args] = place.platform === "win32" && client.cmd ? ["cmd", "/c", ...npx] : npx;
  return { command: command!, args };
}

/** The header by which the entry of a gateway over HTTP says whose servers the gateway serves. */
const CONFIG_HEADER = "x-toolsift-config";

/** The entry that leads to a gateway over HTTP on this machine, which serves a configuration file. */
export function ourHttpEntry(port: number, token: string, config: string): RemoteEntry {
  // A header holds no letters beyond Latin-1.
  const headers = { Authorization: `Bearer ${token}`, [CONFIG_HEADER]: encodeURIComponent(config) };
  return { url: `http://127.0.0.1:${port}/mcp`, headers };
}

/** Whether an entry starts toolsift's gateway, by `npx`, another launcher, or the program itself, or leads to one over HTTP. */
export function isOurs(entry: ServerEntry): boolean {
  return gatewayArguments(entry) !== undefined || configHeaderOf(entry) !== undefined;
}

/** The file that an entry of ours names: by `--config`, or in its header. */
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

/** The arguments after `mcp` where the entry is ours. */
function gatewayArguments(entry: ServerEntry): string[] | undefined {
  if (!("command" in entry)) return undefined;
  // Some people write the whole line as the command.
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

/** The name of a program without its folder and ending. */
function nameOf(word: string): string {
  const last = word.split(/[/\\]/).at(-1) ?? word;
  return last.toLowerCase().replace(/\.(?:mjs|cjs|js|cmd|exe|ps1|bat)$/, "");
}
