/** Runs the conformance suite against all targets, and reports what passes directly but not through the gateway. */

import { runSuite } from "./suite.mjs";
import { TARGETS } from "./targets.mjs";

/** Scenarios that pass directly and not through the gateway: in which ways, and why. */
const REASONS = {
  "json-schema-2020-12": {
    ways: ["older, surface", "newer, surface"],
    why: "the scenario looks for its tool in tools/list; behind the surface search_tools gives its schema",
  },
};

/** The results of every way that `TARGETS` has: `{ [way]: { [scenario]: result } }`. */
export async function runTargets() {
  const ways = {};
  for (const [way, start] of Object.entries(TARGETS)) {
    const target = await start();
    try {
      ways[way] = await runSuite(target.url);
    } finally {
      await target.close();
    }
  }
  return ways;
}

/** What passes directly and not through: `{ way, scenario, says, why }`, without `why` where no reason is known. */
export function lost({ direct, ...through }) {
  return Object.entries(through).flatMap(([way, results]) => {
    const names = Object.keys(direct).filter((name) => direct[name].passes && !results[name].passes);
    return names.map((scenario) => {
      const { ways = [], why } = REASONS[scenario] ?? {};
      return { way, scenario, says: results[scenario].says, why: ways.includes(way) ? why : undefined };
    });
  });
}
