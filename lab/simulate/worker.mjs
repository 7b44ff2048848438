/** A thread of the simulation: it runs queries of a set and returns their tasks. */

import { parentPort, workerData } from "node:worker_threads";
import { at } from "../../scripts/lib/paths.mjs";
import { tasksOf } from "./tasks.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));

parentPort.on("message", ({ set, from, to }) => {
  const chosen = workerData.sets[set];
  parentPort.postMessage(tasksOf(ToolSift, chosen, chosen.queries.slice(from, to)));
});
