/** Names what is kept of a server on disk: by its name and by how it is started. */

import { createHash } from "node:crypto";

/** How a server is started or reached, as a configuration has it. Other settings do not count. */
export interface StartedWith {
  command?: string | undefined;
  args?: readonly string[] | undefined;
  cwd?: string | undefined;
  env?: Readonly<Record<string, unknown>> | undefined;
  url?: string | undefined;
  headers?: Readonly<Record<string, unknown>> | undefined;
}

/** Finds how a server is started; undefined for one that the configuration does not have. */
export type Configured = (server: string) => StartedWith | undefined;

/** At most so many characters of a server's name stand in the name of a file. */
const READABLE = 40;

/**
 * The name of a file for a server, without its ending: readable, safe in every file system, different for two servers and
 * for two ways to start one. Of `env` and `headers` the names count; their values only if `values` is set. Nothing of the
 * values can be read from the name.
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
