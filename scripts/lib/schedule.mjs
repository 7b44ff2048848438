/** Runs jobs, several at once, each after those that it needs. A job that fails costs only what needs it. */

/**
 * The outcome of each job by its name, in the order in which they ended: `{ state, ms, error }` where `state` is "passed" or
 * "failed", and `{ state: "skipped", because }` for one that needs a job without success.
 *
 * @param jobs `{ name, needs, holds }`, the urgent ones first; two that hold the same thing never run at once
 * @param run does the work of a job; it fails by throwing
 * @param skipped is told of a job that cannot run
 */
export async function schedule(jobs, { atOnce, run, skipped = () => {} }) {
  const outcomes = new Map();
  const running = new Map();
  const names = new Set(jobs.map(({ name }) => name));
  const needsOf = ({ needs = [] }) => needs.filter((need) => names.has(need));
  const isFree = ({ holds }) => holds === undefined || [...running.keys()].every((other) => other.holds !== holds);
  const begin = async (job) => {
    const start = Date.now();
    try {
      await run(job);
      outcomes.set(job.name, { state: "passed", ms: Date.now() - start });
    } catch (error) {
      outcomes.set(job.name, { state: "failed", ms: Date.now() - start, error });
    }
    running.delete(job);
  };
  let waiting = [...jobs];
  while (waiting.length > 0 || running.size > 0) {
    const before = waiting.length;
    waiting = waiting.filter((job) => {
      const lost = needsOf(job).find((need) => outcomes.has(need) && outcomes.get(need).state !== "passed");
      if (lost !== undefined) {
        outcomes.set(job.name, { state: "skipped", because: lost });
        skipped(job, lost);
        return false;
      }
      const isReady = needsOf(job).every((need) => outcomes.has(need));
      if (running.size >= atOnce || !isReady || !isFree(job)) return true;
      running.set(job, begin(job));
      return false;
    });
    if (running.size > 0) await Promise.race(running.values());
    else if (waiting.length === before && before > 0) {
      throw new Error(`jobs that need each other: ${waiting.map(({ name }) => name).join(", ")}`);
    }
  }
  return outcomes;
}
