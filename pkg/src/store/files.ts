/**
 * Stores texts as files, with the keys of unstorage's `fs` driver. A text is written to a draft, flushed and then renamed to
 * its final name. So a killed process or a power loss leaves no incomplete record. A lock file names the process that
 * writes. To take over the lock of another process, a process first deletes its draft, so that it can rename it no more.
 */

import { text } from "../base/texts.js";
import { kind } from "../base/values.js";
import { ToolSiftError } from "../base/errors.js";
import type { KeyValueStore } from "./types.js";

interface Files {
  mkdir(path: string, options: { recursive: true; mode: number }): Promise<unknown>;
  open(path: string, flags: string, mode: number): Promise<OpenFile>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: true }): Promise<void>;
}

interface Process {
  pid: number;
  platform: string;
  kill(pid: number, signal: 0): unknown;
  getBuiltinModule(name: string): unknown;
}

interface OpenFile {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The time after which another process's lock is taken over, in ms: longer than a write takes. */
const STALE_MS = 3_000;
/** The time limit of the wait for another process's write, and the interval of the checks, in ms. */
const [WAIT_MS, LOOK_MS] = [4_000, 10];
/** The maximum number of attempts of `setItem`. */
const TRIES = 64;

/**
 * Returns a storage for `SessionStore` in a folder of this machine. Several processes of one user may share it, and only
 * that user can read it. It needs Node 20.16, Bun or Deno.
 *
 * ```ts
 * const store = new SessionStore(sift, fileStore("./sessions"));
 * ```
 *
 * @param folder is created with the first record
 * @throws ToolSiftError `option_invalid` for a value that is no path, or in a runtime without files
 */
export function fileStore(folder: string): KeyValueStore {
  if (typeof folder !== "string" || folder === "" || folder.includes("\0")) {
    throw new ToolSiftError("option_invalid", `folder must be a path, got ${kind(folder)}`);
  }
  const { files, process, host } = runtime();
  // Another process has made or deleted a file. Windows also refuses to change a file that another process has open.
  const races: unknown[] = ["EEXIST", "ENOENT", ...(process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : [])];
  const pathOf = (key: string) => `${folder}/${checked(key).replaceAll(":", "/")}`;
  const read = async (path: string) => files.readFile(path, "utf8").catch(absent);

  /** Returns null for an error that another process causes, and throws other errors. */
  function raced(error: unknown): null {
    if (races.includes(codeOf(error))) return null;
    throw error;
  }

  /** Writes a text. Returns false if the text before is another one, or if another process has taken over the lock. */
  async function write(path: string, value: string, before?: string): Promise<boolean> {
    const lock = `${path}.lock`;
    const owner = `${process.pid} ${crypto.randomUUID()} ${host}`;
    const draft = draftOf(path, owner);
    const isOurs = async () => (await read(lock)) === owner;
    await claim(path, owner);
    try {
      if (before !== undefined && ((await read(path)) ?? "") !== before) return false;
      await create(draft, value);
      if (!(await isOurs())) return false;
      await files.rename(draft, path);
      return true;
    } catch (error) {
      return raced(error) !== null;
    } finally {
      await files.rm(draft, { force: true }).catch(raced);
      if (await isOurs().catch(raced)) await files.rm(lock, { force: true }).catch(raced);
    }
  }

  async function create(path: string, value: string): Promise<void> {
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

  /** Creates the lock. Takes over the lock of a process that has ended, or that holds it too long by our own clock. */
  async function claim(path: string, owner: string): Promise<void> {
    const lock = `${path}.lock`;
    const start = performance.now();
    let [seen, since]: [string | null, number] = [null, 0];
    for (; ; await new Promise((done) => setTimeout(done, LOOK_MS))) {
      try {
        await files.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: 0o700 });
        return await create(lock, owner);
      } catch (error) {
        raced(error);
        if (performance.now() - start > WAIT_MS) throw error;
      }
      const found = await read(lock).catch(raced);
      if (found !== seen) [seen, since] = [found, performance.now()];
      if (found !== null && (performance.now() - since > STALE_MS || isDead(found)))
        await takeOver(path, found).catch(raced);
    }
  }

  /** Removes a lock. Its process loses its draft first. Only one process can rename a lock. */
  async function takeOver(path: string, found: string): Promise<void> {
    const [lock, away] = [`${path}.lock`, `${path}.${crypto.randomUUID()}.stale`];
    await files.rm(draftOf(path, found), { force: true });
    if ((await read(lock)) !== found) return;
    await files.rename(lock, away);
    // If it is a newer lock after all, its process loses its draft too, and writes again.
    await files.rm(draftOf(path, (await read(away)) ?? ""), { force: true });
    await files.rm(away, { force: true });
  }

  /** Returns true if a lock is of a process of this machine that has ended. */
  function isDead(owner: string): boolean {
    const [pid, , ...rest] = owner.split(" ");
    if (rest.join(" ") !== host) return false;
    try {
      process.kill(Number(pid), 0);
      return false;
    } catch (error) {
      return codeOf(error) === "ESRCH";
    }
  }

  return {
    getItem: async (key) => read(pathOf(key)),
    setItem: async (key, value) => {
      for (let tries = 0; tries < TRIES; tries++) if (await write(pathOf(key), text("value", value))) return;
      throw new ToolSiftError("store_failed", `other processes have taken over the lock of ${key} ${TRIES} times`);
    },
    removeItem: async (key) => files.rm(pathOf(key), { force: true }),
    swapItem: async (key, value, before) => write(pathOf(key), text("value", value), before),
  };
}

/** Returns the runtime's functions. They are not imported, because a bundler for browsers refuses `node:fs`. */
function runtime(): { files: Files; process: Process; host: string } {
  const { process } = globalThis as { process?: Process };
  if (process?.getBuiltinModule?.("node:fs/promises") === undefined) {
    const advice = "pass another storage to SessionStore";
    throw new ToolSiftError("option_invalid", `fileStore needs Node 20.16, Bun or Deno; ${advice}`);
  }
  const files = process.getBuiltinModule("node:fs/promises") as Files;
  try {
    return { files, process, host: (process.getBuiltinModule("node:os") as { hostname(): string }).hostname() };
  } catch {
    // Deno may refuse the name. Then no lock counts as one of this machine.
    return { files, process, host: crypto.randomUUID() };
  }
}

/** Refuses keys that lead out of the folder. `SessionStore` makes no such keys. */
function checked(key: string): string {
  const parts = text("key", key).split(":");
  if (parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))) return key;
  throw new ToolSiftError("option_invalid", `${JSON.stringify(key.slice(0, 80))} is no key of a SessionStore`);
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
