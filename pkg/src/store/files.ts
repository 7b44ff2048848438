/**
 * Keeps records as files, with the keys of unstorage's `fs` driver. A record is written to a file beside its place, flushed
 * and then renamed, so that a process that is killed while it writes, or a machine that loses power, leaves no torn record.
 */

import { text } from "../base/texts.js";
import { kind } from "../base/values.js";
import { ToolSiftError } from "../base/errors.js";
import { random } from "./keys.js";
import type { KeyValueStore } from "./types.js";

interface Files {
  mkdir(path: string, options: { recursive: true; mode: number }): Promise<unknown>;
  open(path: string, flags: string, mode: number): Promise<OpenFile>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readdir(path: string): Promise<string[]>;
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
/** A day: longer than any write takes. An older file was left by a process that was killed. */
const PART_MS = 86_400_000;

/**
 * A storage for `SessionStore` in a folder of this machine, which several processes of one user may share: only that user can read it. It needs Node 20.16, Bun or
 * Deno, and reads the records that unstorage's drivers `fs` and `fs-lite` have written to the folder.
 *
 * ```ts
 * const store = new SessionStore(sift, fileStore("./sessions"));
 * ```
 *
 * @param folder is made with the first record
 * @throws ToolSiftError `option_invalid` for what is no path, or in a runtime without files
 */
export function fileStore(folder: string): KeyValueStore {
  if (typeof folder !== "string" || folder === "" || folder.includes("\0")) {
    throw new ToolSiftError("option_invalid", `folder must be a path, got ${kind(folder)}`);
  }
  const files = filesOfRuntime();
  const pathOf = (key: string) => `${folder}/${checked(key).replaceAll(":", "/")}`;
  return {
    async getKeys(base) {
      const session = text("base", base).replace(/:$/, "");
      const names = await files.readdir(pathOf(session)).catch(absent);
      const parts = names?.filter((name) => name.endsWith(PART)) ?? [];
      await Promise.all(parts.map((name) => removeOld(files, `${pathOf(session)}/${name}`)));
      return names?.filter((name) => !name.endsWith(PART)).map((name) => `${session}:${name}`) ?? [];
    },
    getItem: async (key) => files.readFile(pathOf(key), "utf8").catch(absent),
    async setItem(key, value) {
      text("value", value);
      const path = pathOf(key);
      const part = `${path}-${random(4)}${PART}`;
      await files.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: 0o700 });
      try {
        await writeWhole(files, part, value);
        await files.rename(part, path);
      } catch (error) {
        await files.rm(part, { force: true }).catch(() => {});
        throw error;
      }
    },
    removeItem: async (key) => files.rm(pathOf(key), { force: true }),
  };
}

/** Taken from the running process, because a bundler for browsers refuses an import of `node:fs`. */
function filesOfRuntime(): Files {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const files = process?.getBuiltinModule?.("node:fs/promises");
  if (files !== undefined) return files as Files;
  throw new ToolSiftError("option_invalid", "fileStore needs Node 20.16, Bun or Deno; pass another storage to SessionStore");
}

/** Refuses keys that leave the folder. `SessionStore` makes none. */
function checked(key: string): string {
  if (
    text("key", key)
      .split(":")
      .every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))
  )
    return key;
  throw new ToolSiftError("option_invalid", `${JSON.stringify(key.slice(0, 80))} is no key of a SessionStore`);
}

/** Without a flush, a file system may keep the new name and lose the text when the machine goes down. */
async function writeWhole(files: Files, path: string, text: string): Promise<void> {
  const file = await files.open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeOld(files: Files, path: string): Promise<void> {
  try {
    const { mtimeMs } = await files.stat(path);
    if (Date.now() - mtimeMs > PART_MS) await files.rm(path, { force: true });
  } catch {
    // The process that wrote it has renamed or removed it meanwhile.
  }
}

function absent(error: unknown): null {
  const { code } = Object(error) as { code?: unknown };
  if (code === "ENOENT" || code === "EISDIR") return null;
  throw error;
}
