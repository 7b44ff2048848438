/** What running gateways say of themselves: a file for each, which `mcp status` reads. */

import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ServerStatus } from "toolsift/gateway";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { isAlive } from "../base/lock.js";

/** What a gateway says of itself. */
interface Running {
  form: 1;
  pid: number;
  started: number;
  servers: ServerStatus[];
}

/** Changes within this time are written once. */
const WRITE_MS = 300;

const folder = (): string => join(home(), "running");

/** A gateway that tells. */
export interface Announcement {
  /** Its servers or their tools are others. */
  changed(): void;
  close(): void;
}

/** Tells of a gateway until `close`. A disk that cannot be written costs nothing but this. */
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

/** The servers of the gateways that run, those of the oldest first; undefined if none runs. What others left behind is removed. */
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
    if (isAlive(running.pid)) return running;
    await rm(file, { force: true });
  } catch {
    // It is being replaced, or is another version's.
  }
  return undefined;
}
