/**
 * Lock files: only one call at a time, in this process or another, works on a file. A lock names its owner. To take over the
 * lock of another process, a process first deletes its draft, so that it can rename it no more.
 */

import { ToolSiftError } from "../base/errors.js";
import { pause } from "../base/wait.js";
import { builtin, host as running } from "../base/node.js";

type Files = typeof import("node:fs/promises");

/** The files and processes of this machine. */
export interface System {
  files: Files;
  process: typeof running;
  host: string;
  /** Returns null for an error that another process causes, and throws other errors. */
  raced(error: unknown): null;
}

/** The limits of a lock, in ms. */
export interface LockLimits {
  /** The time after which an unchanged lock of another process is taken over, by our own clock. */
  staleMs: number;
  /** The time limit of the wait for a lock. */
  waitMs: number;
  /** The interval in which a lock is renewed while its work runs. Without it, work that takes longer loses the lock. */
  renewMs?: number;
}

/** A lock that is held. */
export interface Held {
  /** The path of the only file that its owner may rename to its final name. Whoever takes over the lock deletes it. */
  draft: string;
  /** Returns false if another process has taken over the lock. */
  isOurs(): Promise<boolean>;
}

/** The interval in which a waiting process checks a lock, in ms. */
const LOOK_MS = 10;

/**
 * Runs `work` while no other call, in this process or another, runs work for the same file.
 *
 * @returns the result of `work`
 * @throws the error of `work`, or an Error that names the lock if it is not free in time
 */
export async function underLock<T>(
  system: System,
  path: string,
  limits: LockLimits,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  const { files, process, host, raced } = system;
  const lock = `${path}.lock`;
  const owner = `${process.pid} ${crypto.randomUUID()} ${host}`;
  const draft = draftOf(path, owner);
  const isOurs = async () => (await textOf(files, lock)) === owner;
  await claim(system, path, owner, limits);
  const renew = () => void files.utimes(lock, new Date(), new Date()).catch(() => {});
  const renewing = limits.renewMs === undefined ? undefined : setInterval(renew, limits.renewMs);
  // A lock must not keep a process alive.
  (renewing as { unref?: () => void } | undefined)?.unref?.();
  try {
    return await work({ draft, isOurs });
  } finally {
    clearInterval(renewing);
    await files.rm(draft, { force: true }).catch(raced);
    if (await isOurs().catch(raced)) await files.rm(lock, { force: true }).catch(raced);
  }
}

/** Creates the lock. Takes over the lock of a process that has ended, or that has not renewed it for too long. */
async function claim(system: System, path: string, owner: string, { staleMs, waitMs }: LockLimits): Promise<void> {
  const { files, raced } = system;
  const lock = `${path}.lock`;
  const start = performance.now();
  let [seen, since]: [string | null, number] = [null, 0];
  for (; ; await pause(LOOK_MS)) {
    // If a file stands where the folder should be, waiting would not help.
    await files.mkdir(path.slice(0, path.search(/[^/\\]*$/)) || ".", { recursive: true, mode: 0o700 });
    try {
      return await create(files, lock, owner);
    } catch (error) {
      raced(error);
      if (performance.now() - start > waitMs)
        throw new Error(`${lock} is held by another process. If none runs, delete this file.`, { cause: error });
    }
    // If the lock cannot be read, for example because it is a folder, waiting would not help either.
    const found = await files.readFile(lock, "utf8").catch(raced);
    const renewed = await files.stat(lock).catch(raced);
    const state = `${renewed?.mtimeMs} ${found}`;
    if (state !== seen) [seen, since] = [state, performance.now()];
    if (found !== null && (performance.now() - since > staleMs || isDead(system, found)))
      await takeOver(system, path, found).catch(raced);
  }
}

/** Removes a lock. Its process loses its draft first. Only one process can rename a lock. */
async function takeOver({ files }: System, path: string, found: string): Promise<void> {
  const [lock, away] = [`${path}.lock`, `${path}.${crypto.randomUUID()}.stale`];
  await files.rm(draftOf(path, found), { force: true });
  if ((await textOf(files, lock)) !== found) return;
  await files.rename(lock, away);
  // If it is a newer lock after all, its process loses its draft too, and writes again.
  await files.rm(draftOf(path, (await textOf(files, away)) ?? ""), { force: true });
  await files.rm(away, { force: true });
}

/** Returns true if a lock is of a process of this machine that has ended. */
function isDead({ process, host }: System, owner: string): boolean {
  const [pid, , ...rest] = owner.split(" ");
  if (rest.join(" ") !== host) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

/** Writes a new file. An incomplete file is removed. */
export async function create(files: Files, path: string, value: string): Promise<void> {
  const file = await files.open(path, "wx", 0o600);
  try {
    await file.writeFile(value);
    // Without a flush, a file system may keep the new name and lose the text at a power loss.
    if (!path.endsWith(".lock")) await file.sync();
  } catch (error) {
    await files.rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Returns the text of a file, or null if there is none. */
export const textOf = (files: Files, path: string): Promise<string | null> => files.readFile(path, "utf8").catch(absent);

/** Returns the runtime's functions. They are not imported, because a bundler for browsers refuses `node:fs`. */
export function runtime(): System {
  const [files, process] = [builtin("node:fs/promises"), running];
  if (files === undefined) {
    const advice = "pass another storage to SessionStore";
    throw new ToolSiftError("option_invalid", `fileStore needs Node 20.16, Bun or Deno; ${advice}`);
  }
  // Another process has made or deleted a file. Windows also refuses to change a file that another process has open.
  const races: unknown[] = ["EEXIST", "ENOENT", ...(process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : [])];
  const raced = (error: unknown): null => {
    if (races.includes(codeOf(error))) return null;
    throw error;
  };
  try {
    return { files, process, raced, host: builtin("node:os")!.hostname() };
  } catch {
    // Deno may refuse the name. Then no lock counts as one of this machine.
    return { files, process, raced, host: crypto.randomUUID() };
  }
}

/** Returns the path of the draft of a lock's owner. Its random name is all that is read of a lock. */
function draftOf(path: string, owner: string): string {
  return `${path}.${/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(owner)?.[0]}.part`;
}

function codeOf(error: unknown): unknown {
  return (Object(error) as { code?: unknown }).code;
}

function absent(error: unknown): null {
  if (codeOf(error) === "ENOENT" || codeOf(error) === "EISDIR") return null;
  throw error;
}
