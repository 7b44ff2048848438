/** Plans what `mcp` serves: the servers and settings of a configuration, under the flags of the command line. */

import { Failure } from "../base/failure.js";
import { readConfig } from "../clients/config.js";
import { sentence, startable } from "../clients/resolve.js";
import { findServers } from "../clients/read.js";
import type { ServerEntry } from "../clients/types.js";

/** The place of the configuration. */
export interface PlanSource {
  /** A file of the user's. */
  config?: string | undefined;
  /** A client whose servers are served; those of all clients where neither is named. */
  from?: string | undefined;
}

/** The configuration that was found. */
export interface ServePlan {
  servers: Map<string, ServerEntry>;
  /** Why the other servers of the configuration cannot be started, by their names. Clients are told. */
  faults: Map<string, string>;
  /** The object under `toolsift` of a configuration file. */
  settings: Record<string, unknown>;
  /** The files that were read: a change of one of them is taken up. */
  files: string[];
  /** In sentences for people. */
  problems: string[];
  /** Where the servers stand, for people. */
  origin: string;
  /** Whether a file could not be read to its end: somebody may be writing it. */
  isBroken: boolean;
}

/**
 * Reads the configuration. Servers that cannot be read are left out and told; the others are served.
 *
 * @throws Failure where a file was named and nothing in it can be read
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
  // Clients are told under names that a server may have; of two entries of one name, one that can be read counts.
  const named = [...faults].map(([name, fault]) => [name.replaceAll(":", "_").slice(0, 80), fault] as const);
  const tellable = named.filter(([name]) => name.trim() !== "" && !servers.has(name));
  const origin = config ?? `the servers of ${from ?? "all clients"}`;
  return { servers, faults: new Map(tellable), settings, files, problems: told, origin, isBroken };
}
