/**
 * Does lab/REPORT.md state what is measured? Every row of its tables, with the captured servers of this build. Where one is
 * not the same, `node tests/prompt-size/docs.test.mjs --update` writes what it is now; then read the sentences around it.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { capture } from "../../scripts/capture.mjs";
import { readCatalogs } from "../../scripts/lib/catalogs.mjs";
import { evictions } from "../../scripts/lib/conversation/evict.mjs";
import { converse, FULL } from "../../scripts/lib/conversation/measure.mjs";
import { RATES } from "../../scripts/lib/conversation/rates.mjs";
import { WIRES } from "../../scripts/lib/conversation/wire.mjs";
import { at } from "../../scripts/lib/paths.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));
await capture();
const CATALOGS = readCatalogs(at("www", "public", "captured"));
const FILE = at("lab", "REPORT.md");
const UPDATE = process.argv.includes("--update");
let docs = readFileSync(FILE, "utf8");
const FORMATS = Object.keys(WIRES);
/** A vendor without a cache: every token costs the same. */
const NO_CACHE = { ...RATES, cached: RATES.input, write: RATES.input };

const number = (value) => value.toLocaleString("en-US");
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const money = (price) => price.toFixed(4);
const against = (saved) => `${saved > 0 ? "−" : "+"}${percent(Math.abs(saved))}`;
const nameOf = (profile) => (profile === FULL ? "everything in full" : `\`${profile}\``);

/** Asserts that the document has exactly these rows under the head that begins so. */
function stated(head, rows) {
  const start = docs.indexOf(`| ${head}`);
  assert.ok(start >= 0, `there is a table ${head}`);
  const [table] = docs.slice(start).split("\n\n", 1);
  const [title, rule, ...stood] = table.trimEnd().split("\n");
  const measured = rows.map((cells) => `| ${cells.join(" | ")} |`);
  if (!UPDATE) return assert.deepEqual(stood, measured);
  docs = docs.slice(0, start) + [title, rule, ...measured].join("\n") + docs.slice(start + table.trimEnd().length);
  writeFileSync(FILE, docs);
}

const together = (formats, rates) => converse(ToolSift, CATALOGS, { formats, rates, written: true });
const all = together(FORMATS, RATES);
const find = ({ runs }, name, wire = "anthropic") => runs.find(({ profile, format }) => profile === name && format === wire);
const players = [...new Set(all.runs.map(({ profile }) => profile))];
const profiles = players.filter((name) => name !== FULL);

test("all servers together", () => {
  assert.ok(all.written, "the script that is written for these servers is played");
  const bare = together(["anthropic"], NO_CACHE);
  const rows = players.map((name) => {
    const { total, saved } = find(all, name);
    const { requests, tokens, cached, kept, worst, again, price } = total;
    const figures = [
      number(requests),
      number(tokens),
      percent(cached / tokens),
      percent(kept),
      percent(worst),
      number(again),
    ];
    const compared = name === FULL ? ["", ""] : [against(saved), against(find(bare, name).saved)];
    return [nameOf(name), ...figures, money(price), ...compared];
  });
  stated("`anthropic` | requests", rows);
});

test("every format", () => {
  stated(
    "against everything in full",
    profiles.map((name) => {
      return [nameOf(name), ...FORMATS.map((format) => against(find(all, name, format).saved))];
    }),
  );
});

test("turn by turn", () => {
  const { turns } = find(all, "sift");
  const full = find(all, FULL).turns;
  const kinds = { new: "a new tool", again: "a tool again", several: "two tools", miss: "no such tool" };
  stated(
    "turn |",
    turns.map(({ tokens, kept, worst, again, price }, turn) => {
      const cells = [number(tokens), percent(kept), percent(worst), number(again), money(price), money(full[turn].price)];
      return [turn + 1, kinds[all.turns[turn].kind], ...cells];
    }),
  );
});

test("each server by itself", () => {
  const each = CATALOGS.map((one) => {
    return { server: one.server, ...converse(ToolSift, [one], { formats: ["anthropic"], rates: RATES, written: true }) };
  });
  each.sort((a, b) => a.definitions - b.definitions);
  stated(
    "server |",
    each.map((one) => {
      const compared = profiles.map((name) => against(find(one, name).saved));
      return [`\`${one.server}\``, one.tools, number(one.definitions), ...compared];
    }),
  );
});

test("evictions", () => {
  const played = evictions(ToolSift, CATALOGS, { format: "anthropic", rates: RATES, written: true });
  const bare = evictions(ToolSift, CATALOGS, { format: "anthropic", rates: NO_CACHE, written: true });
  stated(
    "eviction |",
    played.map(({ when, evicted, total, saved }, row) => {
      const { requests, tokens, again, price } = total;
      const figures = [evicted.flat().length, requests, number(tokens), number(again), money(price)];
      return [when, ...figures, ...(row === 0 ? ["", ""] : [against(saved), against(bare[row].saved)])];
    }),
  );
});
