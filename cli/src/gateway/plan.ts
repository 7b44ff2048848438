/** Plans what `mcp` serves: the servers and settings of a configuration, under the flags of the command line. */

import { Failure, reasonOf } from "../failure.js";
import { readConfig } from "../clients/config.js";
import { findServers } from "../clients/read.js";
import { placeOf } from "../clients/places.js";
import type { NamedServer, Problem, ServerEntry } from "../clients/types.js";
import { shown } from "../output/escape.js";
import { serverWay } from "./server-config.js";

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
  servers: readonly NamedServer[],
  problems: readonly Problem[],
): Pick<ServePlan, "servers" | "problems" | "faults"> {
  const able = new Map<string, ServerEntry>();
  const told = problems.map(sentence);
  const unread = problems.flatMap(({ level, server, message }) => {
    return level === "error" && server !== undefined ? [[server, message] as const] : [];
  });
  const faults = new Map<string, string>(unread);
  for (const { name, entry, needs = [], unset = [], misplaced = [] } of servers) {
    if (entry.disabled === true) continue;
    const fault =
      needs.length > 0
        ? `it needs ${needs.join(", ")}, which only its client can ask for`
        : unset.length > 0
          ? `the environment has no ${unset.join(", ")}`
          : misplaced.length > 0
            ? `${misplaced.join(", ")} may stand in "env" and "headers" alone`
            : faultOf(name, entry);
    if (fault === undefined) able.set(name, entry);
    else {
      faults.set(name, fault);
      told.push(`${JSON.stringify(shown(name, 80))} is left out: ${fault}`);
    }
  }
  return { servers: able, problems: told, faults: tellable(faults, able) };
}

/** The longest name that a server may have. */
const NAME_CHARS = 256;

/** The faults that clients are told, under names that a server may have; of two entries of one name, one that can be read counts. */
function tellable(faults: ReadonlyMap<string, string>, able: ReadonlyMap<string, unknown>): Map<string, string> {
  const named = [...faults].map(([name, fault]) => [name.replaceAll(":", "_").slice(0, NAME_CHARS), fault] as const);
  return new Map(named.filter(([name]) => name.trim() !== "" && !able.has(name)));
}

/** Why an entry reaches no server. */
function faultOf(name: string, entry: ServerEntry): string | undefined {
  if (name.trim() === "" || name.length > NAME_CHARS) return `its name must have 1 to ${NAME_CHARS} characters`;
  if (name.includes(":"))
    return "its name has a colon, which separates server and tool in scopes and rules; give it another name";
  try {
    serverWay(`mcpServers.${shown(name, 80)}`, entry);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function sentence({ file, line, column, message }: Problem): string {
  const where = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${where}: ${message}`;
}
