/** Reads the servers of a client from its configuration files. */

import { filesOf, placeOf, type Located } from "./places.js";
import { resolve, workspaceOf } from "./resolve.js";
import { unappliedOf, type Unapplied } from "./entry.js";
import { backupOf } from "./files.js";
import { formatOf, readSection, type Section, type Where } from "./section.js";
import { quoted } from "../output/escape.js";
import { clientOf, type Client, type Scope } from "./table.js";
import type { NamedServer, Place, Problem } from "./types.js";

/** The content of one of a client's files. */
export interface ClientFile {
  file: string;
  scope: Scope;
  exists: boolean;
  servers: NamedServer[];
  /** The entries that start toolsift, and the configuration file that each names. */
  own: { name: string; config?: string }[];
  /** The servers with settings that toolsift does not apply. They are in the file or were moved to toolsift. */
  unapplied: Unapplied[];
}

/** The servers in a client's files. */
export interface ClientServers {
  client: string;
  /** The path of the first file that exists. If none exists, the path where the client would create the user's file. */
  file: string;
  files: ClientFile[];
  /** All servers except toolsift itself. If two files name the same server, it is the entry that the client prefers. */
  servers: NamedServer[];
  problems: Problem[];
}

/**
 * Reads the servers of a client, except toolsift's own entry. Variables are replaced. Errors in a file are in `problems`.
 * @throws Failure for an unknown id
 */
export async function readClient(id: string, given: Partial<Place> = {}): Promise<ClientServers> {
  const client = clientOf(id);
  const place = placeOf(given);
  const problems: Problem[] = [];
  const files: ClientFile[] = [];
  const located = filesOf(client, place);
  for (const one of located) {
    const where = whereOf(client, one, place);
    const section = await readSection(where);
    const project = one.source.scope === "user" ? workspaceOf(place) : one.project;
    const resolved = resolve(section.found, one.file, place, project);
    problems.push(...section.problems, ...resolved.problems);
    const about = { file: one.file, scope: one.source.scope, exists: section.text !== undefined };
    const own = section.own.map(({ value: _, ...named }) => named);
    const unapplied = unappliedOf([...section.found, ...(await movedOf(where, section))]);
    files.push({ ...about, servers: resolved.servers, own, unapplied });
  }
  const unique = new Map(problems.map((one) => [JSON.stringify(one), one]));
  const merged = merge(files.map(({ servers }) => servers));
  const last = located.findLast(({ source }) => source.scope === "user")!;
  const file = files.find(({ exists }) => exists)?.file ?? last.file;
  return { client: id, file, files, servers: merged.servers, problems: [...unique.values(), ...merged.problems] };
}

/** Returns the place of the servers in one of a client's files. */
export function whereOf(client: Client, { source, file, project }: Located, place: Place): Where {
  // Claude Code writes the folders of projects with forward slashes, on Windows too.
  const key = place.platform === "win32" ? project.replaceAll("\\", "/") : project;
  const at = source.at.map((part) => (part === "{project}" ? key : part));
  const form = source.off ? { ...client.form, off: source.off } : client.form;
  return { file, format: formatOf(file), at, form, ...(source.skip && { skip: source.skip }) };
}

/** Returns the servers that `toolsift mcp add` moved out of a file, as they are in its backup. */
async function movedOf(where: Where, { own, names }: Section) {
  const configs = own.flatMap(({ config }) => (config === undefined ? [] : [config]));
  const copies = configs.map(async (config) => readSection({ ...where, file: await backupOf(where.file, config) }));
  return (await Promise.all(copies)).flatMap(({ found }) => found.filter(({ name }) => !names.includes(name)));
}

/** Merges lists of servers. If several servers have the same name, the first one counts. */
function merge(lists: NamedServer[][]): { servers: NamedServer[]; problems: Problem[] } {
  const servers = new Map<string, NamedServer>();
  const problems: Problem[] = [];
  for (const server of lists.flat()) {
    const first = servers.get(server.name);
    if (!first) servers.set(server.name, server);
    else if (JSON.stringify(first.entry) !== JSON.stringify(server.entry)) {
      const message = `${quoted(server.name)} is also in ${quoted(first.file)}. That entry is used, this one is ignored.`;
      problems.push({ level: "note", file: server.file, server: server.name, message });
    }
  }
  return { servers: [...servers.values()], problems };
}
