/** Runs the package in Cloudflare's workerd, with unchanged files, one of them under the package's name. */

import { appFolder, programData } from "../app.mjs";
import { programOf } from "../programs.mjs";
import { askWorker, HANDLER, writeWorker } from "../worker.mjs";

export const workerd = {
  name: "workerd",
  runtime: "workerd",
  loader: "as it is",
  start: async () => {
    const folder = await appFolder();
    await writeWorker(folder, HANDLER);
    return { version: programOf("workerd").version, once: () => askWorker(folder, programData()) };
  },
};
