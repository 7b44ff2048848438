/** Compares the figures with the aims: for each aim what was measured, and whether it is reached or by how much not. */

import { bold, dim, green, red } from "../../progress.mjs";
import { SYNC_TOOLS } from "./extras.mjs";
import { OWN, titleOf } from "./peers.mjs";
import { ms } from "./print.mjs";
import { KINDS } from "./queries.mjs";
import { shown } from "./size.mjs";

/** Queries as people and models write them; the other kinds are languages that only toolsift has. */
const WORDS = ["3-words", "12-words", "story", "typo"];
const TAB_BYTES = 200e6;

/**
 * Every aim as `{ aim, reached, measured, missedBy }`: `reached` is null where this run did not measure it, and `missedBy`
 * is how many times too much the figure is.
 */
export function aimsOf({ sizes, sync, cold }) {
  const at = (tools) => sizes.find((size) => size.tools === tools)?.rows;
  const large = sizes.filter(({ tools }) => tools >= 1_000);
  return [
    ...large.flatMap(({ tools, rows }) => Object.keys(OWN).map((own) => beside(`${titleOf(own)}, ${shown(tools)} tools: 5 times faster than the fastest peer`, rows, own, fastest, 5))),
    ...Object.keys(OWN).map((own) => within(`${titleOf(own)}, 10,000 tools: at most 0.5 ms p50`, kindsOf(at(10_000)?.[own]), 0.5, ms)),
    ...Object.keys(OWN).map((own) => beside(`${titleOf(own)}, 10,000 tools: 50 times faster than MiniSearch`, at(10_000), own, miniSearch, 50)),
    beside("toolsift search, 100 tools: not slower than the fastest peer", at(100), "toolsift", fastest, 1),
    ...sizes.map(({ tools, rows }) => buildAim(tools, rows)),
    within("100,000 tools within 200 MB of wasm and JavaScript", named("memory", at(100_000)?.toolsift.memory?.bytes), TAB_BYTES, (bytes) => `${(bytes / 1e6).toFixed(0)} MB`, at(100_000)?.toolsift.skipped),
    ...["node", "workerd"].map((runtime) =>
      within(`cold start with an index of 1,000 tools, ${runtime}: at most 10 ms of CPU`, named("CPU", cold[runtime].cpu), 10, ms, cold[runtime].skipped),
    ),
    within(`sync of one tool among ${shown(SYNC_TOOLS)}: at most 5 ms p50`, named("sync", sync.sync?.p50), 5, ms, sync.skipped),
  ];
}

const named = (name, value) => (value === undefined || value === null ? [] : [[name, value]]);

/** The p50 of a row by kind of words. */
const kindsOf = (row) => WORDS.flatMap((kind) => named(KINDS[kind], row?.queries[kind]?.p50));

/** The p50 of the fastest peer, or of MiniSearch, for a kind of query. */
const fastest = (rows, kind) =>
  Object.entries(rows)
    .filter(([row, { queries }]) => !(row in OWN) && queries[kind]?.p50 !== undefined)
    .map(([row, { queries }]) => ({ row, p50: queries[kind].p50 }))
    .sort((a, b) => a.p50 - b.p50)[0];
const miniSearch = (rows, kind) => (rows.minisearch?.queries[kind]?.p50 === undefined ? undefined : { row: "minisearch", p50: rows.minisearch.queries[kind].p50 });

/** Reached where every value is at most the bound. */
function within(aim, values, most, show, reason = "not measured in this run") {
  if (values.length === 0) return { aim, reached: null, measured: reason, missedBy: null };
  const worst = Math.max(...values.map(([, value]) => value));
  const measured = values.map(([name, value]) => `${name} ${show(value)}`).join(", ");
  return { aim, reached: worst <= most, measured, missedBy: worst <= most ? null : worst / most };
}

/** Reached where for every kind of words another library takes at least so many times as long as ours. */
function beside(aim, rows, own, choose, factor) {
  const ratios = WORDS.flatMap((kind) => {
    const ours = rows?.[own].queries[kind]?.p50;
    const other = rows && choose(rows, kind);
    return ours === undefined || other === undefined ? [] : [{ kind, ratio: other.p50 / ours, other: other.row }];
  });
  if (ratios.length === 0) return { aim, reached: null, measured: "not measured in this run", missedBy: null };
  const least = Math.min(...ratios.map(({ ratio }) => ratio));
  const measured = ratios.map(({ kind, ratio, other }) => `${KINDS[kind]} ${ratio.toFixed(2)} x (${titleOf(other)})`).join(", ");
  return { aim, reached: least >= factor, measured, missedBy: least >= factor ? null : factor / least };
}

function buildAim(tools, { toolsift, minisearch }) {
  const aim = `${shown(tools)} tools: build + first search at most a fifth of MiniSearch's build`;
  const ratio = toolsift.ready / minisearch?.build;
  return within(aim, Number.isFinite(ratio) ? [["share", ratio]] : [], 0.2, (share) => share.toFixed(3));
}

export function printAims(aims) {
  console.log(`\n${bold("aims")}`);
  for (const { aim, reached, measured, missedBy } of aims) {
    const mark = reached === null ? dim("not measured") : reached ? green("reached") : red(`missed by ${missedBy.toFixed(2)} x`);
    console.log(`  ${aim}: ${mark}\n${dim(`      ${measured}`)}`);
  }
}
