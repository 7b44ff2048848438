/** Makes temporary folders: they are removed after the work, or moved to their final place when they are complete. */

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs `work` with a temporary folder and returns its result. The folder is removed afterwards, and when the process ends.
 */
export const inTemporary = (name, work) => removedAfter(mkdtempSync(join(tmpdir(), `toolsift-${name}-`)), work);

async function removedAfter(folder, work) {
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    return await work(folder);
  } finally {
    remove();
    process.off("exit", remove);
  }
}

/**
 * Lets `make` fill a temporary folder next to `home`, and then renames it to `home`. So two parallel runs do not disturb
 * each other, and an interrupted run leaves no incomplete folder at `home`.
 */
export function intoPlace(home, make) {
  return removedAfter(`${home}.${process.pid}`, async (temporary) => {
    try {
      mkdirSync(temporary, { recursive: true });
      await make(temporary);
      renameSync(temporary, home);
    } catch (error) {
      // If another run was faster, its folder is used.
      if (!existsSync(home)) throw error;
    }
  });
}
