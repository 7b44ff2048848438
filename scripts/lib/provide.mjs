/**
 * Finds a program that the tests need: at a named path, on PATH or in its usual places. On Debian, installs it if run as
 * root.
 */

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { step } from "./progress.mjs";
import { ask, Problem, run } from "./run.mjs";

/**
 * How to find a program and how to get it: `variable` is the environment's word for its path, `commands` are its names on
 * PATH, `places` other paths, `packages` those of Debian, `title` what installing it is called, and `getIt` what to tell
 * people elsewhere.
 */
export function program({ variable, commands, places = () => [], packages, title, getIt }) {
  /** The path of one that starts, or null. */
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

  /** The path of one; installs it where that is a matter of one command, else says how to get it. */
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

/** Some distributions put a script in its place that only says where to get it: being there is not enough. */
async function starts(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  // On Windows, asking for the version may open a window.
  return process.platform === "win32" || (await ask(path, ["--version"])) !== null;
}
