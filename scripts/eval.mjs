/** `npm run eval -- DIR`: how good search is, for every ranker of the package and for peers, on labelled queries. */

import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build } from "./build.mjs";
import { comparable, compare, readResults } from "./lib/eval/against.mjs";
import { macroOf } from "./lib/eval/measure.mjs";
import { nameSets } from "./lib/eval/names.mjs";
import { acceptedBy } from "./lib/eval/ours.mjs";
import { measureAll } from "./lib/eval/pool.mjs";
import { chosenRankers } from "./lib/eval/rankers.mjs";
import { readSets } from "./lib/eval/sets.mjs";
import { printComparison, printNames, printSummary } from "./lib/eval/table.mjs";
import { withTypos } from "./lib/eval/typo.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { isCommand, main, progressTo, step } from "./lib/progress.mjs";
import { Problem } from "./lib/run.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm run eval -- DIR [--json FILE] [--rankers A,B] [--against FILE] [--typo SEED] [--names]

Search quality on every set in a folder: recall, nDCG, MRR, share of empty results and time per query, per set and as
the plain mean over sets, for every ranker of the package and for peers.
  DIR             a folder of sets, or one set: catalog.jsonl with {name, description, parameters, server} a line, and
                  queries.jsonl with {id, query, relevant: [names], match: "any" or "all", groups?}
  --json FILE     writes {results: [{set, ranker, id, ranked}], summary}
  --rankers A,B   only these
  --against FILE  the difference to what --json wrote of another run, with its 95 % interval
  --typo SEED     one random typo in one word of every query
  --names         exact tool names as queries, in five spellings: recall@1`;

const SPEC = {
  json: { type: "string" },
  rankers: { type: "string" },
  against: { type: "string" },
  typo: { type: "string" },
  names: { type: "boolean" },
};

/** What was asked, checked before anything takes time. */
function checked({ folder, json, against, names, typo }) {
  if (folder === undefined) throw new Problem("npm run eval -- DIR: say which folder holds the sets");
  if (names && (against !== undefined || typo !== undefined)) {
    throw new Problem("--names asks for names, not for the queries of the sets: not together with --against or --typo");
  }
  if (json !== undefined && !existsSync(dirname(resolve(json)))) throw new Problem(`${json}: there is no such folder`);
}

/** A set without the tools that the package refuses, which no ranker gets then. */
function accepted(ToolSift, set) {
  const { tools, refused, reason } = acceptedBy(ToolSift, set.tools);
  const notes = refused === 0 ? [] : [`${refused} tools cannot be registered and are left out: ${reason}`];
  return { ...set, tools, notes: [...set.notes, ...notes] };
}

const measureWith = (sets, rankers) =>
  step(`measuring ${rankers.length} rankers on ${sets.length} sets of queries`, async () => {
    let told = 0;
    return measureAll(sets, rankers, (share) => {
      const quarter = Math.floor(4 * share);
      if (quarter > told && share < 1) process.stderr.write(`  … ${25 * quarter} % measured\n`);
      told = quarter;
    });
  });

/** Per set and ranker the means, and the means over sets. */
function summaryOf(sets, rankers, rows) {
  const of = (set, ranker) => rows.find((row) => row.set === set && row.ranker === ranker).summary;
  const byRanker = (value) => Object.fromEntries(rankers.map((ranker) => [ranker, value(ranker)]));
  return {
    sets: sets.map(({ name, spelling, tools, queries, notes }, set) => ({
      set: name,
      ...(spelling === undefined ? {} : { spelling }),
      tools: tools.length,
      queries: queries.length,
      notes,
      rankers: byRanker((ranker) => of(set, ranker)),
    })),
    macro: byRanker((ranker) => macroOf(sets.map((_, set) => of(set, ranker)))),
  };
}

/** Recall@1 by spelling, for the mean over sets and for each set. */
function namesOf({ sets }, rankers) {
  const tableOf = (title, chosen) => {
    const spelling = {};
    for (const name of new Set(chosen.map((set) => set.spelling))) {
      const own = chosen.filter((set) => set.spelling === name);
      const recall = (ranker) => macroOf(own.map((set) => ({ recall: set.rankers[ranker]["recall@1"] }))).recall;
      spelling[name] = Object.fromEntries(rankers.map((ranker) => [ranker, recall(ranker)]));
    }
    return { title, spelling, rankers };
  };
  const titles = [...new Set(sets.map(({ set }) => set))];
  return [
    tableOf(`Mean over ${titles.length} sets`, sets),
    ...titles.map((title) => tableOf(title, sets.filter(({ set }) => set === title))),
  ];
}

function write(path, sets, rows, summary) {
  const results = rows.flatMap(({ set, ranker, ranked }) =>
    ranked.map((names, query) => ({ set: sets[set].name, ranker, id: sets[set].queries[query].id, ranked: names })),
  );
  try {
    // A line per result: such files are large, and are read with line tools, too.
    const lines = results.map((result) => JSON.stringify(result)).join(",\n");
    writeFileSync(path, `{"results":[\n${lines}\n],"summary":${JSON.stringify(summary)}}\n`);
  } catch (error) {
    throw new Problem(`${path} cannot be written: ${error.message}`);
  }
}

async function evaluate(asked) {
  checked(asked);
  const read = readSets(asked.folder);
  const before = asked.against === undefined ? undefined : readResults(asked.against);
  await setUp();
  await build();
  const { ToolSift } = await import(at("pkg", "dist", "index.js"));
  const rankers = chosenRankers(ToolSift, asked.rankers).map(({ name }) => name);
  const common = before && comparable(before, read, rankers, asked.against);
  const typed = asked.typo === undefined ? read : read.map((set) => withTypos(set, asked.typo));
  const taken = typed.map((set) => accepted(ToolSift, set));
  const sets = asked.names ? taken.flatMap(nameSets) : taken;
  for (const { name, notes } of taken) for (const note of notes) process.stderr.write(`${name}: ${note}\n`);
  const rows = await measureWith(sets, rankers);
  const summary = summaryOf(sets, rankers, rows);
  if (asked.names) printNames(namesOf(summary, rankers));
  else printSummary(summary);
  if (before) {
    const rankedOf = (set, ranker) =>
      rows.find((row) => sets[row.set].name === set && row.ranker === ranker).ranked;
    printComparison(compare(before, sets, common, rankedOf), sets, asked.against);
  }
  if (asked.json !== undefined) write(asked.json, sets, rows, summary);
}

if (isCommand(import.meta.url)) {
  const asked = options(SPEC, HELP, { operand: "folder" });
  progressTo(process.stderr);
  await main(() => evaluate(asked));
}
