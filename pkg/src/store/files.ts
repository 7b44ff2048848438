/**
 * Stores texts as files, with the keys of unstorage's `fs` driver. A text is written to a draft, flushed and then renamed to
 * its final name. So a killed process or a power loss leaves no incomplete record.
 */

import { text } from "../base/texts.js";
import { kind } from "../base/values.js";
import { ToolSiftError } from "../base/errors.js";
import { create, runtime, textOf, underLock } from "./lock.js";
import type { KeyValueStore } from "./types.js";

/** Writes are short, so a lock is not renewed: another process waits at most this long for it, in ms. */
const LIMITS = { staleMs: 3_000, waitMs: 4_000 };
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
  const system = runtime();
  const { files } = system;
  const pathOf = (key: string) => `${folder}/${checked(key).replaceAll(":", "/")}`;

  /** Writes a text. Returns false if the text before is another one, or if another process has taken over the lock. */
  const write = (path: string, value: string, before?: string): Promise<boolean> =>
    underLock(system, path, LIMITS, async ({ draft, isOurs }) => {
      try {
        if (before !== undefined && ((await textOf(files, path)) ?? "") !== before) return false;
        await create(files, draft, value);
        if (!(await isOurs())) return false;
        await files.rename(draft, path);
        return true;
      } catch (error) {
        return system.raced(error) !== null;
      }
    });

  return {
    getItem: async (key) => textOf(files, pathOf(key)),
    setItem: async (key, value) => {
      for (let tries = 0; tries < TRIES; tries++) if (await write(pathOf(key), text("value", value))) return;
      throw new ToolSiftError("store_failed", `other processes have taken over the lock of ${key} ${TRIES} times`);
    },
    removeItem: async (key) => files.rm(pathOf(key), { force: true }),
    swapItem: async (key, value, before) => write(pathOf(key), text("value", value), before),
  };
}

/** Refuses keys that lead out of the folder. `SessionStore` makes no such keys. */
function checked(key: string): string {
  const parts = text("key", key).split(":");
  if (parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))) return key;
  throw new ToolSiftError("option_invalid", `${JSON.stringify(key.slice(0, 80))} is no key of a SessionStore`);
}
