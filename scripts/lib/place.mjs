/** Makes temporary folders: they are removed after the work, or moved to their final place when they are complete. */

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What `work` answers to a temporary folder, which is removed afterwards, also when the process ends. */
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
 * Lets `make` fill a folder beside `home` and moves it there: two runs at once do not meet, and one that is cut short
 * leaves nothing that looks whole.
 */
export function intoPlace(home, make) {
  return removedAfter(`${home}.${process.pid}`, async (temporary) => {
    try {
      mkdirSync(temporary, { recursive: true });
      await make(temporary);
      renameSync(temporary, home);
    } catch (error) {
      // Another run may have been faster.
      if (!existsSync(home)) throw error;
    }
  });
}
