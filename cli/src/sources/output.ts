/** Makes sure that a command does not overwrite the files that it reads. */

import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { misuse } from "../base/failure.js";
import { quoted } from "../output/escape.js";

/**
 * Checks the file that a command will write. Returns its size, or undefined if it is not an existing regular file.
 *
 * @param paths the sources that the command reads
 * @param what a name for the output, for the message
 * @throws Failure if the file is one of the sources
 */
export async function existing(
  output: string,
  paths: readonly string[],
  what: string,
): Promise<{ size: number } | undefined> {
  const target = await stat(output).catch(() => undefined);
  if (target?.isFile() !== true) return undefined;
  const folder = dirname(await realpath(output));
  for (const path of paths) {
    const source = await stat(path).catch(() => undefined);
    const isSource = source !== undefined && source.dev === target.dev && source.ino === target.ino;
    const isInFolder = source?.isDirectory() === true && output.endsWith(".json") && (await realpath(path)) === folder;
    if (isSource || isInFolder) throw misuse(`${quoted(output)} is one of the sources; write ${what} to another file`);
  }
  return target;
}
