/** What does a thread of the measurement do? It asks a ranker some queries of a set, and answers what it found. */

import { parentPort, workerData } from "node:worker_threads";
import { at } from "../paths.mjs";
import { askRanker } from "./measure.mjs";
import { chosenRankers } from "./rankers.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));

parentPort.on("message", ({ set, ranker, from, to }) => {
  const [chosen] = chosenRankers(ToolSift, ranker);
  parentPort.postMessage(askRanker(chosen, workerData.sets[set], from, to));
});
