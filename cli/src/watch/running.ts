/** What running gateways say of themselves: a file for each, which others of the same user read. */

import { randomUUID } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GatewayEvent, GatewayTool, ServerStatus } from "toolsift/gateway";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { isAlive } from "../base/lock.js";

/** Something that happened, and when. */
export type Happened = GatewayEvent & { time: number };

/** What a gateway says of itself. */
export interface Running {
  form: 1;
  pid: number;
  started: number;
  /** Where its servers are configured, for people. */
  origin: string;
  door: "stdio" | "http";
  servers: ServerStatus[];
  /** What its tool lists saved, of what the servers send and of what remains of it. */
  saved: { tokens: number; ofSent: number };
  /** Only while somebody watches: queries may be private. */
  events?: Happened[];
  tools?: GatewayTool[];
}

/** The latest events that are kept in memory, for who begins to watch. */
const MOST_EVENTS = 200;
/** Changes within this time are written once. */
const WRITE_MS = 300;
/** How often a gateway looks whether somebody watches, and for how long a look of theirs counts. */
const LOOK_MS = 1_000;
const WATCHED_MS = 5_000;
/** How often somebody who watches says so. */
const BEAT_MS = 1_500;

const folder = (): string => join(home(), "running");
const beat = (): string => join(home(), "watched");

/** A gateway that tells. */
export interface Announcement {
  event(event: GatewayEvent): void;
  /** The servers or their tools are others. */
  changed(): void;
  close(): void;
}

/** Tells of a gateway until `close`. A disk that cannot be written costs nothing but this. */
export function announce(
  about: Pick<Running, "origin" | "door">,
  gateway: { status(): ServerStatus[]; tools(): GatewayTool[] },
): Announcement {
  const file = join(folder(), `${process.pid}-${randomUUID()}.json`);
  const events: Happened[] = [];
  const saved = { tokens: 0, ofSent: 0 };
  const started = Date.now();
  let isClosed = false;
  let isWatched = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    timer = undefined;
    if (isClosed) return;
    const running: Running = { form: 1, pid: process.pid, started, ...about, servers: gateway.status(), saved };
    await writePrivately(file, JSON.stringify(isWatched ? { ...running, events, tools: gateway.tools() } : running));
    if (isClosed) rmSync(file, { force: true });
  };
  const soon = () => {
    timer ??= setTimeout(() => (writing = writing.then(write).catch(() => {})), WRITE_MS).unref();
  };
  const looking = setInterval(() => {
    const before = isWatched;
    const at = statSync(beat(), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    isWatched = Date.now() - at < WATCHED_MS;
    if (isWatched !== before) soon();
  }, LOOK_MS).unref();
  soon();
  // A server that is down is tried again and again; only another reason is news.
  const down = new Map<string, string>();
  const isNews = (event: GatewayEvent): boolean => {
    if (event.type !== "server") return true;
    const { server, state, error = "" } = event;
    const before = down.get(server);
    if (state === "down") down.set(server, error);
    else if (state !== "starting") down.delete(server);
    return before === undefined || (state !== "starting" && before !== error);
  };
  return {
    event(event) {
      if (!isNews(event)) return;
      // No two events of a gateway have the same time: who reads them goes on behind the last one.
      const time = Math.max(Date.now(), (events.at(-1)?.time ?? 0) + 0.001);
      events.push({ ...event, time });
      if (events.length > MOST_EVENTS) events.shift();
      if (event.type === "list") {
        saved.tokens += event.fullTokens - event.tokens;
        saved.ofSent += event.sentTokens - event.tokens;
      }
      if (isWatched || event.type === "server" || event.type === "list") soon();
    },
    changed: soon,
    close() {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(looking);
      rmSync(file, { force: true });
    },
  };
}

/** The gateways that run, the oldest first. What others left behind is removed. */
export async function runningGateways(): Promise<Running[]> {
  const names = await readdir(folder()).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).map((name) => join(folder(), name));
  const all = await Promise.all(files.map(readRunning));
  return all.flatMap((one) => one ?? []).sort((one, other) => one.started - other.started);
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

/** Says that somebody watches until the returned function is called: gateways tell what happens meanwhile. */
export function watching(): () => void {
  const say = async () => {
    const now = new Date();
    await mkdir(home(), { recursive: true, mode: 0o700 });
    await writeFile(beat(), "", { flag: "a", mode: 0o600 });
    await utimes(beat(), now, now);
  };
  const timer = setInterval(() => void say().catch(() => {}), BEAT_MS).unref();
  void say().catch(() => {});
  return () => clearInterval(timer);
}
