/** Asks every query, shared out among a few threads. */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** More would take memory without being faster on a small machine. */
const MOST_THREADS = 4;
/** Queries of one job: enough to pay for its index. */
const QUERIES = 150;

/** The tasks of each set, in the order of their queries. */
export async function searchAll(sets) {
  const jobs = sets.flatMap(({ queries }, set) =>
    Array.from({ length: Math.ceil(queries.length / QUERIES) }, (_, at) => {
      return { set, from: at * QUERIES, to: (at + 1) * QUERIES };
    }),
  );
  const waiting = [...jobs];
  const threads = Math.min(MOST_THREADS, availableParallelism(), jobs.length);
  const workers = Array.from({ length: threads }, () => {
    return new Worker(new URL("./worker.mjs", import.meta.url), { workerData: { sets } });
  });
  try {
    await Promise.all(workers.map((worker) => work(worker, waiting)));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return sets.map((_, set) => jobs.filter((job) => job.set === set).flatMap((job) => job.tasks));
}

/** One thread takes a job after the other until there is none. */
function work(worker, waiting) {
  return new Promise((resolve, reject) => {
    let job;
    const next = () => {
      job = waiting.shift();
      if (job === undefined) resolve();
      else worker.postMessage(job);
    };
    worker.on("message", (tasks) => {
      job.tasks = tasks;
      next();
    });
    worker.on("error", reject);
    next();
  });
}
