/** Measures one catalog size: toolsift and every other library in turn, each in a new process, for several rounds. */

import { inTemporary } from "../../../scripts/lib/place.mjs";
import { step } from "../../../scripts/lib/progress.mjs";
import { combined } from "./combine.mjs";
import { writeMaterial } from "./material.mjs";
import { librariesOf, titleOf } from "./peers.mjs";
import { inProcess } from "./spawn.mjs";

/** The default number of rounds by catalog size: a round with a large catalog takes minutes. */
const ROUNDS = [
  { upTo: 1_000, rounds: 3 },
  { upTo: 10_000, rounds: 2 },
  { upTo: Infinity, rounds: 1 },
];

export const shown = (count) => count.toLocaleString("en-US");

/** Makes a folder with the input files for `tools` tools, runs `work` with it, and removes it. */
export const withMaterial = (tools, work) =>
  inTemporary("bench", async (folder) => {
    const about = await step(`${shown(tools)} tools: making them`, () => writeMaterial(folder, tools));
    return work(folder, about);
  });

/** Measures one catalog size. Returns the settings and the rows by library. */
export function measureSize(tools, { kinds, peers, runs }) {
  const rounds = runs ?? ROUNDS.find(({ upTo }) => tools <= upTo).rounds;
  return withMaterial(tools, async (folder, about) => {
    const found = new Map();
    const note = (row, figures) => found.set(row, [...(found.get(row) ?? []), figures]);
    const ended = new Map();
    for (let round = 1; round <= rounds; round++) {
      for (const [library, rows] of librariesOf(peers)) {
        // A library that exceeded its time limit is not measured again.
        if (ended.has(library)) continue;
        const title = `${shown(tools)} tools, round ${round} of ${rounds}: ${rows.map(titleOf).join(", ")}`;
        const job = { do: "measure", library, rows, kinds, folder, steps: library === "toolsift" };
        const answer = await run(title, job);
        for (const row of rows) note(row, answer.rows[row] ?? {});
        if (answer.ended !== undefined) ended.set(library, answer.ended);
        if (library !== "toolsift" || answer.ended !== undefined) continue;
        const loaded = await run(`${shown(tools)} tools: loaded from an index`, { do: "load", folder });
        note("toolsift", loaded.rows.toolsift ?? {});
      }
    }
    const rows = [...librariesOf(peers)].flatMap(([library, names]) =>
      names.map((row) => [row, combined(found.get(row), { row, kinds, ended: ended.get(library) })]),
    );
    return { ...about, rounds, rows: Object.fromEntries(rows) };
  });
}

function run(title, job) {
  return step(title, async () => {
    const answer = await inProcess(job);
    return answer.ended === undefined ? answer : { ...answer, summary: `${answer.ended.step}: ${answer.ended.reason}` };
  });
}
