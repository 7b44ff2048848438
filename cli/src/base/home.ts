/**
 * The state folder of the command line, and how files are written there. Cached definitions, approvals, tokens and counters
 * stay in it after the process ends. Only the user can read it.
 */

import { randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Matches the end of the name of a draft: a temporary file that is renamed once it is written. */
const DRAFT = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;
/** The age after which a draft counts as left behind, in ms: one hour, longer than any write takes. */
const DRAFT_MS = 3_600_000;

/** Returns the state folder: `TOOLSIFT_HOME`, or the system's usual folder for the state of programs. */
export function home(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env["TOOLSIFT_HOME"]) return env["TOOLSIFT_HOME"];
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local"), "toolsift");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "toolsift");
  return join(env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "toolsift");
}

/** Writes a file atomically, readable only by the user. Makes its folder if necessary. */
export async function writePrivately(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeWhole(file, text, 0o600);
}

/** Writes a file atomically: a reader sees the old text or the new one. The folder must exist. */
export async function writeWhole(file: string, text: string, mode?: number): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { mode, flag: "wx" });
    if (mode !== undefined) await chmod(draft, mode);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Removes old drafts that a killed process left in a folder. Without `of`, its subfolders are searched too. Ignores errors.
 *
 * @param of the name of one file; without it, the drafts of all files are removed
 */
export async function removeDrafts(folder: string, of?: string): Promise<void> {
  const names = await readdir(folder, { recursive: of === undefined }).catch(() => []);
  const drafts = names.filter((name) => DRAFT.test(name) && (of === undefined || name.replace(DRAFT, "") === of));
  for (const name of drafts) {
    const draft = join(folder, name);
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > DRAFT_MS) await rm(draft, { force: true }).catch(() => {});
  }
}

/**
 * Returns the text of a file, or undefined if the file does not exist.
 *
 * @throws Error if the file has more than `most` bytes or cannot be read
 */
export async function readIfThere(file: string, most = Number.POSITIVE_INFINITY): Promise<string | undefined> {
  try {
    const { size } = await stat(file);
    if (size > most) throw new Error(`${file} has ${size} bytes; at most ${most} are read`);
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
