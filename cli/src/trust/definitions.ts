/** Stores the tool definitions of servers on disk, so that a search works before any server runs. */

import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { DefinitionCache, Definitions } from "toolsift/gateway";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { isObject } from "../base/values.js";
import { fileNameOf, type Configured } from "./identity.js";

export interface DefinitionOptions {
  /** Returns how a server is started. A server that is started differently has stored definitions of its own. */
  configured?: Configured;
  /** The folder of the definitions. Default: `definitions` in the state folder. */
  folder?: string;
}

/** The version of the file format. Files of another version are ignored and overwritten. */
const FORM = 1;
/** The largest file of one server, in bytes. Larger definitions are not stored. */
const MAX_BYTES = 32 * 2 ** 20;
/** The most files, one for each server. If there are more, the least recently used files are removed. */
const MAX_FILES = 200;

/**
 * Opens the cache. A file that is not JSON, too large or of another version counts as missing. The gateway checks the stored
 * definitions, and they must pass the trust policy, like a list from the server. Reading and writing never throw: without
 * the cache, the gateway only starts more slowly.
 */
export function openDefinitions(options: DefinitionOptions = {}): DefinitionCache {
  const { configured, folder = join(home(), "definitions") } = options;
  const nameOf = (server: string): string => fileNameOf(server, configured?.(server), { values: true });
  const fileOf = (server: string): string => join(folder, `${nameOf(server)}.json`);
  return {
    async read(server) {
      const file = fileOf(server);
      try {
        const kept: unknown = JSON.parse((await readIfThere(file, MAX_BYTES)) ?? "");
        if (!isObject(kept) || kept["form"] !== FORM || kept["name"] !== server) return undefined;
        const now = new Date();
        await utimes(file, now, now).catch(() => {});
        return kept["definitions"] as Definitions;
      } catch {
        return undefined;
      }
    },
    async write(server, definitions) {
      const file = fileOf(server);
      try {
        const text = JSON.stringify({ form: FORM, name: server, definitions });
        if (Buffer.byteLength(text) > MAX_BYTES) await rm(file, { force: true });
        else {
          await writePrivately(file, text);
          await dropOldest(folder);
        }
      } catch {
        // The next process asks the server instead.
      }
    },
  };
}

/** Removes the least recently used files. */
async function dropOldest(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
  if (files.length <= MAX_FILES) return;
  const timeOf = (file: string): Promise<number> =>
    stat(file).then(
      (found) => found.mtimeMs,
      () => 0,
    );
  const aged = await Promise.all(files.map(async (file) => ({ file, time: await timeOf(file) })));
  const old = aged.sort((a, b) => b.time - a.time).slice(MAX_FILES);
  await Promise.all(old.map(({ file }) => rm(file, { force: true })));
}
