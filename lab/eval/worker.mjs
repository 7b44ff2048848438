/** A thread of a measurement: it runs queries of a set and returns the results. */

import { parentPort, workerData } from "node:worker_threads";
import { at } from "../../scripts/lib/paths.mjs";
import { judgeQueries } from "./confidence.mjs";
import { askRanker } from "./measure.mjs";
import { rankerNamed } from "./rankers.mjs";
import { tasksOf } from "../simulate/tasks.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));

const TASKS = {
  ask: ({ set, ranker, from, to, isBrief }) =>
    askRanker(rankerNamed(ToolSift, ranker, workerData.python), workerData.sets[set], from, to, isBrief),
  judge: ({ set, from, to }) => judgeQueries(ToolSift, workerData.sets[set], from, to),
  simulate: ({ set, from, to }) => tasksOf(ToolSift, workerData.sets[set], workerData.sets[set].queries.slice(from, to)),
};

parentPort.on("message", async (job) => parentPort.postMessage(await TASKS[job.task](job)));
