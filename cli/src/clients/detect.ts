/**
 * Finds the client that started this process. The nearest ancestor whose program is a client is the dependable sign: a
 * terminal of VS Code in which Claude Code runs hands on VS Code's environment variables too. Variables decide only where
 * the ancestors cannot be listed, as on Windows, or name no client.
 */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CLIENTS, type Client } from "./table.js";
import type { Place } from "./types.js";

/** How many ancestors are looked at: client, npx, a shell and node make three or four. */
const MAX_ANCESTORS = 12;

/** How long listing the processes may take, in milliseconds. */
const TIMEOUT = 2000;

/** The programs of the ancestors of this process, the nearest first. */
export type Ancestors = readonly string[];

/** The client that starts us, and what shows it. */
export async function detect(place: Place, ancestors?: Ancestors): Promise<{ client: string; reason: string } | undefined> {
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
