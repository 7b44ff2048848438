/**
 * `node tests/golden/golden.mjs`: measures search on the golden sets (labelled queries), and writes the minimum figures for
 * the tests.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { build } from "../../scripts/build.mjs";
import { options } from "../../scripts/lib/options.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { bold, isCommand, main, red } from "../../scripts/lib/progress.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { fallen, figuresOf, HITS, measure } from "./measure.mjs";
import { NOTHING, readSet, SETS } from "./sets.mjs";

const HELP = `node tests/golden/golden.mjs [--update]

Asks every query of the golden sets through the built npm package and prints the figures of each class. Ends with an
error when one is below the figure in tests/golden/figures.json, and names the queries that were lost.
  --update   writes the figures as they are now into that file`;

/** The profile whose search is held to the figures. */
const PROFILE = "sift";

const FIGURES = at("tests", "golden", "figures.json");

/** Every set with its figures as they are now, by class. */
export async function golden() {
  const { ToolSift } = await import(at("pkg", "dist", "index.js"));
  return Object.keys(SETS).map((name) => {
    const set = readSet(name);
    const sift = new ToolSift({ profile: PROFILE });
    try {
      return { set, classes: measure(set, searcher(sift, set.tools)) };
    } finally {
      sift.dispose();
    }
  });
}

/** A search over all of these tools and no others. */
export function searcher(sift, tools) {
  const { rejected } = sift.register(tools);
  if (rejected.length > 0) throw new Problem(`${rejected[0].name} was not registered: ${rejected[0].message}`);
  return (query) => {
    const answer = sift.search(query, { limit: HITS });
    if (answer.searched === tools.length) return answer;
    throw new Problem(`${answer.searched} of ${tools.length} tools were searched`);
  };
}

/** The committed figures: by set, by class. */
export const committedFigures = () => JSON.parse(readFileSync(FIGURES, "utf8"));

function print(name, classes) {
  const figures = [...new Set(Object.values(classes).flatMap((one) => Object.keys(figuresOf(one))))];
  const line = (label, cells) => label.padEnd(12) + cells.map((cell) => String(cell).padStart(10)).join("");
  console.log(bold(line(name, ["queries", ...figures])));
  for (const [kind, one] of Object.entries(classes)) {
    console.log(line(kind, [one.queries, ...figures.map((figure) => one[figure]?.toFixed(3) ?? "")]));
  }
  const asked = Object.entries(classes)
    .filter(([kind]) => kind !== NOTHING)
    .map(([, one]) => one);
  const total = asked.reduce((sum, { queries }) => sum + queries, 0);
  const mean = (figure) => asked.reduce((sum, one) => sum + one.queries * one[figure], 0) / total;
  const cells = figures.map((figure) => (figure in asked[0] ? mean(figure).toFixed(3) : ""));
  console.log(`${line("answerable", [total, ...cells])}\n`);
}

if (isCommand(import.meta.url)) {
  const { update } = options({ update: { type: "boolean" } }, HELP);
  await main(async () => {
    await build();
    const measured = await golden();
    for (const { set, classes } of measured) print(set.name, classes);
    if (update) {
      const figures = Object.fromEntries(measured.map(({ set, classes }) => [set.name, classes]));
      writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
      return 0;
    }
    const committed = committedFigures();
    const lines = measured.flatMap(({ set, classes }) =>
      Object.entries(classes).flatMap(([kind, now]) => fallen(set, kind, committed[set.name]?.[kind], now)),
    );
    for (const text of lines) console.error(red(text));
    return lines.length > 0 ? 1 : 0;
  });
}
