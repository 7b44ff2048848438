/**
 * `npm run conformance`: checks that the package answers like the published tool-search systems, with answers recorded from
 * them.
 */

import { readVectors } from "../tests/vectors/play/vectors.mjs";
import { SYSTEMS, runVector } from "../tests/vectors/play/run.mjs";
import { build } from "../scripts/build.mjs";
import { options } from "../scripts/lib/options.mjs";
import { at } from "../scripts/lib/paths.mjs";
import { bold, dim, isCommand, main, red } from "../scripts/lib/progress.mjs";

const HELP = `npm run conformance [-- DIR] [-- --json]

Runs every vector of the *.json files in a folder through the built npm package, and prints each that it does not answer
as expected. Ends with an error when there is one.
  DIR      a folder of vectors, with its catalogs in DIR/catalogs; default: tests/vectors
  --json   the same for programs`;

/** Characters of a value that a line shows; \`--json\` has all of it. */
const SHOWN = 400;

/** Runs every vector of a folder. Returns their outcomes, and counts by system. */
async function conformance(folder) {
  const { ToolSift } = await import(at("pkg", "dist", "index.js"));
  const { vectors, catalog } = readVectors(folder);
  const results = vectors.map((vector) => runVector(ToolSift, vector, catalog));
  const own = (name) => results.filter(({ system }) => system === name);
  const names = new Set([...Object.keys(SYSTEMS), ...results.map(({ system }) => system)]);
  const present = [...names].filter((name) => own(name).length > 0);
  return { ...counted(results), systems: present.map((system) => ({ system, ...counted(own(system)) })), results };
}

function counted(results) {
  const count = (outcome) => results.filter((one) => one.outcome === outcome).length;
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}

/** Returns one line for a vector that did not pass. */
function lineOf({ id, outcome, expected, actual, reason }) {
  const values = expected === undefined ? [] : [`expected ${shown(expected)}`, `actual ${shown(actual)}`];
  const why = reason && (expected === undefined ? oneLine(reason) : `(${oneLine(reason)})`);
  return [`${id}:`, ...(outcome === "skipped" ? ["skipped:"] : []), ...values, why].filter(Boolean).join(" ");
}

const shown = (value) => clipped(JSON.stringify(value));
const oneLine = (text) => clipped(text.replaceAll(/\s*\n\s*/g, " | "));
const clipped = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const inWords = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

function print({ systems, results, ...total }) {
  for (const result of results) {
    if (result.outcome === "failed") console.log(red(lineOf(result)));
    if (result.outcome === "skipped") console.log(dim(lineOf(result)));
  }
  for (const { system, ...count } of systems) console.log(`${`${system}:`.padEnd(13)}${inWords(count)}`);
  console.log(bold(`${"total:".padEnd(13)}${inWords(total)}`));
}

if (isCommand(import.meta.url)) {
  const { json, folder } = options({ json: { type: "boolean" } }, HELP, { operand: "folder" });
  await main(async () => {
    await build();
    const outcome = await conformance(folder ?? at("tests", "vectors"));
    if (json) console.log(JSON.stringify(outcome, null, 2));
    else print(outcome);
    return outcome.failed > 0 ? 1 : 0;
  });
}
