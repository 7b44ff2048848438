/** Compares the figures with the aims: for each aim what was measured, and whether it is reached or by how much not. */

import { bold, dim, green, red } from "../../progress.mjs";
import { SYNC_TOOLS } from "./extras.mjs";
import { OWN, titleOf } from "./peers.mjs";
import { ms, times } from "./print.mjs";
import { KINDS } from "./queries.mjs";
import { shown } from "./size.mjs";

/** Queries as people and models write them; the other kinds are languages that only toolsift has. */
const WORDS = ["3-words", "12-words", "story", "typo"];
const TAB_BYTES = 200e6;

/** Why an aim is missed, as profiles of the core show it: printed beside a missed aim. */
const WHY = {
  query:
    "toolsift scores every tool that shares a word or a synonym with the query, up to half of a large catalog, repairs " +
    "typos, compares the best score with chance, and returns the hits as JSON; FlexSearch intersects lists of ids",
  story: "a story has 60 words, and nearly every tool has one of them; short queries meet this aim",
  small:
    "about 0.04 ms of a query do not depend on the tools: splitting it into words, and the JSON that crosses the boundary " +
    "of the wasm",
  build: "most of it is splitting and stemming 1.3 KB of text per tool, in a wasm that is compiled for size (228 KB gzip)",
  memory: "the definitions are kept whole, 1.3 KB each, and an index of their words takes more than that again",
  cold: "most of it is compiling the wasm, which every process does once, whatever the catalog",
  sync: "a change costs the tools of its server",
};

/**
 * Every aim as `{ aim, reached, measured, missedBy, why }`: `reached` is null where this run did not measure it, `missedBy`
 * is how many times too much the figure is, and `why` is null unless the aim is missed.
 */
export function aimsOf(figures) {
  return everyAim(figures).map(({ why, ...aim }) => ({ ...aim, why: aim.reached === false ? why : null }));
}

function everyAim({ sizes, sync, cold }) {
  const rowsAt = (tools) => sizes.find((size) => size.tools === tools)?.rows ?? {};
  const own = Object.keys(OWN);
  const large = sizes.filter(({ tools }) => tools >= 1_000);
  return [
    ...large.flatMap(({ tools, rows }) =>
      own.map((row) => beside(aimOf(row, tools, "5 times faster than the fastest peer"), rows, row, fastest, 5, WHY.query)),
    ),
    ...own.map((row) => within(aimOf(row, 10_000, "at most 0.5 ms p50"), byKind(rowsAt(10_000)[row]), 0.5, ms, WHY.story)),
    ...own.map((row) =>
      beside(aimOf(row, 10_000, "50 times faster than MiniSearch"), rowsAt(10_000), row, miniSearch, 50, WHY.query),
    ),
    ...own.map((row) =>
      beside(aimOf(row, 100, "not slower than the fastest peer"), rowsAt(100), row, fastest, 1, WHY.small),
    ),
    ...sizes.map(buildAim),
    memoryAim(rowsAt(100_000).toolsift),
    ...["node", "workerd"].map((runtime) => coldAim(runtime, cold[runtime])),
    syncAim(sync),
  ];
}

const aimOf = (row, tools, aim) => `${titleOf(row)}, ${shown(tools)} tools: ${aim}`;

function syncAim({ sync, skipped }) {
  const aim = `sync of one tool among ${shown(SYNC_TOOLS)}: at most 5 ms p50`;
  return within(aim, named("sync", sync?.p50), 5, ms, WHY.sync, skipped);
}

function buildAim({ tools, rows: { toolsift, minisearch } }) {
  const aim = `${shown(tools)} tools: build + first search at most a fifth of MiniSearch's build`;
  return within(aim, named("share", toolsift.ready / minisearch?.build), 0.2, (share) => share.toFixed(3), WHY.build);
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

/** The p50 of a row by kind of words. */
const byKind = (row) => WORDS.flatMap((kind) => named(KINDS[kind], row?.queries[kind]?.p50));

/** The row with the lowest p50 for a kind of query, of all peers or of MiniSearch alone. */
const fastest = (rows, kind) =>
  Object.keys(rows)
    .filter((row) => !(row in OWN) && rows[row].queries[kind]?.p50 !== undefined)
    .sort((a, b) => rows[a].queries[kind].p50 - rows[b].queries[kind].p50)[0];
const miniSearch = ({ minisearch }, kind) => (minisearch?.queries[kind]?.p50 === undefined ? undefined : "minisearch");

const NOT_MEASURED = "not measured in this run";

/** Reached where every value is at most the bound. */
function within(aim, values, most, show, why, reason = NOT_MEASURED) {
  if (values.length === 0) return { aim, reached: null, measured: reason, missedBy: null };
  const worst = Math.max(...values.map(([, value]) => value));
  const measured = values.map(([name, value]) => `${name} ${show(value)}`).join(", ");
  return { aim, reached: worst <= most, measured, missedBy: worst <= most ? null : worst / most, why };
}

/** Reached where another library takes at least so many times as long as ours, for every kind of words. */
function beside(aim, rows, own, choose, factor, why) {
  const ratios = WORDS.flatMap((kind) => {
    const other = choose(rows, kind);
    if (other === undefined) return [];
    return named(`${KINDS[kind]} (${titleOf(other)})`, rows[other].queries[kind].p50 / rows[own].queries[kind]?.p50);
  });
  if (ratios.length === 0) return { aim, reached: null, measured: NOT_MEASURED, missedBy: null };
  const least = Math.min(...ratios.map(([, ratio]) => ratio));
  const measured = ratios.map(([name, ratio]) => `${name} ${times(ratio)}`).join(", ");
  return { aim, reached: least >= factor, measured, missedBy: least >= factor ? null : factor / least, why };
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
