/** Writes a status file for each running gateway. `toolsift mcp status` reads these files. */

import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ServerStatus } from "toolsift/gateway";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { isAlive } from "../base/lock.js";
import { isObject } from "../base/values.js";

/** The content of a status file. */
interface Running {
  form: 1;
  pid: number;
  started: number;
  servers: ServerStatus[];
}

/** The delay before a change is written, in ms. Several changes in this time cause one write. */
const WRITE_MS = 300;

const folder = (): string => join(home(), "running");

/** The status file of a gateway. */
export interface Announcement {
  /** Call this after a change of the servers or their tools. */
  changed(): void;
  close(): void;
}

/** Writes the status file of a gateway until `close`. Errors of the file system are ignored. */
export function announce(gateway: { status(): ServerStatus[] }): Announcement {
  const file = join(folder(), `${process.pid}-${randomUUID()}.json`);
  const started = Date.now();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = async () => {
    timer = undefined;
    if (isClosed) return;
    const running: Running = { form: 1, pid: process.pid, started, servers: gateway.status() };
    await writePrivately(file, JSON.stringify(running));
    if (isClosed) rmSync(file, { force: true });
  };
  const changed = () => {
    timer ??= setTimeout(() => (writing = writing.then(write).catch(() => {})), WRITE_MS).unref();
  };
  changed();
  return {
    changed,
    close() {
      isClosed = true;
      clearTimeout(timer);
      rmSync(file, { force: true });
    },
  };
}

/** Returns the servers of all running gateways, oldest first, or undefined if none runs. Removes files of ended gateways. */
export async function runningServers(): Promise<ServerStatus[] | undefined> {
  const names = await readdir(folder()).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).map((name) => join(folder(), name));
  const all = (await Promise.all(files.map(readRunning))).flatMap((one) => one ?? []);
  if (all.length === 0) return undefined;
  return all.sort((one, other) => one.started - other.started).flatMap(({ servers }) => servers);
}

async function readRunning(file: string): Promise<Running | undefined> {
  try {
    const running = JSON.parse((await readIfThere(file)) ?? "null") as Running | null;
    if (running?.form !== 1 || !Array.isArray(running.servers)) return undefined;
    // A process id of 0 or below would stand for a whole group of processes.
    if (running.pid >= 1 && isAlive(running.pid)) return { ...running, servers: running.servers.filter(isStatus) };
    await rm(file, { force: true });
  } catch {
    // The file is just being replaced, or another version of toolsift wrote it.
  }
  return undefined;
}

/** Returns true for an entry that a gateway has written: with everything that `mcp status` prints. */
function isStatus(one: unknown): boolean {
  if (!isObject(one)) return false;
  const { name, state, tools, error = "", note = "", rejected, repaired = [] } = one;
  const isText = (value: unknown) => typeof value === "string";
  const isList = (list: unknown, key: string) =>
    Array.isArray(list) && list.every((item) => isObject(item) && isText(item["name"]) && isText(item[key]));
  const areTexts = [name, state, error, note].every(isText);
  return areTexts && typeof tools === "number" && isList(rejected, "message") && isList(repaired, "repair");
}
