/** The paths of the repository. */

import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Returns the absolute path of a file in the clone. */
export const at = (...parts) => join(root, ...parts);

/** The folder of the scripts' state between runs. `cargo clean` removes it. */
export const stateDir = at("target", "toolsift");

/** Tools that take minutes to build, kept by version and shared by every clone of this user. */
export const cacheDir =
  process.env.TOOLSIFT_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "toolsift");
