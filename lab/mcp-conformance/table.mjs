/** Prints the results of the conformance suite as a table. */

import { bold, dim, green, red } from "../../scripts/lib/progress.mjs";

/** Returns the mark of a result: passed, passed with warnings, or failed. */
function markOf({ passes, warnings }) {
  if (!passes) return red("✗");
  return green(warnings > 0 ? "w" : "✓");
}

const letter = (at) => String.fromCharCode(65 + at);

/** Returns the lines of the table: the setups by letters, a line for each scenario, and the number of passed scenarios. */
export function tableOf(ways) {
  const names = Object.keys(ways);
  const scenarios = Object.keys(ways.direct);
  const width = Math.max(...scenarios.map((name) => name.length)) + 2;
  const count = (way) => String(Object.values(ways[way]).filter(({ passes }) => passes).length);
  return [
    ...names.map((way, at) => `  ${letter(at)}  ${way}`),
    "",
    dim(`  ${"scenario".padEnd(width)}${names.map((_, at) => letter(at)).join("  ")}`),
    ...scenarios.map((name) => `  ${name.padEnd(width)}${names.map((way) => markOf(ways[way][name])).join("  ")}`),
    `  ${"pass".padEnd(width)}${names.map((way) => count(way).padEnd(3)).join("")}`,
  ];
}

/** Returns the lines about scenarios that pass directly and fail through the gateway. */
export function lostLines(entries) {
  return [
    bold(`Passes directly and not through: ${entries.length}`),
    ...entries.map(({ way, scenario, says, why }) => {
      return `  ${scenario} (${way}): ${why ?? red(`no reason is known; the suite says: ${says.join("; ")}`)}`;
    }),
  ];
}
