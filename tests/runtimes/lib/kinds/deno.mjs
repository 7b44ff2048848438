/** Runs the package in Deno without permissions: it may read only imported files. */

import { join } from "node:path";
import { run } from "../../../../scripts/lib/run.mjs";
import { appFolder, writeLaunch } from "../app.mjs";
import { programOf } from "../programs.mjs";

export const deno = {
  name: "deno",
  runtime: "Deno",
  loader: "TypeScript, no permissions",
  start: async () => {
    const { file, version } = programOf("deno");
    const folder = await appFolder({ typescript: true });
    writeLaunch(folder, "launch.mjs", "./start.mts");
    // Its cache of compiled code would make every process after the first a warm one.
    const env = { DENO_DIR: join(folder, ".deno"), DENO_NO_UPDATE_CHECK: "1" };
    const args = ["run", "--no-code-cache", "launch.mjs"];
    return {
      version,
      once: async () => JSON.parse((await run(file, args, { cwd: folder, env })).stdout),
    };
  },
};
