/** Reads the files, folders and the standard input that a command names. */

import { readdir, readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { skillsIn } from "toolsift/internal";
import { Failure, misuse, reasonOf } from "../base/failure.js";
import { quoted } from "../output/escape.js";

/** The largest source, in bytes: twice the 64 MiB that toolsift takes as one list of tools by default. */
const MOST_BYTES = 128 * 1024 * 1024;

/** The text of one source. */
export interface Text {
  text: string;
  /** The path, or "the standard input". */
  path: string;
  /** The name of the source in messages. */
  from: string;
  /** The name of the server to which the tools in the text belong. */
  server: string;
}

/**
 * Returns the texts of a source: of a file, of each `.json` file in a folder, or of the standard input for `-`.
 *
 * @throws Failure if the source cannot be read
 */
export async function textsOf(path: string): Promise<Text[]> {
  if (path === "-")
    return [{ text: await standardInput(), path: "the standard input", from: "the standard input", server: "stdin" }];
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw new Failure(`${quoted(path)} cannot be read: ${reasonOf(error)}`);
    throw new Failure(`there is no file ${quoted(path)}${hintFor(path)}`);
  });
  if (!found.isDirectory()) return [await textOf(path)];
  const names = (await readdir(path)).filter((name) => name.endsWith(".json")).sort();
  if (names.length === 0) throw new Failure(`the folder ${quoted(path)} holds no .json file`);
  return Promise.all(names.map((name) => textOf(join(path, name))));
}

/**
 * Returns the skill in a folder with a `SKILL.md`, or the skills in its subfolders. For any other path the list is empty.
 *
 * @throws Failure that names each broken file and line
 */
export async function skillsAt(path: string): Promise<object[]> {
  const isFolder = path !== "-" && (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) return [];
  return skillsIn(path).catch((error: unknown) => {
    throw new Failure(reasonOf(error));
  });
}

/** Returns the text of one file. @throws Failure if it cannot be read or is too large */
export async function textOf(path: string): Promise<Text> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw tooLarge(quoted(path));
    return { text: await readFile(path, "utf8"), path, from: quoted(path), server: basename(path, extname(path)) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${quoted(path)} cannot be read: ${reasonOf(error)}`);
  }
}

/** Returns the whole standard input. @throws Failure if it is a terminal or too large */
export async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) throw misuse('"-" needs piped input: the standard input is a terminal');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BYTES) throw tooLarge("the standard input");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function tooLarge(from: string): Failure {
  return new Failure(`${from} is larger than ${MOST_BYTES / 1024 / 1024} MiB, the most that is read of one source`);
}

/** Returns a hint for a common mistake: a command in the place of a file. */
function hintFor(path: string): string {
  return /^(npx|uvx|node|docker|python3?)\b/.test(path) ? `; to start a server, write --server ${quoted(path)}` : "";
}
