/** Reads the servers and settings that `toolsift mcp` serves, from a configuration file or from the files of clients. */

import { Failure } from "../base/failure.js";
import { readConfig } from "../clients/config.js";
import { sentence, startable } from "../clients/resolve.js";
import { findServers } from "../clients/read.js";
import type { ServerEntry } from "../clients/types.js";

/** The source of the configuration. Without both fields, the servers of all clients are served. */
export interface PlanSource {
  /** The path of a configuration file. */
  config?: string | undefined;
  /** The id of a client whose servers are served. */
  from?: string | undefined;
}

/** The configuration that was read. */
export interface ServePlan {
  servers: Map<string, ServerEntry>;
  /** For each server that cannot be started, its name and the reason. Clients get the reason. */
  faults: Map<string, string>;
  /** The object under the key `toolsift` in the configuration file. */
  settings: Record<string, unknown>;
  /** The files that were read. The gateway watches them for changes. */
  files: string[];
  /** The problems as sentences for people. */
  problems: string[];
  /** The source of the servers, as words for people. */
  origin: string;
  /** Whether a file is incomplete or broken: another program may be writing it. */
  isBroken: boolean;
}

/**
 * Reads the configuration. If an entry cannot be read, its server is left out and reported, and the others are served.
 *
 * @throws Failure if the named file is broken and no server can be read from it
 */
export async function planOf({ config, from }: PlanSource): Promise<ServePlan> {
  const read =
    config === undefined
      ? { settings: {}, ...(await findServers(from)) }
      : { files: [config], ...(await readConfig(config)) };
  const { settings, files, problems } = read;
  const isBroken = problems.some(({ level, server }) => level === "error" && server === undefined);
  const told = problems.map(sentence);
  if (config !== undefined && isBroken && read.servers.length === 0) throw new Failure(told.join("\n"));
  const { ready: servers, faults } = startable(read.servers, problems);
  // Names are changed to valid names of servers. If two entries have the same name, one that can be read counts.
  const named = [...faults].map(([name, fault]) => [name.replaceAll(":", "_").slice(0, 80), fault] as const);
  const tellable = named.filter(([name]) => name.trim() !== "" && !servers.has(name));
  const origin = config ?? `the servers of ${from ?? "all clients"}`;
  return { servers, faults: new Map(tellable), settings, files, problems: told, origin, isBroken };
}
