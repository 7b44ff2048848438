/** `npm run simulate`: simulates the cost of tasks for several settings of search, with real ranks and real tools. */

import { readSet, SETS } from "../tests/golden/sets.mjs";
import { build } from "../scripts/build.mjs";
import { acceptedBy } from "./eval/ours.mjs";
import { answersOf } from "./eval/pool.mjs";
import { readSets } from "./eval/sets.mjs";
import { checkWritable, withoutInfinity, writeText } from "../scripts/lib/json-lines.mjs";
import { options } from "../scripts/lib/options.mjs";
import { at } from "../scripts/lib/paths.mjs";
import { bold, dim, isCommand, main, progressTo, step } from "../scripts/lib/progress.mjs";
import { assumptions } from "./simulate/assumptions.mjs";
import { cheapest, recommended } from "./simulate/choose.mjs";
import { constantBelow } from "./simulate/constant-below.mjs";
import { DEFAULTS, definitionsFor, priceOf } from "./simulate/conversation.mjs";
import { measureAll } from "./simulate/measure.mjs";
import { modelOf } from "./simulate/model.mjs";
import { LEGEND, printAlong, printStrategies, reasonOf } from "./simulate/table.mjs";
import { beginningsOf, checkTasks } from "./simulate/tasks.mjs";

const HELP = `npm run simulate [-- DIR] [-- --json FILE] [-- options of the conversation]

Tokens, round trips and price of a task for everything in full, search and reveal, searching ahead, a constant surface,
search-then-add and bridge, all with the ranker of the package, in every setting: how many hits are revealed, how many more
are listed, what budget of tokens a search has, how near to the best a hit must be, and how sure the ranker. Prints the best and
recommends one.
  DIR              a folder of sets, or one set, as npm run eval takes them; default: the golden sets
  --json FILE      writes {model, sets, rows, recommended, now, ahead, constant, constantBelow, breakEven}; no budget is null
  --turns N        requests of the conversation (${DEFAULTS.turns})
  --at N           the one that needs the tool (${DEFAULTS.at})
  --history N      tokens at the start (${DEFAULTS.history})
  --growth N       tokens that a turn adds (${DEFAULTS.growth})
  --cached SHARE   price of a cached input token (${DEFAULTS.cached}); 1: there is no cache
  --output PRICE   price of an output token (${DEFAULTS.output})
  --trip PRICE     price of a round trip (${DEFAULTS.trip})
  --warm           the cache knows the tools from an earlier conversation
  --append         revealed definitions stand at the end of the request

${assumptions(DEFAULTS)}`;

const text = { type: "string" };
const flag = { type: "boolean" };
const SPEC = {
  json: text,
  turns: text,
  at: text,
  history: text,
  growth: text,
  cached: text,
  output: text,
  trip: text,
  warm: flag,
  append: flag,
};

/** Returns the sets to measure on. */
function setsIn(folder) {
  const sets = folder === undefined ? Object.keys(SETS).map(goldenSet) : readSets(folder);
  checkTasks(sets);
  return sets;
}

/** Returns the sets with only the tools that the package accepts. */
const accepted = (ToolSift, sets) => sets.map((set) => ({ ...set, tools: acceptedBy(ToolSift, set.tools).tools }));

const goldenSet = (name) => {
  const { tools, queries } = readSet(name);
  return { name, tools: tools.map((tool) => ({ ...tool, server: tool.server ?? null })), queries };
};

/** Returns every set with its tasks and the beginnings of its requests. */
async function opened(ToolSift, sets) {
  const tasks = await answersOf(sets, "simulate");
  return sets.map(({ name, tools }, place) => {
    const beginnings = beginningsOf(ToolSift, tools);
    return { name, tools: tools.length, tasks: tasks[place], beginnings };
  });
}

/**
 * Returns the costs of all settings, the best setting of each strategy, the recommended one, and the package's present one.
 */
function decide(sets, model) {
  const rows = measureAll(sets, model);
  const {
    reveal,
    now: [now],
    ahead: [ahead],
    constant: [constant],
    add,
    bridge,
  } = rows;
  const best = { reveal: cheapest(reveal), add: cheapest(add), bridge: cheapest(bridge) };
  const chosen = recommended(reveal);
  const below = constantBelow((cached) => priceOf(constant, { ...model, cached }) - priceOf(now, { ...model, cached }));
  return {
    rows,
    full: rows.full[0],
    best,
    chosen,
    now,
    ahead,
    constant,
    constantBelow: below,
    breakEven: definitionsFor(chosen.price, model),
  };
}

function print({ model, sets, decided }) {
  const tasks = sets.reduce((sum, set) => sum + set.tasks.length, 0);
  printStrategies(`${tasks} tasks of ${sets.length} ${sets.length === 1 ? "set" : "sets"}`, decided);
  printAlong(decided.rows.reveal, decided.chosen, decided.full);
  console.log(`\n${dim(`${LEGEND}\n${assumptions(model)}`)}`);
  console.log(`\n${bold("Recommended:")} ${reasonOf(decided)}`);
}

function write(path, { model, sets, decided }) {
  const { rows, chosen, now, ahead, constant, constantBelow: below, breakEven } = decided;
  const plain = {
    model,
    sets: sets.map(({ name, tools, tasks, beginnings }) => ({ name, tools, tasks: tasks.length, beginnings })),
    rows: Object.values(rows).flat(),
    recommended: chosen,
    now,
    ahead,
    constant,
    constantBelow: below,
    breakEven,
  };
  writeText(path, withoutInfinity(plain));
}

async function simulate({ folder, json, ...said }) {
  const model = modelOf(said);
  if (json !== undefined) checkWritable(json);
  const read = setsIn(folder);
  await build();
  const { ToolSift } = await import(at("pkg", "dist", "index.js"));
  const sets = await step("asking every query", () => opened(ToolSift, accepted(ToolSift, read)));
  const decided = await step("trying every setting", () => decide(sets, model));
  const found = { model, sets, decided };
  print(found);
  if (json !== undefined) write(json, found);
}

if (isCommand(import.meta.url)) {
  const asked = options(SPEC, HELP, { operand: "folder" });
  progressTo(process.stderr);
  await main(() => simulate(asked));
}
