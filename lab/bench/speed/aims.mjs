/** Compares the figures with the aims: for each aim what was measured, and whether it is reached or by how much not. */

import { bold, dim, green, red } from "../../../scripts/lib/progress.mjs";
import { SYNC_TOOLS } from "./extras.mjs";
import { ms, times } from "./print.mjs";
import { KINDS } from "./queries.mjs";
import { shown } from "./size.mjs";

/** Queries as people and models write them; the other kinds are languages that only toolsift has. */
const WORDS = ["3-words", "12-words", "story", "typo"];
const TAB_BYTES = 200e6;

/** Why an aim is missed, as profiles of the core show it: printed beside a missed aim. */
const WHY = {
  query:
    "toolsift scores every tool that shares a word or a synonym with the query, repairs typos, and compares the best score with " +
    "chance; FlexSearch intersects lists of ids. In the wasm, which is held within 320 KB, small functions stay calls: the " +
    "same search takes a third of the time natively",
  call: "beside the search it reads JSON, loads what fits, and writes the answer's text",
  filter: "which tools have the word is found out anew for every query: by postings, and by what their names contain",
  build: "most of it is splitting and stemming 1.3 KB of text per tool",
  memory: "the definitions are kept whole, 1.3 KB each, and an index of their words takes more than that again",
  cold: "most of it is compiling the wasm, which every process does once, whatever the catalog",
  change: "statistics over all tools follow the one that changed; what depends on them is worked out anew",
  sync: "a change costs the tools of its server",
};

/** How many times as fast as FlexSearch a search is to be, by the number of tools. */
const FLEX_SEARCH = new Map([
  [100, 1],
  [1_000, 2],
  [10_000, 8],
]);
const MINI_SEARCH = 100;
const CALL = 1.2;
const FILTER = 2;
/** Milliseconds of the first search after one tool of 10,000 changed. */
const CHANGED = 2;

/**
 * Every aim as `{ aim, reached, measured, missedBy, why }`: `reached` is null where this run did not measure it, `missedBy`
 * is how many times too much the figure is, and `why` is null unless the aim is missed.
 */
export function aimsOf(figures) {
  return everyAim(figures).map(({ why, ...aim }) => ({ ...aim, why: aim.reached === false ? why : null }));
}

function everyAim({ sizes, sync, cold }) {
  const rowsAt = (tools) => sizes.find((size) => size.tools === tools)?.rows ?? {};
  return [
    ...[...FLEX_SEARCH].map(([tools, factor]) =>
      beside(`${aimOf(tools)} ${factor} x FlexSearch`, rowsAt(tools), "flexsearch", factor),
    ),
    beside(`${aimOf(10_000)} ${MINI_SEARCH} x MiniSearch`, rowsAt(10_000), "minisearch", MINI_SEARCH),
    ...[...FLEX_SEARCH.keys()].flatMap((tools) => [callAim(tools, rowsAt(tools)), filterAim(tools, rowsAt(tools))]),
    ...sizes.map(buildAim),
    changeAim(rowsAt(10_000).toolsift),
    memoryAim(rowsAt(100_000).toolsift),
    ...["node", "workerd"].map((runtime) => coldAim(runtime, cold[runtime])),
    syncAim(sync),
  ];
}

const aimOf = (tools) => `search, ${shown(tools)} tools: as fast as`;

const p50 = (row, kind) => row?.queries[kind]?.p50;

/** A call of the discovery tool beside a search, by kind of words. */
function callAim(tools, rows) {
  const aim = `call, ${shown(tools)} tools: at most ${CALL} times a search`;
  const ratios = WORDS.flatMap((kind) => named(KINDS[kind], p50(rows["toolsift call"], kind) / p50(rows.toolsift, kind)));
  return within(aim, ratios, CALL, times, WHY.call);
}

function filterAim(tools, { toolsift }) {
  const aim = `a word that must occur, ${shown(tools)} tools: at most ${FILTER} times the query without`;
  return within(aim, named("share", p50(toolsift, "filter") / p50(toolsift, "3-words")), FILTER, times, WHY.filter);
}

function changeAim(row) {
  const aim = `10,000 tools: first search after one changed at most ${CHANGED} ms p50`;
  return within(aim, named("search", row?.["search after sync"]?.p50), CHANGED, ms, WHY.change, row?.skipped);
}

function syncAim({ sync, skipped }) {
  const aim = `sync of one tool among ${shown(SYNC_TOOLS)}: at most 5 ms p50`;
  return within(aim, named("sync", sync?.p50), 5, ms, WHY.sync, skipped);
}

function buildAim({ tools, rows: { toolsift, minisearch } }) {
  const aim = `${shown(tools)} tools: build + first search at most half of MiniSearch's build`;
  return within(aim, named("share", toolsift.ready / minisearch?.build), 0.5, (share) => share.toFixed(3), WHY.build);
}

function memoryAim(row) {
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  const aim = `100,000 tools within ${megabytes(TAB_BYTES)} of wasm and JavaScript`;
  return within(aim, named("memory", row?.memory?.bytes), TAB_BYTES, megabytes, WHY.memory, row?.skipped);
}

function coldAim(runtime, { cpu, skipped }) {
  const aim = `import, load of an index of 1,000 tools and first search, ${runtime}: at most 10 ms of CPU`;
  return within(aim, named("CPU", cpu), 10, ms, WHY.cold, skipped);
}

/** A figure with its name, in a list that is empty where it was not measured. */
const named = (name, value) => (Number.isFinite(value) ? [[name, value]] : []);

const NOT_MEASURED = "not measured in this run";

/** Reached where every value is at most the bound. */
function within(aim, values, most, show, why, reason = NOT_MEASURED) {
  if (values.length === 0) return { aim, reached: null, measured: reason, missedBy: null };
  const worst = Math.max(...values.map(([, value]) => value));
  const measured = values.map(([name, value]) => `${name} ${show(value)}`).join(", ");
  return { aim, reached: worst <= most, measured, missedBy: worst <= most ? null : worst / most, why };
}

/** Reached where another library takes at least so many times as long as a search of ours, for every kind of words. */
function beside(aim, rows, other, factor) {
  const ratios = WORDS.flatMap((kind) => named(KINDS[kind], p50(rows[other], kind) / p50(rows.toolsift, kind)));
  if (ratios.length === 0) return { aim, reached: null, measured: NOT_MEASURED, missedBy: null };
  const least = Math.min(...ratios.map(([, ratio]) => ratio));
  const measured = ratios.map(([name, ratio]) => `${name} ${times(ratio)}`).join(", ");
  return { aim, reached: least >= factor, measured, missedBy: least >= factor ? null : factor / least, why: WHY.query };
}

/** Shows each aim with what was measured for it, and why it is missed. */
export function printAims(aims) {
  console.log(`\n${bold("aims")}`);
  for (const { aim, reached, measured, missedBy, why } of aims) {
    console.log(`  ${aim}: ${verdict(reached, missedBy)}\n${dim(`      ${measured}`)}`);
    if (why !== null) console.log(dim(`      ${why}`));
  }
}

function verdict(reached, missedBy) {
  if (reached === null) return dim("not measured");
  return reached ? green("reached") : red(`missed by ${times(missedBy)}`);
}
