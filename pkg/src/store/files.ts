/**
 * Stores texts as files, with the keys of unstorage's `fs` driver. A text is written to a second file, flushed and then
 * renamed to its final name. So a killed process or a power loss leaves no incomplete record. The second file is also a
 * lock: while it exists, no other process writes that record.
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
  stat(path: string): Promise<{ mtimeMs: number }>;
}

interface OpenFile {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The end of the name of a file that is being written. */
const PART = ".part";
/** The age above which the second file was left by a killed process, in ms: longer than any write takes. */
const PART_MS = 3_000;
/** The time limit of the wait for another process's write, and the interval of the checks, in ms. */
const [WAIT_MS, LOOK_MS] = [4_000, 10];

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
  const files = filesOfRuntime();
  const pathOf = (key: string) => `${folder}/${checked(key).replaceAll(":", "/")}`;
  const read = async (path: string) => files.readFile(path, "utf8").catch(absent);

  async function write(path: string, value: string, before?: string): Promise<boolean> {
    await files.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: 0o700 });
    const part = `${path}${PART}`;
    const file = await claimed(files, part);
    try {
      const isAsBefore = before === undefined || ((await read(path)) ?? "") === before;
      if (isAsBefore) {
        await file.writeFile(value);
        // Without a flush, a file system may keep the new name and lose the text at a power loss.
        await file.sync();
      }
      await file.close();
      await (isAsBefore ? files.rename(part, path) : files.rm(part, { force: true }));
      return isAsBefore;
    } catch (error) {
      await file.close().catch(() => {});
      await files.rm(part, { force: true }).catch(() => {});
      throw error;
    }
  }

  return {
    getItem: async (key) => read(pathOf(key)),
    setItem: async (key, value) => write(pathOf(key), text("value", value)),
    removeItem: async (key) => files.rm(pathOf(key), { force: true }),
    swapItem: async (key, value, before) => write(pathOf(key), text("value", value), before),
  };
}

/** Returns the runtime's file functions. They are not imported, because a bundler for browsers refuses `node:fs`. */
function filesOfRuntime(): Files {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const files = process?.getBuiltinModule?.("node:fs/promises");
  if (files !== undefined) return files as Files;
  throw new ToolSiftError("option_invalid", "fileStore needs Node 20.16, Bun or Deno; pass another storage to SessionStore");
}

/** Refuses keys that lead out of the folder. `SessionStore` makes no such keys. */
function checked(key: string): string {
  const parts = text("key", key).split(":");
  if (parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))) return key;
  throw new ToolSiftError("option_invalid", `${JSON.stringify(key.slice(0, 80))} is no key of a SessionStore`);
}

/** Opens a file that only one process can have open. */
async function claimed(files: Files, part: string): Promise<OpenFile> {
  for (const end = Date.now() + WAIT_MS; ; await new Promise((done) => setTimeout(done, LOOK_MS))) {
    try {
      return await files.open(part, "wx", 0o600);
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || Date.now() > end) throw error;
    }
    const found = await files.stat(part).catch(absent);
    if (found !== null && Date.now() - found.mtimeMs > PART_MS) await files.rm(part, { force: true });
  }
}

function codeOf(error: unknown): unknown {
  return (Object(error) as { code?: unknown }).code;
}

function absent(error: unknown): null {
  if (codeOf(error) === "ENOENT" || codeOf(error) === "EISDIR") return null;
  throw error;
}
