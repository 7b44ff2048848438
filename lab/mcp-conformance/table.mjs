/** Prints the results of the conformance suite as a table. */

import { bold, dim, green, red } from "../../scripts/lib/progress.mjs";

/** What is shown for a result: it passes, it passes with warnings, it fails. */
function markOf({ passes, warnings }) {
  if (!passes) return red("✗");
  return green(warnings > 0 ? "w" : "✓");
}

const letter = (at) => String.fromCharCode(65 + at);

/** The lines of all results: the ways by letters, a line for each scenario, and how many pass. */
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

/** The lines of what passes directly and not through. */
export function lostLines(entries) {
  return [
    bold(`Passes directly and not through: ${entries.length}`),
    ...entries.map(({ way, scenario, says, why }) => {
      return `  ${scenario} (${way}): ${why ?? red(`no reason is known; the suite says: ${says.join("; ")}`)}`;
    }),
  ];
}
