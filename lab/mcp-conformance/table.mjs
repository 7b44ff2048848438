/** Prints the results of the conformance suite. */

import { bold, dim, red } from "../../scripts/lib/progress.mjs";
import { table } from "../lib/columns.mjs";

const markOf = ({ passes, warnings }) => (!passes ? "✗" : warnings > 0 ? "w" : "✓");

/** Prints a line for each scenario with its result in each setup, and the number of passed scenarios. */
export function printWays(ways) {
  const columns = Object.entries(ways).map(([way, results]) => [
    way,
    (scenario) => (scenario ? markOf(results[scenario]) : Object.values(results).filter(({ passes }) => passes).length),
  ]);
  const rows = Object.keys(ways.direct).map((scenario) => [scenario, scenario]);
  table("The server scenarios of the suite", columns, [...rows, ["pass"]]);
  console.log(dim("\n✓ passes, w passes with warnings, ✗ fails\n"));
}

/** Prints the scenarios that pass directly and fail through the gateway. */
export function printLost(entries) {
  console.log(bold(`Passes directly and not through: ${entries.length}`));
  for (const { way, scenario, says, why } of entries) {
    console.log(`  ${scenario} (${way}): ${why ?? red(`no reason is known; the suite says: ${says.join("; ")}`)}`);
  }
}
