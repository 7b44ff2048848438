/** What `mcp` serves: the servers and settings of a configuration, under the flags of the command line. */

import { Failure } from "../failure.js";
import { readConfig } from "../clients/config.js";
import { findServers } from "../clients/read.js";
import { placeOf } from "../clients/places.js";
import type { NamedServer, Problem, ServerEntry } from "../clients/types.js";

/** Where the configuration is. */
export interface PlanSource {
  /** A file of the user's. */
  config?: string;
  /** A client whose servers are served. */
  from?: string;
}

/** What was found. */
export interface ServePlan {
  servers: Map<string, ServerEntry>;
  /** The object under `toolsift` of a configuration file. */
  settings: Record<string, unknown>;
  /** The files that were read: a change of one of them is taken up. */
  files: string[];
  /** In sentences for people. */
  problems: string[];
  /** Where the servers stand, for people. */
  origin: string;
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
    const told = problems.map(sentence);
    const hasFailed = problems.some(({ level, server }) => level === "error" && server === undefined);
    if (hasFailed && servers.length === 0) throw new Failure(told.join("\n"));
    return { ...taken(servers), settings, files: [config], problems: [...told, ...missing(servers)], origin: config };
  }
  const { servers, files, problems, client, reason } = await findServers({ ...place, ...(from !== undefined && { from }) });
  const origin = client === undefined ? reason : `the servers of ${client}: ${reason}`;
  return { ...taken(servers), settings: {}, files, problems: [...problems.map(sentence), ...missing(servers)], origin };
}

function taken(servers: readonly NamedServer[]): { servers: Map<string, ServerEntry> } {
  const able = servers.filter(({ entry, needs = [] }) => entry.disabled !== true && needs.length === 0);
  return { servers: new Map(able.map(({ name, entry }) => [name, entry])) };
}

function missing(servers: readonly NamedServer[]): string[] {
  return servers.flatMap(({ name, needs = [] }) => {
    return needs.length === 0
      ? []
      : [`${JSON.stringify(name)} is left out: it needs ${needs.join(", ")}, which only its client can ask for.`];
  });
}

function sentence({ file, line, column, message }: Problem): string {
  const where = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${where}: ${message}`;
}
