/** Reads configuration files with a bound, and replaces them without ever leaving half a file. */

import { randomUUID } from "node:crypto";
import { chmod, copyFile, mkdir, readFile, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { removeDrafts } from "../home.js";
import { quoted } from "../output/escape.js";
import { ClientError } from "./types.js";

/**
 * The largest configuration that is read. Real ones have some kilobytes; Claude Code's, with its history, some megabytes.
 */
export const MAX_BYTES = 10 * 1024 * 1024;

/** How many backups of a file are kept: the oldest, which shows the file before the first change, and the newest. */
export const MAX_BACKUPS = 5;

const BACKUP = ".toolsift-backup-";

/** The text of a file; undefined where there is none. @throws ClientError where it is too large, no file, or not UTF-8 */
export async function readText(file: string): Promise<string | undefined> {
  try {
    const { size, ...about } = await stat(file).then((one) => ({ size: one.size, isFile: one.isFile() }));
    if (!about.isFile) throw new ClientError(`${quoted(file)} is no regular file.`);
    if (size > MAX_BYTES) {
      const megabytes = (size / 1024 / 1024).toFixed(0);
      throw new ClientError(`${quoted(file)} has ${megabytes} MB. toolsift reads at most ${MAX_BYTES / 1024 / 1024} MB.`);
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof ClientError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (error instanceof TypeError) throw new ClientError(`${quoted(file)} is not UTF-8 text.`);
    throw new ClientError(`${quoted(file)} cannot be read: ${code ?? String(error)}.`);
  }
}

/**
 * Replaces a file's text, or deletes the file for `undefined`, provided that it still holds `before`. A symbolic link stays
 * one; the file's mode stays. @returns the backup, where there was a file. @throws ClientError; then the file is unchanged
 */
export async function replace(
  file: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string | undefined> {
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    (one) => one.mode & 0o777,
    () => undefined,
  );
  if (mode !== undefined && (mode & 0o200) === 0) {
    throw new ClientError(`${quoted(file)} is read-only. Make it writable (chmod u+w), then run the command again.`);
  }
  const draft = `${target}.${randomUUID()}.tmp`;
  let backup: string | undefined;
  try {
    await mkdir(dirname(target), { recursive: true });
    if (after !== undefined) await writeFile(draft, after, { mode: mode ?? 0o600, flag: "wx" });
    if (mode !== undefined) {
      if (after !== undefined) await chmod(draft, mode);
      backup = await backUp(target);
    }
    if ((await readText(target)) !== before) {
      const message = "changed while toolsift worked on it. Nothing was written. Run the command again.";
      throw new ClientError(`${quoted(file)} ${message}`);
    }
    if (after === undefined) await rm(target);
    else await rename(draft, target);
    await removeDrafts(dirname(target), basename(target));
  } catch (error) {
    await rm(draft, { force: true });
    if (error instanceof ClientError) throw error;
    throw new ClientError(`${quoted(file)} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  }
  return backup;
}

/** The backups of a file, the newest first; none where its folder cannot be read. */
export async function backupsOf(file: string): Promise<string[]> {
  const target = await realpath(file).catch(() => file);
  const names = await readdir(dirname(target)).catch(() => []);
  const backups = names.filter((name) => name.startsWith(`${basename(target)}${BACKUP}`)).sort();
  return backups.reverse().map((name) => join(dirname(target), name));
}

/** Copies a file beside itself; of too many copies, the oldest but one goes. Only the user can read a copy. */
async function backUp(target: string): Promise<string> {
  const folder = dirname(target);
  const prefix = `${basename(target)}${BACKUP}`;
  // A timestamp that sorts as text; two backups within a millisecond differ by a counter.
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const there = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  const same = there.filter((name) => name.startsWith(`${prefix}${stamp}`)).length;
  const backup = `${prefix}${stamp}${same === 0 ? "" : `-${same}`}`;
  await copyFile(target, join(folder, backup));
  await chmod(join(folder, backup), 0o600);
  const old = [...there, backup].sort().slice(1, 1 - MAX_BACKUPS);
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
  return join(folder, backup);
}
