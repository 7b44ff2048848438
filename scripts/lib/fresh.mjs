/** Skips a step if its inputs and outputs have not changed since its last run. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root, stateDir } from "./paths.mjs";

/** Returns a hash of texts. */
export function hash(...texts) {
  const digest = createHash("sha256");
  for (const text of texts) digest.update(text).update("\0");
  return digest.digest("hex");
}

/** Returns every file under a path, in a fixed order. For a missing path, the list is empty. */
export function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

/** Returns a hash of the names and contents of every file under these paths. */
function contents(paths) {
  const files = paths.flatMap(filesUnder);
  return hash(...files.flatMap((file) => [relative(root, file), readFileSync(file)]));
}

/**
 * Runs `work` unless nothing changed since its last success. `inputs` are paths, `settings` are texts that influence the
 * result, and `outputs` are the paths that it makes. If `work` returns false, it was incomplete and runs again next time.
 * Returns whether it ran.
 */
export async function unlessFresh(name, { inputs, settings = [], outputs, force = false }, work) {
  const stamp = join(stateDir, `${name}.stamp`);
  const before = hash(contents(inputs), ...settings);
  const whole = () => `${before} ${contents(outputs)}\n`;
  if (!force && existsSync(stamp) && readFileSync(stamp, "utf8") === whole()) return false;
  rmSync(stamp, { force: true });
  if ((await work()) === false) return true;
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, whole());
  return true;
}
