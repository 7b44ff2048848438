/** Runs every query, distributed to several threads. */

import { jobsOf, workOff } from "../eval/pool.mjs";

/** The queries of one job: enough to make building the index worthwhile. */
const QUERIES = 150;

/** Returns the tasks of each set, in the order of their queries. */
export async function searchAll(sets) {
  const jobs = sets.flatMap((_, set) => jobsOf(sets, set, {}, QUERIES));
  await workOff(new URL("./worker.mjs", import.meta.url), { sets }, jobs, () => {});
  return sets.map((_, set) => jobs.filter((job) => job.set === set).flatMap(({ answer }) => answer));
}
