/** Plans what `mcp` serves: the servers and settings of a configuration, under the flags of the command line. */

import { Failure } from "../base/failure.js";
import { readConfig } from "../clients/config.js";
import { sentence, startable } from "../clients/resolve.js";
import { findServers } from "../clients/read.js";
import { placeOf } from "../clients/places.js";
import type { NamedServer, Problem, ServerEntry } from "../clients/types.js";

/** The place of the configuration. */
export interface PlanSource {
  /** A file of the user's. */
  config?: string | undefined;
  /** A client whose servers are served. */
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
  const place = placeOf();
  if (config !== undefined) {
    const { servers, settings, problems } = await readConfig(config, place);
    const isBroken = problems.some(breaks);
    if (isBroken && servers.length === 0) throw new Failure(problems.map(sentence).join("\n"));
    return { ...reachableServers(servers, problems), settings, files: [config], origin: config, isBroken };
  }
  const { servers, files, problems, client, reason } = await findServers({ ...place, from });
  const origin = client === undefined ? reason : `the servers of ${client}: ${reason}`;
  return { ...reachableServers(servers, problems), settings: {}, files, origin, isBroken: problems.some(breaks) };
}

const breaks = ({ level, server }: Problem) => level === "error" && server === undefined;

/** The servers that can be reached, and what is wrong with the others. */
function reachableServers(
  found: readonly NamedServer[],
  problems: readonly Problem[],
): Pick<ServePlan, "servers" | "problems" | "faults"> {
  const { ready: servers, faults } = startable(found, problems);
  // Clients are told under names that a server may have; of two entries of one name, one that can be read counts.
  const named = [...faults].map(([name, fault]) => [name.replaceAll(":", "_").slice(0, 80), fault] as const);
  const tellable = named.filter(([name]) => name.trim() !== "" && !servers.has(name));
  return { servers, problems: problems.map(sentence), faults: new Map(tellable) };
}
