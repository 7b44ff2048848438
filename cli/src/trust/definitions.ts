/** Keeps the definitions of servers on disk, so that a search works before any server runs. */

import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { DefinitionCache, Definitions } from "toolsift/gateway";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { isObject } from "../base/values.js";
import { fileNameOf, type Configured } from "./identity.js";

export interface DefinitionOptions {
  /** How each server is started; a server that is started differently has definitions of its own. */
  configured?: Configured;
  /** Where the definitions are kept. Default: `definitions` in the state folder. */
  folder?: string;
}

/** The form of the files; files of another form are ignored and written anew. */
const FORM = 1;
/** Definitions of one server are kept up to this size, as JSON. */
const MAX_BYTES = 32 * 2 ** 20;
/** Of so many servers at most; the files that were not used for the longest time are removed. */
const MAX_FILES = 200;

/**
 * Opens the cache. What is no JSON, too large or of another form counts as not there; the gateway checks what the definitions
 * hold. Neither reading nor writing throws: a cache that does not work only costs time. What is read has to pass the trust
 * policy like a list from the server.
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

/** Removes the files that were not used for the longest time. */
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
