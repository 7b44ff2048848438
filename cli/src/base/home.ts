/** Where the command line keeps what outlives a process: definitions, pins, tokens, figures. Only the user can read it. */

import { randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The end of the name of a file that is being written. */
const DRAFT = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;
/** An hour: longer than any write takes. */
const DRAFT_MS = 3_600_000;

/** The folder: `TOOLSIFT_HOME`, or the place that the system has for the state of programs. */
export function home(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env["TOOLSIFT_HOME"]) return env["TOOLSIFT_HOME"];
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local"), "toolsift");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "toolsift");
  return join(env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "toolsift");
}

/** Writes a file so that a reader sees the old text or the new one, and that only the user can read it. */
export async function writePrivately(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeWhole(file, text, 0o600);
}

/** Writes a file in a folder that is there, so that a reader sees the old text or the new one. */
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
 * Removes drafts that a process which was killed has left in a folder and its folders: those of one file, or of all.
 * What cannot be removed stays.
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

/** The text of a file of at most some bytes; undefined where there is none. @throws what reading it throws otherwise */
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
