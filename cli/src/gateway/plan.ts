/** Reads the servers and settings that `toolsift mcp` serves, from a configuration file or from the files of a client. */

import { Failure, misuse } from "../base/failure.js";
import { readConfig } from "../clients/config.js";
import { sentence, startable } from "../clients/resolve.js";
import { readClient } from "../clients/read.js";
import type { NamedServer, ServerEntry } from "../clients/types.js";
import { type Admitted, isOwn } from "../listen/listen.js";
import { quoted } from "../output/escape.js";

/** The source of the configuration: exactly one of the two. */
export interface PlanSource {
  /** The path of a configuration file. */
  config?: string | undefined;
  /** The id of a client whose servers are served. */
  from?: string | undefined;
}

/** The source of a gateway's configuration, and where the gateway listens. */
type Source = PlanSource & Pick<Admitted, "host" | "allowedHosts"> & { http?: number | undefined };

/** The configuration that was read. */
export interface ServePlan {
  servers: Map<string, ServerEntry>;
  /** For each server that cannot be started, its name and the reason. Clients get the reason. */
  faults: Map<string, string>;
  /** The object under the key `toolsift` in the configuration file. */
  settings: Record<string, unknown>;
  /** The files that are read, even if they do not exist yet. The gateway watches them for changes. */
  files: string[];
  /** The problems as sentences for people. */
  problems: string[];
  /** The servers with the files that name them. */
  named: NamedServer[];
}

/**
 * Reads the configuration. If an entry cannot be read, its server is left out and reported, and the others are served.
 *
 * @param before the result of an earlier read. If a client's file is broken now, its servers stay as they were, because another
 * program may be writing the file
 * @throws Failure if there is no source; or if the file in `config` is broken, and `before` is given or no server can be read
 */
export async function planOf(source: Source, before?: ServePlan): Promise<ServePlan> {
  const read = await readFrom(source);
  const broken = read.problems.flatMap(({ level, server, file }) => (level === "error" && server === undefined ? file : []));
  if (source.config !== undefined && broken.length > 0 && (before || read.servers.length === 0)) {
    throw new Failure(read.problems.map(sentence).join("\n"));
  }
  const isKept = ({ file }: NamedServer) => before !== undefined && broken.includes(file);
  const found = [...read.servers.filter((one) => !isKept(one)), ...(before?.named.filter(isKept) ?? [])];
  const problems = [...read.problems];
  const named = found.map((one): NamedServer => {
    const { name, file, entry } = one;
    if (one.fault !== undefined || entry.disabled || !("url" in entry) || !isOwn(entry.url, source)) return one;
    const fault = "its URL is the address of this gateway";
    problems.push({ level: "error", file, server: name, message: `${quoted(name)} is left out: ${fault}.` });
    return { ...one, fault };
  });
  const { ready: servers, faults } = startable(named, problems);
  // Names are changed to valid names of servers. A fault is left out if a server with the same name can be started.
  const told = [...faults].map(([name, fault]) => [name.replaceAll(":", "_").slice(0, 80), fault] as const);
  const tellable = new Map(told.filter(([name]) => name.trim() !== "" && !servers.has(name)));
  const { settings, files } = read;
  return { servers, faults: tellable, settings, files, problems: problems.map(sentence), named };
}

async function readFrom({ config, from }: PlanSource) {
  if (config !== undefined) return { files: [config], ...(await readConfig(config)) };
  if (from === undefined) {
    const way = "or let `npx toolsift mcp add CLIENT` set a client up";
    throw misuse(`give --config FILE or --from CLIENT, which say whose servers are meant, ${way}`);
  }
  const { files, servers, problems } = await readClient(from);
  return { files: files.map(({ file }) => file), servers, problems, settings: {} };
}
