/** Reads and writes the pins of one server: for each tool, the approved definition and the one that waits for approval. */

import { mkdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Book, type Entry } from "toolsift/internal";
import { watchPaths } from "../clients/watch.js";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { withLock } from "../base/lock.js";
import { isObject } from "../base/values.js";

/** The content of a file of pins. */
export interface PinFile {
  server: string;
  tools: Map<string, Entry>;
  /** The size of the file when it was read, in characters. */
  size: number;
}

/** A file of pins cannot be used. Its tools are quarantined until somebody repairs or deletes the file. */
export class UnreadablePins extends Error {}

/** The most characters of definitions that are stored for one server. */
const MOST_CHARS = 64 * 2 ** 20;
/** The largest file that is read, in bytes: a character takes up to three bytes. */
const MAX_FILE_BYTES = 3 * MOST_CHARS + 2 ** 24;

/** The advice in messages about a damaged file. */
const DELETE = "If you trust the server's tools as they are now, delete it";

/** Returns the folder of all files of pins. */
export const pinFolder = (): string => join(home(), "pins");

/** Calls `changed` after a file of pins in a folder was written. Returns a function that stops the watching. */
export function watchPins(folder: string, changed: () => Promise<void>): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // If the folder cannot be made, the watcher notices when it appears.
  }
  return watchPaths([folder], () => void changed().catch(() => {})).close;
}

/** Returns empty pins for a server. */
export const noPins = (server: string): PinFile => ({ server, tools: new Map(), size: 0 });

/** Returns the pins of a server in the form that reviews its tool lists. */
export const bookOf = ({ server, tools, size }: PinFile): Book =>
  new Book(server, tools, undefined, { left: MOST_CHARS - size });

/** Returns the hashes of all approved definitions as one text, to notice changes. */
export const approvedIn = ({ tools }: PinFile): string =>
  JSON.stringify([...tools].map(([name, { pinned }]) => [name, pinned?.hash]));

/**
 * Reads a file of pins. Returns undefined if the file does not exist.
 * @throws UnreadablePins if the file cannot be read or does not have the form that toolsift writes
 */
export async function readPins(file: string): Promise<PinFile | undefined> {
  const text = await readIfThere(file, MAX_FILE_BYTES).catch(({ message }: Error) => {
    throw new UnreadablePins(message.startsWith(file) ? message : `${file} cannot be read: ${message}`);
  });
  return text === undefined ? undefined : pinFileOf(file, text);
}

/** Changes a file of pins under its lock. `change` returns whether the file has to be written. */
export async function changePins<T>(
  file: string,
  server: string,
  change: (pins: PinFile) => Promise<{ result: T; write: boolean }>,
): Promise<T> {
  return await withLock(file, async () => {
    const pins = (await readPins(file)) ?? noPins(server);
    const { result, write } = await change(pins);
    if (write) await writePins(file, pins);
    return result;
  });
}

const writePins = (file: string, { server, tools }: PinFile): Promise<void> =>
  writePrivately(
    file,
    JSON.stringify({ version: 1, server, tools: [...tools].map(([name, entry]) => ({ name, ...entry })) }),
  );

/** Returns the files of pins in a folder. The list is empty if the folder does not exist. */
export async function pinFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(ifMissing)) ?? [];
  return names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

function pinFileOf(file: string, text: string): PinFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadablePins(`${file} is damaged: it is not valid JSON. ${DELETE}`);
  }
  const { version, server, tools } = (isObject(value) ? value : {}) as Record<string, unknown>;
  if (typeof version === "number" && version > 1) {
    throw new UnreadablePins(`${file} was written by a newer version of toolsift`);
  }
  if (version !== 1 || typeof server !== "string" || !Array.isArray(tools) || !tools.every(isEntry)) {
    throw new UnreadablePins(`${file} is damaged: it is not a file of pins. ${DELETE}`);
  }
  return { server, tools: new Map(tools.map(({ name, ...entry }) => [name, entry])), size: text.length };
}

const isPinned = (value: unknown): boolean =>
  value === undefined ||
  (isObject(value) &&
    typeof value["hash"] === "string" &&
    typeof value["seen"] === "string" &&
    (value["definition"] === undefined || isObject(value["definition"])));

const isEntry = (value: unknown): value is Entry & { name: string } =>
  isObject(value) && typeof value["name"] === "string" && isPinned(value["pinned"]) && isPinned(value["waiting"]);
