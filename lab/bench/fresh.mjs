/** Measures what happens once: each run in a thread of its own, with a core of its own. */

import { Worker } from "node:worker_threads";

/**
 * What the default export of a module answers for some data, in as many threads as runs, one after the other. The
 * function gets the package's `ToolSift`, whose core has started.
 */
export async function inFresh(module, data, runs) {
  const answers = [];
  for (let run = 0; run < runs; run++) answers.push(await once(module, data));
  return answers;
}

function once(module, data) {
  const worker = new Worker(new URL("./thread.mjs", import.meta.url), { workerData: { module, data } });
  return new Promise((resolve, reject) => {
    let answer;
    worker.on("message", (message) => (answer = message));
    worker.on("error", reject);
    worker.on("exit", () => (answer === undefined ? reject(new Error(`${module} gave no answer`)) : resolve(answer)));
  });
}
