/** Puts a folder in its place in one step: it is made beside it, and moved there at the end. */

import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";

/**
 * Lets `make` fill a temporary folder and moves it to its place: two runs at once do not meet, and one that is cut short
 * leaves nothing that looks whole.
 */
export async function intoPlace(home, make) {
  const temporary = `${home}.${process.pid}`;
  const remove = () => rmSync(temporary, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    mkdirSync(temporary, { recursive: true });
    await make(temporary);
    renameSync(temporary, home);
  } catch (error) {
    // Another run may have been faster.
    if (!existsSync(home)) throw error;
  } finally {
    remove();
    process.off("exit", remove);
  }
}
