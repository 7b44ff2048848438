/** Runs the package in Bun, from TypeScript, which Bun runs directly. */

import { run } from "../../../../scripts/lib/run.mjs";
import { appFolder, writeLaunch } from "../app.mjs";
import { programOf } from "../programs.mjs";

export const bun = {
  name: "bun",
  runtime: "Bun",
  loader: "TypeScript",
  start: async () => {
    const { file, version } = programOf("bun");
    const folder = await appFolder({ typescript: true });
    writeLaunch(folder, "launch.mjs", "./start.mts");
    return {
      version,
      once: async () => JSON.parse((await run(file, ["launch.mjs"], { cwd: folder })).stdout),
    };
  },
};
