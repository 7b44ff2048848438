/** Distributes queries to several threads, so that measuring takes less time. */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { kindsOf, summaryOf } from "./measure.mjs";

/** The most threads. More threads would distort the measured times. */
const MOST_THREADS = 4;
/** The queries of one job: few enough to balance slow rankers, and enough to make building the index worthwhile. */
const QUERIES = 100;
const WORKER = new URL("./worker.mjs", import.meta.url);

/**
 * Measures every ranker on every set. Answers rows of `{ set, ranker, ranked, summary, kinds }`, where `set` is a position
 * in the list and `ranker` a name; `done` is told which share of the jobs is done. Brief, it answers no MRR and no times,
 * and is sooner done. `python` is the interpreter of the rankers that need one.
 */
export async function measureAll(sets, rankers, { done, isBrief = false, python }) {
  const jobs = sets.flatMap((_, set) =>
    rankers.flatMap(({ name, isOneJob }) =>
      jobsOf(sets, set, { task: "ask", ranker: name, isBrief }, isOneJob ? sets[set].queries.length : QUERIES),
    ),
  );
  await workOff({ sets, python }, jobs, done);
  return sets.flatMap((of, set) =>
    rankers.map(({ name: ranker }) => {
      const answers = jobs.filter((job) => job.set === set && job.ranker === ranker).map(({ answer }) => answer);
      const ranked = answers.flatMap((answer) => answer.ranked);
      const errors = answers.reduce((sum, answer) => sum + answer.errors, 0);
      const times = answers.flatMap((answer) => answer.times);
      const loads = answers[0].loads && answers.flatMap((answer) => answer.loads);
      const vain = answers[0].vain;
      const summary = summaryOf({ ranked, errors, times, loads, vain }, of, isBrief);
      return { set, ranker, ranked, summary, kinds: kindsOf({ ranked, loads }, of) };
    }),
  );
}

/** Runs a task of `worker.mjs` with every query. Returns its answers, one list for each set. */
export async function answersOf(sets, task, done = () => {}) {
  const jobs = sets.flatMap((_, set) => jobsOf(sets, set, { task }, QUERIES));
  await workOff({ sets }, jobs, done);
  return sets.map((_, set) => jobs.filter((job) => job.set === set).flatMap(({ answer }) => answer));
}

/** Runs all jobs and stores their results. The threads get `data`, which contains the sets. */
async function workOff(data, jobs, done) {
  const { sets } = data;
  // The longest jobs come first, so that no thread works alone at the end. Rankers of one set stay in their order.
  const waiting = [...jobs].sort((a, b) => sets[b.set].tools.length - sets[a.set].tools.length);
  let finished = 0;
  const note = (job, answer) => {
    job.answer = answer;
    finished += 1;
    done(finished / jobs.length);
  };
  const threads = Math.min(MOST_THREADS, availableParallelism(), jobs.length);
  await Promise.all(Array.from({ length: threads }, () => work(new Worker(WORKER, { workerData: data }), waiting, note)));
}

/** Splits the queries of a set into jobs of `size` queries. */
function jobsOf(sets, set, kind, size) {
  const count = sets[set].queries.length;
  const starts = Array.from({ length: Math.ceil(count / size) }, (_, at) => at * size);
  return starts.map((from) => ({ ...kind, set, from, to: Math.min(from + size, count) }));
}

/** Runs one thread, which takes jobs until there is none. */
function work(worker, waiting, note) {
  return new Promise((resolve, reject) => {
    let job;
    const next = () => {
      job = waiting.shift();
      if (job === undefined) worker.terminate().then(resolve, reject);
      else worker.postMessage(job);
    };
    worker.on("message", (answer) => {
      note(job, answer);
      next();
    });
    worker.on("error", (error) => {
      // The other threads stop after their present job.
      waiting.length = 0;
      reject(error);
    });
    next();
  });
}
