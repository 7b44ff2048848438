/** Runs the conformance suite against all targets, and tells what passes directly and not through the gateway. */

import { runSuite } from "./suite.mjs";
import { TARGETS } from "./targets.mjs";

/** Scenarios that pass directly and not through the gateway: in which ways, and why. */
export const REASONS = {
  "json-schema-2020-12": {
    ways: ["older, surface", "newer, surface"],
    why: "the scenario looks for its tool in tools/list; behind the surface search_tools gives its schema",
  },
};

/** Targets that run at the same time; each is up to three processes beside the suite's own. */
const AT_ONCE = 2;

/**
 * The results of every server: `{ server, ways: { [way]: { [scenario]: result } } }`, in the order of the targets.
 *
 * @param targets those to run, in the form of `TARGETS`
 */
export async function runTargets(targets = TARGETS) {
  const jobs = targets.flatMap(({ server, ways }) => Object.entries(ways).map(([way, start]) => ({ server, way, start })));
  const waiting = [...jobs];
  const work = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const target = await job.start();
      try {
        job.results = await runSuite(target.url);
      } finally {
        await target.close();
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const { status, reason } of workers) if (status === "rejected") throw reason;
  return targets.map(({ server }) => {
    const own = jobs.filter((job) => job.server === server);
    return { server, ways: Object.fromEntries(own.map(({ way, results }) => [way, results])) };
  });
}

/** What passes directly and not through: `{ server, way, scenario, says, why }`, without `why` where no reason is known. */
export function lost(servers) {
  return servers.flatMap(({ server, ways: { direct, ...through } }) => {
    return Object.entries(through).flatMap(([way, results]) => {
      const names = Object.keys(direct).filter((name) => direct[name].passes && !results[name].passes);
      return names.map((scenario) => {
        const { ways = [], why } = REASONS[scenario] ?? {};
        return { server, way, scenario, says: results[scenario].says, why: ways.includes(way) ? why : undefined };
      });
    });
  });
}
