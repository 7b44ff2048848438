/** The paths of the repository. */

import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path inside the clone. */
export const at = (...parts) => join(root, ...parts);

/** What the scripts remember between runs; removed by `cargo clean` like everything else that can be made again. */
export const stateDir = at("target", "toolsift");

/** Tools that take minutes to build, kept by version and shared by every clone of this user. */
export const cacheDir =
  process.env.TOOLSIFT_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "toolsift");
