/** Reads the servers of one client, or of the client that starts us, from the files where clients keep them. */

import { filesOf, placeOf, type Located } from "./places.js";
import { resolve, workspaceOf } from "./resolve.js";
import { unappliedOf, type Unapplied } from "./entry.js";
import { backupOf } from "./files.js";
import { formatOf, readSection, type Section, type Where } from "./section.js";
import { quoted } from "../output/escape.js";
import { CLIENTS, clientOf, type Client, type Scope } from "./table.js";
import type { NamedServer, Place, Problem } from "./types.js";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** One of a client's files, as it was read. */
export interface ClientFile {
  file: string;
  scope: Scope;
  exists: boolean;
  /** An older place, which is read but never written. */
  legacy: boolean;
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

/** The servers for a gateway without a configuration of its own. */
export interface FoundServers {
  /** The client whose files were read; undefined where all clients' files were. */
  client?: string;
  /** Why this client. */
  reason: string;
  files: string[];
  servers: NamedServer[];
  problems: Problem[];
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
    const { scope, legacy = false } = one.source;
    const about = { file: one.file, scope, exists: section.text !== undefined, legacy };
    const own = section.own.map(({ value: _, ...named }) => named);
    const unapplied = unappliedOf([...section.found, ...(await movedOf(where, section))]);
    files.push({ ...about, servers: resolved.servers, own, unapplied });
  }
  const unique = new Map(problems.map((one) => [JSON.stringify(one), one]));
  const merged = merge(files.map(({ servers }) => servers));
  const last = located.findLast(({ source }) => source.scope === "user" && !source.legacy)!;
  const file = files.find(({ exists, legacy }) => exists && !legacy)?.file ?? last.file;
  return { client: id, file, files, servers: merged.servers, problems: [...unique.values(), ...merged.problems] };
}

/**
 * The servers for a gateway that was given no file: those of `from`, else those of the client that starts this process, else
 * those of all clients in the order of `CLIENTS`. Where two name the same server, the first one counts and a note says so.
 */
export async function findServers(
  options: Partial<Place> & { from?: string | undefined; ancestors?: Ancestors } = {},
): Promise<FoundServers> {
  const place = placeOf(options);
  const detected = options.from === undefined ? await detect(place, options.ancestors) : undefined;
  const id = options.from ?? detected?.client;
  if (id !== undefined) {
    const { files, servers, problems } = await readClient(id, place);
    return { client: id, reason: detected?.reason ?? "it was named", files: present(files), servers, problems };
  }
  const all = await Promise.all(CLIENTS.map((client) => readClient(client.id, place)));
  const { servers, problems } = merge(all.map((one) => one.servers));
  return {
    reason: "nothing shows which client starts toolsift, so the files of all clients are read",
    files: all.flatMap(({ files }) => present(files)),
    servers,
    problems: [...all.flatMap((one) => one.problems), ...problems],
  };
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

const present = (files: ClientFile[]) => [...new Set(files.filter(({ exists }) => exists).map(({ file }) => file))];

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

/** How many ancestors are looked at: client, npx, a shell and node make three or four. */
const MAX_ANCESTORS = 12;

/** How long listing the processes may take, in milliseconds. */
const TIMEOUT = 2000;

type Ancestors = readonly string[];

async function detect(place: Place, ancestors?: Ancestors): Promise<{ client: string; reason: string } | undefined> {
  for (const program of ancestors ?? (await ancestorsOf(process.ppid, place))) {
    const client = CLIENTS.find((one) => runs(one, program));
    if (client) return { client: client.id, reason: `${client.title} is the process that started toolsift` };
  }
  for (const client of CLIENTS) {
    const variable = client.variables?.find((name) => place.env[name]);
    if (variable !== undefined) return { client: client.id, reason: `the environment variable ${variable} is set` };
  }
  return undefined;
}

/** Whether a program belongs to a client: `/Applications/Cursor.app/…/Cursor Helper (Plugin)`, `claude`, `Code.exe`. */
function runs(client: Client, program: string): boolean {
  const [, application] = /\/([^/]+)\.app\//.exec(program) ?? [];
  // On macOS the desktop application and the command line differ by their paths alone.
  if (application === "Claude") return client.id === "claude-desktop";
  const name = (application ?? program.split(/[/\\]/).at(-1)!).toLowerCase().replace(/\.exe$/, "");
  return client.processes.includes(name);
}

/** The programs of a process and its ancestors; none where the system does not list them. */
async function ancestorsOf(pid: number, { platform }: Place): Promise<string[]> {
  if (platform === "win32" || platform !== process.platform) return [];
  const options = { timeout: TIMEOUT, maxBuffer: 8 * 1024 * 1024 };
  const listed = await promisify(execFile)("ps", ["-axo", "pid=,ppid=,comm="], options).catch(() => undefined);
  const processes = new Map<number, { parent: number; program: string }>();
  for (const line of listed?.stdout.split("\n") ?? []) {
    const [, id, parent, program] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (program !== undefined) processes.set(Number(id), { parent: Number(parent), program: program.trim() });
  }
  const programs: string[] = [];
  for (let at = processes.get(pid); at && programs.length < MAX_ANCESTORS; at = processes.get(at.parent)) {
    programs.push(at.program);
  }
  return programs;
}
