/** Runs the conformance suite against all targets, and reports what passes directly but not through the gateway. */

import { runSuite } from "./suite.mjs";
import { TARGETS } from "./targets.mjs";

/** The scenarios that pass directly and fail through the gateway, with the setups and the reason. */
const REASONS = {
  "json-schema-2020-12": {
    ways: ["older, surface", "newer, surface"],
    why: "the scenario looks for its tool in tools/list; behind the surface search_tools gives its schema",
  },
};

/** Returns the results of every target: `{ [way]: { [scenario]: result } }`. */
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

/**
 * Returns the scenarios that pass directly and fail through the gateway: `{ way, scenario, says, why }`. `why` may be
 * missing.
 */
export function lost({ direct, ...through }) {
  return Object.entries(through).flatMap(([way, results]) => {
    const names = Object.keys(direct).filter((name) => direct[name].passes && !results[name].passes);
    return names.map((scenario) => {
      const { ways = [], why } = REASONS[scenario] ?? {};
      return { way, scenario, says: results[scenario].says, why: ways.includes(way) ? why : undefined };
    });
  });
}
