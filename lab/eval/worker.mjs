/** A thread of the measurement: it runs queries of a set with a ranker and returns the results. */

import { parentPort, workerData } from "node:worker_threads";
import { at } from "../../scripts/lib/paths.mjs";
import { judgeQueries } from "./confidence.mjs";
import { askRanker } from "./measure.mjs";
import { rankerNamed } from "./rankers.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));

const TASKS = {
  ask: ({ set, ranker, from, to, isBrief }) =>
    askRanker(rankerNamed(ToolSift, ranker, workerData.python), workerData.sets[set], from, to, isBrief),
  judge: ({ set, from, to }) => judgeQueries(ToolSift, workerData.sets[set], from, to),
};

parentPort.on("message", async (job) => parentPort.postMessage(await TASKS[job.task](job)));
