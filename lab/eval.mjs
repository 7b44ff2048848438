/**
 * `npm run eval -- DIR`: measures search quality with labelled queries, for every ranker of the package and for other
 * systems.
 */

import { build } from "../scripts/build.mjs";
import { ablationOf } from "./eval/ablation.mjs";
import { comparable, compare, readResults } from "./eval/against.mjs";
import { measureAhead } from "./eval/ahead.mjs";
import { measureAnswers } from "./eval/answers.mjs";
import { askedOf, confidenceOf } from "./eval/confidence.mjs";
import { macroOf } from "./eval/measure.mjs";
import { nameSets } from "./eval/names.mjs";
import { acceptedBy, WORDS } from "./eval/ours.mjs";
import { answersOf, measureAll } from "./eval/pool.mjs";
import { providePython } from "./eval/python.mjs";
import { chosenAblated, chosenRankers, needsPython } from "./eval/rankers.mjs";
import { readSets, withOwn } from "./eval/sets.mjs";
import { printAblation, printAhead, printAnswers, printComparison, printConfidence } from "./eval/table.mjs";
import { printKinds, printNames, printSummary } from "./eval/table.mjs";
import { withTranslations } from "./eval/translations.mjs";
import { withTypos } from "./eval/typo.mjs";
import { providePackages } from "./lib/packages.mjs";
import { checkWritable, writeText } from "../scripts/lib/json-lines.mjs";
import { options } from "../scripts/lib/options.mjs";
import { at } from "../scripts/lib/paths.mjs";
import { isCommand, main, progressTo, step } from "../scripts/lib/progress.mjs";
import { Problem } from "../scripts/lib/run.mjs";

const HELP = `npm run eval -- DIR [--json FILE] [--rankers A,B] [--against FILE] [--typo SEED]
                [--names | --ablate | --confidence | --gateway | --ahead]

Search quality on every set in a folder: recall, nDCG, MRR, share of empty results and time per query, per set and as
the plain mean over sets, for every ranker of the package and for peers. Peers run their own code in the version that is
shown, those from PyPI where Python and PyPI can be reached; codex, which is written in Rust, is our reading of it.
  DIR             a folder of sets, or one set: catalog.jsonl with {name, description, parameters, server} a line, and
                  queries.jsonl with {id, query, relevant: [names], match: "any" or "all", groups?}; with enrichment.jsonl
                  in it, lines of {name, queries, keywords}, or a file of the set's name in a folder enrichment beside it,
                  the row sift+enriched is measured too; of no_match_queries.jsonl, {id, query}, it counts what loads.
                  With what people say for the words of tools (sift+translations, and in the rows with words), learned without the
                  packs of the set's servers.
                  What lab/eval/own asks of the catalogs of these sets, and its words for them (sift+rewritten), are measured
                  beside them, and stand in no mean
  --json FILE     writes {results: [{set, ranker, id, ranked}], summary}
  --rankers A,B   only these
  --against FILE  the difference to what --json wrote of another run, with its 95 % interval
  --typo SEED     one random typo in one word of every query
  --names         exact tool names as queries, in five spellings: recall@1
  --ablate        the sift ranker without each of its ingredients and without all of them: the differences to the whole,
                  with their 95 % interval, and what each gains on a set that it was not chosen with: what gains less
                  than 0.3 points there goes; --json adds them as {…, ablation}, --rankers "without repair" is only this
  --confidence    does the sift ranker know what a set cannot answer? Asked are its own queries and ones of the other
                  sets; --json writes {results: [{set, id, of, confidence, overChance, ranked}], summary}, where no
                  overChance says that the query names a tool
  --gateway       what the gateway's first answer tells a model: the share of needs whose tool comes with its parameters,
                  or is named at least, and the tokens of the answer; --json writes {results: [], summary}
  --ahead         what is loaded for the user's own message, before the model is asked, with packs and without: the share of
                  requests with all that they need, and the share of messages that need no tool with anything
                  (lab/eval/quiet.jsonl); --json writes {results: [], summary}`;

const SPEC = {
  json: { type: "string" },
  rankers: { type: "string" },
  against: { type: "string" },
  typo: { type: "string" },
  names: { type: "boolean" },
  ablate: { type: "boolean" },
  confidence: { type: "boolean" },
  gateway: { type: "boolean" },
  ahead: { type: "boolean" },
};

/** Checks and returns the options, before the measurement starts. */
function checked({ folder, json, against, names, typo, rankers, ablate, confidence, gateway, ahead }) {
  if (folder === undefined) throw new Problem("npm run eval -- DIR: say which folder holds the sets");
  if (names && (against !== undefined || typo !== undefined)) {
    throw new Problem("--names asks for names, not for the queries of the sets: not together with --against or --typo");
  }
  if ([names, ablate, confidence, gateway, ahead].filter(Boolean).length > 1) {
    throw new Problem("--names, --ablate, --confidence, --gateway and --ahead are different questions: not together");
  }
  const [one] = Object.entries({ gateway, confidence, ahead }).find(([, value]) => value) ?? [];
  if (one && (rankers !== undefined || against !== undefined)) {
    throw new Problem(`--${one} is about one ranker and no ranks: not together with --rankers or --against`);
  }
  if (json !== undefined) checkWritable(json);
}

/** Returns a set without the tools that the package refuses, so that all rankers get the same tools. */
function accepted(ToolSift, set) {
  const { tools, refused, reason } = acceptedBy(ToolSift, set.tools);
  const notes = refused === 0 ? [] : [`${refused} tools cannot be registered and are left out: ${reason}`];
  return { ...set, tools, notes: [...set.notes, ...notes] };
}

/** Runs `work` as a step with a progress callback, and returns its result. */
const measured = (sets, rankers, work) =>
  step(`measuring ${rankers} ranker${rankers === 1 ? "" : "s"} on ${sets.length} sets of queries`, async () => {
    let told = 0;
    return work((share) => {
      const quarter = Math.floor(4 * share);
      if (quarter > told && share < 1) process.stderr.write(`  … ${25 * quarter} % measured\n`);
      told = quarter;
    });
  });

/** Returns the means for each set and ranker, the means over sets, and the labels of the rankers. */
function summaryOf(sets, chosen, rows) {
  const rankers = chosen.map(({ name }) => name);
  const rowOf = (set, ranker) => rows.find((row) => row.set === set && row.ranker === ranker);
  const of = (set, ranker) => rowOf(set, ranker).summary;
  const shared = sets.flatMap(({ isOwn }, set) => (isOwn ? [] : [set]));
  const byRanker = (value) => Object.fromEntries(rankers.map((ranker) => [ranker, value(ranker)]));
  return {
    sets: sets.map(({ name, spelling, tools, queries, notes, isOwn }, set) => ({
      set: name,
      ...(isOwn && { isOwn }),
      ...(spelling === undefined ? {} : { spelling }),
      tools: tools.length,
      queries: queries.length,
      notes,
      rankers: byRanker((ranker) => of(set, ranker)),
      ...(queries.some(({ kind }) => kind) && { kinds: byRanker((ranker) => rowOf(set, ranker).kinds) }),
    })),
    macro: byRanker((ranker) => macroOf(shared.map((set) => of(set, ranker)))),
    labels: Object.fromEntries(chosen.map(({ name, label }) => [name, label])),
  };
}

/** Returns recall@1 by spelling, as mean over sets and for each set. */
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
    ...titles.map((title) =>
      tableOf(
        title,
        sets.filter(({ set }) => set === title),
      ),
    ),
  ];
}

function write(path, results, rest) {
  // Each result is one line, because the files are large and are also read with line-based tools.
  const lines = results.map((result) => JSON.stringify(result)).join(",\n");
  writeText(path, `{"results":[\n${lines}\n],${JSON.stringify(rest).slice(1)}\n`);
}

async function evaluate(asked) {
  checked(asked);
  const given = readSets(asked.folder);
  const isPlain = !asked.names && !asked.ablate && !asked.confidence;
  const read = isPlain ? withOwn(given, at("lab", "eval", "own")) : given;
  if (asked.confidence && read.length < 2) {
    throw new Problem(`${asked.folder} holds one set: --confidence asks a set the queries of others`);
  }
  const before = asked.against === undefined ? undefined : readResults(asked.against);
  await providePackages();
  await build();
  const { ToolSift } = await import(at("pkg", "dist", "index.js"));
  const typed = asked.typo === undefined ? read : read.map((set) => withTypos(set, asked.typo));
  const all = typed.map((set) => accepted(ToolSift, set));
  const sets = isPlain
    ? await step("learning people's words without the servers of each set", () => withTranslations(all))
    : all;
  for (const { name, notes } of sets) for (const note of notes) process.stderr.write(`${name}: ${note}\n`);
  if (asked.gateway) await answer(asked, ToolSift, sets);
  else if (asked.ahead) await loadAhead(asked, ToolSift, sets);
  else if (asked.confidence) await doubt(asked, sets);
  else await rank(asked, ToolSift, asked.names ? sets.flatMap(nameSets) : sets, before);
}

/**
 * Returns the interpreter for the compared packages from PyPI. Without one, prints the reason, and these rankers are left
 * out.
 */
async function pythonOrWhy() {
  const { python, reason } = await providePython();
  if (reason) process.stderr.write(`FastMCP and pydantic-ai are left out: ${reason}\n`);
  return python;
}

const namesBut = (left, rankers) =>
  rankers
    .map(({ name }) => name)
    .filter((name) => !left.includes(name))
    .join(",");

/** Measures how well rankers rank. */
async function rank(asked, ToolSift, sets, before) {
  const choose = asked.ablate ? chosenAblated : chosenRankers;
  const wordless = Object.keys(WORDS).filter((name) => sets.every((set) => set[WORDS[name]] === undefined));
  const asks = asked.rankers ?? (asked.ablate ? undefined : namesBut(wordless, choose(ToolSift)));
  const wanted = choose(ToolSift, asks);
  const python = wanted.some(needsPython) ? await pythonOrWhy() : undefined;
  const chosen = wanted.filter((ranker) => python !== undefined || !needsPython(ranker));
  const rankers = chosen.map(({ name }) => name);
  const shared = sets.filter(({ isOwn }) => !isOwn);
  const common = before && comparable(before, shared, rankers, asked.against);
  const rows = await measured(sets, rankers.length, (done) =>
    measureAll(sets, chosen, { done, isBrief: asked.ablate, python }),
  );
  const summary = summaryOf(sets, chosen, rows);
  const rankedOf = (set, ranker) => rows.find((row) => sets[row.set].name === set && row.ranker === ranker).ranked;
  const ablation = asked.ablate ? ablationOf(sets, rankers, rankedOf) : undefined;
  if (asked.names) printNames(namesOf(summary, rankers), summary.labels);
  else if (asked.ablate) printAblation(summary, ablation);
  else {
    printSummary(summary);
    printKinds(summary);
  }
  if (before) printComparison(compare(before, shared, common, rankedOf), shared, summary.labels, asked.against);
  if (asked.json === undefined) return;
  const results = rows.flatMap(({ set, ranker, ranked }) =>
    ranked.map((names, query) => ({ set: sets[set].name, ranker, id: sets[set].queries[query].id, ranked: names })),
  );
  write(asked.json, results, { summary, ...(ablation && { ablation }) });
}

/** Measures the gateway's first answers. */
async function answer({ json }, ToolSift, sets) {
  const { gateway } = await import(at("pkg", "dist", "gateway.js"));
  const summary = await step(`asking the gateway the queries of ${sets.length} sets`, async () => {
    const rows = [];
    for (const set of sets) rows.push(await measureAnswers(ToolSift, gateway, set));
    return rows;
  });
  printAnswers(summary);
  if (json !== undefined) write(json, [], { summary });
}

/** Measures the tools that are loaded for the user's message. */
async function loadAhead({ json }, ToolSift, sets) {
  const { packsFor } = await import(at("pkg", "dist", "packs.js"));
  const work = () => measureAhead({ ToolSift, packsFor }, sets);
  const summary = await step(`loading ahead for the messages of ${sets.length} sets`, work);
  printAhead(summary);
  if (json !== undefined) write(json, [], { summary });
}

/** Measures how well the `sift` ranker recognises queries that it cannot answer. */
async function doubt({ json }, sets) {
  const asked = askedOf(sets);
  const judged = await measured(asked, 1, (done) => answersOf(asked, "judge", done));
  const summary = confidenceOf(asked, judged);
  printConfidence(summary);
  if (json === undefined) return;
  const results = asked.flatMap(({ name, queries }, set) =>
    queries.map(({ id, foreign = name }, query) => ({ set: name, id, of: foreign, ...judged[set][query] })),
  );
  write(json, results, { summary });
}

if (isCommand(import.meta.url)) {
  const asked = options(SPEC, HELP, { operand: "folder" });
  progressTo(process.stderr);
  await main(() => evaluate(asked));
}
