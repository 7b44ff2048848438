/** Derives the name of a server's file in the state folder from the server's name and its command or URL. */

import { createHash } from "node:crypto";

/** The part of a server's entry that says how it is started or reached. Other settings do not count. */
export interface StartedWith {
  command?: string | undefined;
  args?: readonly string[] | undefined;
  cwd?: string | undefined;
  env?: Readonly<Record<string, unknown>> | undefined;
  url?: string | undefined;
  headers?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns how a server is started or reached, or undefined if the configuration does not have the server. */
export type Configured = (server: string) => StartedWith | undefined;

/** The most characters of a server's name in the name of its file. */
const READABLE = 40;

/**
 * Returns the name of a server's file, without its extension. The name is readable, safe in every file system, and different
 * for different servers and commands. The names in `env` and `headers` count too. Their values count only with `values`. The
 * name holds only a hash of them.
 */
export function fileNameOf(server: string, started: StartedWith | undefined, { values = false } = {}): string {
  const named = (record: Readonly<Record<string, unknown>> | undefined): unknown => {
    const entries = Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    return values ? entries : entries.map(([name]) => name);
  };
  const { command, args, cwd, url, env, headers } = started ?? {};
  const identity = [server, command ?? null, args ?? [], cwd ?? null, url ?? null, named(env), named(headers)];
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 24);
  const readable = server.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, READABLE);
  return `${readable}-${hash}`;
}
