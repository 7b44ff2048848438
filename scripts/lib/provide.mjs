/**
 * Finds a program that the tests need: at a named path, on PATH or in its usual places. On Debian, installs it if run as
 * root.
 */

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { step } from "./progress.mjs";
import { ask, Problem, run } from "./run.mjs";

/**
 * Describes a program: `variable` is the environment variable with its path, `commands` are its names on PATH, `places` are
 * other paths, `packages` are the Debian packages, `title` is the title of the installation step, and `getIt` is the advice
 * for other systems.
 */
export function program({ variable, commands, places = () => [], packages, title, getIt }) {
  /** Returns the path of a program that starts, or null. */
  async function find() {
    const named = process.env[variable];
    if (named) {
      if (await starts(named)) return named;
      throw new Problem(`${variable} names ${named}, which does not start`);
    }
    const folders = (process.env.PATH ?? "").split(delimiter);
    const onPath = folders.flatMap((folder) => commands.map((name) => join(folder, name)));
    for (const path of [...onPath, ...places()]) if (await starts(path)) return path;
    return null;
  }

  /**
   * Returns the path of the program. If it is missing, installs it with one command, or throws with advice how to get it.
   */
  async function provide() {
    const found = await find();
    if (found) return found;
    if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) throw new Problem(getIt);
    await step(title, async () => {
      const env = { DEBIAN_FRONTEND: "noninteractive" };
      await run("apt-get", ["update"], { env });
      await run("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { env });
    });
    const installed = await find();
    if (!installed) throw new Problem(getIt);
    return installed;
  }

  return { find, provide };
}

/**
 * Returns true if the program starts. The file alone is not enough: some distributions have a script there that only gives
 * advice.
 */
async function starts(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  // On Windows, `--version` may open a window, so it is not called.
  return process.platform === "win32" || (await ask(path, ["--version"])) !== null;
}
