/** Reads configuration files of limited size, and replaces them atomically. */

import { mkdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { removeDrafts, writeWhole } from "../base/home.js";
import { quoted } from "../output/escape.js";
import { Failure } from "../base/failure.js";

/**
 * The largest configuration that is read, in bytes. Most are a few kilobytes. Claude Code's also contains its history, and
 * is a few megabytes.
 */
export const MAX_BYTES = 10 * 1024 * 1024;

/** A file with its texts before and after a replacement. Undefined means that the file does not exist. */
export type Replacement = readonly [file: string, before: string | undefined, after: string | undefined];

/**
 * Returns a file's text, or undefined if there is no file. @throws Failure if it is too large, a folder, or not UTF-8
 */
export async function readText(file: string): Promise<string | undefined> {
  try {
    const { size, ...about } = await stat(file).then((one) => ({ size: one.size, isFile: one.isFile() }));
    if (!about.isFile) throw new Failure(`${quoted(file)} is no regular file.`);
    if (size > MAX_BYTES) {
      const megabytes = (size / 1024 / 1024).toFixed(0);
      throw new Failure(`${quoted(file)} has ${megabytes} MB. toolsift reads at most ${MAX_BYTES / 1024 / 1024} MB.`);
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (error instanceof TypeError) throw new Failure(`${quoted(file)} is not UTF-8 text.`);
    throw new Failure(`${quoted(file)} cannot be read: ${code ?? String(error)}.`);
  }
}

/**
 * Replaces files in order. If one cannot be replaced, the files that were replaced before it get their old text back.
 * @throws Failure as `replace` does; no file is changed then
 */
export async function replaceAll(replacements: readonly Replacement[]): Promise<void> {
  const done: Replacement[] = [];
  try {
    for (const one of replacements) {
      if (one[1] === one[2]) continue;
      await replace(...one);
      done.unshift(one);
    }
  } catch (error) {
    for (const [file, before, after] of done) await replace(file, after, before);
    throw error;
  }
}

/**
 * Replaces a file's text, or deletes the file if `after` is undefined. A symbolic link and the file's mode are kept. Only
 * the user can read a new file.
 * @throws Failure if the file no longer holds `before` or cannot be written; the file is unchanged then
 */
export async function replace(...[file, before, after]: Replacement): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    (one) => one.mode & 0o777,
    () => 0o600,
  );
  if ((mode & 0o200) === 0) {
    throw new Failure(`${quoted(file)} is read-only. Make it writable (chmod u+w), then run the command again.`);
  }
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    if ((await readText(target)) !== before) {
      const message = "changed while toolsift worked on it. Nothing was written. Run the command again.";
      throw new Failure(`${quoted(file)} ${message}`);
    }
    if (after === undefined) await rm(target);
    else await writeWhole(target, after, mode);
    await removeDrafts(dirname(target), basename(target));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${quoted(file)} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  }
}

/** Returns the path of a backup: in the same folder, with the name of toolsift's configuration in the file name. */
export async function backupOf(file: string, config: string): Promise<string> {
  const target = await realpath(file).catch(() => file);
  return join(dirname(target), `${basename(target)}.toolsift-backup-${basename(config, ".json")}`);
}
