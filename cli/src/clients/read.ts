/** Reads the servers of one client, or of all, from the files where clients keep them. */

import { filesOf, placeOf, type Located } from "./places.js";
import { resolve, workspaceOf } from "./resolve.js";
import { unappliedOf, type Unapplied } from "./entry.js";
import { backupOf } from "./files.js";
import { formatOf, readSection, type Section, type Where } from "./section.js";
import { quoted } from "../output/escape.js";
import { CLIENTS, clientOf, type Client, type Scope } from "./table.js";
import type { NamedServer, Place, Problem } from "./types.js";

/** One of a client's files, as it was read. */
export interface ClientFile {
  file: string;
  scope: Scope;
  exists: boolean;
  servers: NamedServer[];
  /** Entries that start toolsift, and the configuration that they name. */
  own: { name: string; config?: string }[];
  /** The servers, in the file or behind toolsift, with settings that toolsift does not apply. */
  unapplied: Unapplied[];
}

/** The servers in a client's files. */
export interface ClientServers {
  client: string;
  /** The first file that exists, or the one that the client would create for the user. */
  file: string;
  files: ClientFile[];
  /** All servers but toolsift itself; where two files name the same server, the entry that the client prefers. */
  servers: NamedServer[];
  problems: Problem[];
}

/** The servers for a gateway without a configuration of its own, and the files that name them. */
export interface FoundServers extends Pick<ClientServers, "servers" | "problems"> {
  files: string[];
}

/**
 * Reads the servers of a client. Variables are replaced. toolsift's own entry is never among the servers.
 * @throws ClientError for an unknown id; what a file has wrong is a problem in the result
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

/**
 * The servers of a client, or of all clients in the order of `CLIENTS`. If two name the same server, the first one counts and a
 * note says so.
 */
export async function findServers(from: string | undefined, given: Partial<Place> = {}): Promise<FoundServers> {
  const ids = from === undefined ? CLIENTS.map(({ id }) => id) : [from];
  const all = await Promise.all(ids.map((id) => readClient(id, given)));
  const { servers, problems } = merge(all.map((one) => one.servers));
  const files = all.flatMap((one) => one.files.filter(({ exists }) => exists).map(({ file }) => file));
  return { files: [...new Set(files)], servers, problems: [...all.flatMap((one) => one.problems), ...problems] };
}

/** Where the servers of one of a client's files stand. */
export function whereOf(client: Client, { source, file, project }: Located, place: Place): Where {
  // Claude Code writes the folders of projects with forward slashes, on Windows too.
  const key = place.platform === "win32" ? project.replaceAll("\\", "/") : project;
  const at = source.at.map((part) => (part === "{project}" ? key : part));
  const form = source.off ? { ...client.form, off: source.off } : client.form;
  return { file, format: formatOf(file), at, form, ...(source.skip && { skip: source.skip }) };
}

/** The servers that `add` moved out of a file, as they stand in its backup. */
async function movedOf(where: Where, { own, names }: Section) {
  const configs = own.flatMap(({ config }) => (config === undefined ? [] : [config]));
  const copies = configs.map(async (config) => readSection({ ...where, file: await backupOf(where.file, config) }));
  return (await Promise.all(copies)).flatMap(({ found }) => found.filter(({ name }) => !names.includes(name)));
}

/** One list of servers from several; the first entry of a name counts. */
function merge(lists: NamedServer[][]): { servers: NamedServer[]; problems: Problem[] } {
  const servers = new Map<string, NamedServer>();
  const problems: Problem[] = [];
  for (const server of lists.flat()) {
    const first = servers.get(server.name);
    if (!first) servers.set(server.name, server);
    else if (JSON.stringify(first.entry) !== JSON.stringify(server.entry)) {
      const message = `${quoted(server.name)} stands in ${quoted(first.file)} too. That entry counts, this one does not.`;
      problems.push({ level: "note", file: server.file, server: server.name, message });
    }
  }
  return { servers: [...servers.values()], problems };
}
