/** Prints tables within 120 columns, and says in words where tool search costs more. */

import { cells, clean, fit, heads } from "../lib/columns.mjs";
import { bold, dim } from "../../scripts/lib/progress.mjs";
import { LEFT } from "./evict.mjs";
import { FULL } from "./measure.mjs";

const NAME = 19;
export const CATALOG = 22;
const WHEN = 21;
const KINDS = { new: "a new tool", again: "a tool again", several: "two tools", miss: "no such tool" };

export const number = (value) => Math.round(value).toLocaleString("en-US");
export const money = (value) => value.toFixed(4);
export const percent = (value) => (value === null ? "-" : `${(100 * value).toFixed(1)} %`);
const labelOf = (profile) => (profile === FULL ? "everything in full" : profile);

/** Smaller shares of a price are shown as no difference. */
export const SAME = 0.0005;

/** Formats a price, compared with sending all tools, by the saved share. */
export function verdict(saved) {
  if (Math.abs(saved) < SAME) return "the same";
  return saved > 0 ? `saves ${percent(saved)}` : `costs ${percent(-saved)} more`;
}

export const COLUMNS = [
  ["requests", 9, ({ requests }) => number(requests)],
  ["tokens", 12, ({ tokens }) => number(tokens)],
  ["cached", 9, ({ cached, tokens }) => percent(cached / tokens)],
  ["kept", 9, ({ kept }) => percent(kept)],
  ["worst", 9, ({ worst }) => percent(worst)],
  ["again", 10, ({ again }) => number(again)],
  ["output", 8, ({ output }) => number(output)],
  ["price", 10, ({ price }) => money(price)],
];

/** Prints the conversation about some catalogs, with every profile in every format. */
export function printSummary({ catalog, tools, written, turns, runs }) {
  const script = written ? "the script written for these servers" : "queries chosen from the tools";
  console.log(`\n${bold(`${turns.length} turns about ${clean(catalog)}: ${number(tools)} tools, ${script}`)}`);
  for (const format of new Set(runs.map((run) => run.format))) {
    console.log(`\n${bold(format.padEnd(NAME))}${heads([...COLUMNS, ["against full", 20]])}`);
    for (const { profile, total, saved, lost } of runs.filter((run) => run.format === format)) {
      const said = profile === FULL ? "" : verdict(saved);
      const note = lost > 0 ? ` (lost ${lost})` : "";
      console.log(labelOf(profile).padEnd(NAME) + cells(COLUMNS, total) + said.padStart(20) + note);
    }
  }
}

/** Prints the cost of each single catalog in one format, compared with sending all tools. */
export function printCatalogs(conversations) {
  const [{ runs }] = conversations;
  const profiles = runs.map(({ profile }) => profile).filter((profile) => profile !== FULL);
  const of = ({ runs }, name) => runs.find(({ profile }) => profile === name);
  const against = (conversation, name) => {
    const { saved, lost } = of(conversation, name);
    return `${signed(saved)}${lost > 0 ? "*" : ""}`;
  };
  const columns = [
    ["tools", 7, ({ tools }) => number(tools)],
    ["tokens", 9, ({ definitions }) => number(definitions)],
    ["in full", 9, (conversation) => money(of(conversation, FULL).total.price)],
    ...profiles.map((name) => [name, Math.max(9, name.length + 1), (conversation) => against(conversation, name)]),
  ];
  console.log(`\n${bold(fit(`By itself, ${runs[0].format}`, CATALOG))}${heads(columns)}`);
  for (const one of conversations) console.log(fit(one.catalog, CATALOG) + cells(columns, one));
}

/** Formats how much more or less a price is, compared with sending all tools. */
export const signed = (saved) => `${saved >= SAME ? "-" : "+"}${percent(Math.abs(saved))}`;

/** Prints the conversation with evictions, compared with the one without. */
export function printEvictions(evicted) {
  const [{ profile, format, total: without }] = evicted;
  const columns = [["evicted", 9, ({ gone }) => number(gone)], ...COLUMNS.filter(([head]) => head !== "output")];
  const against = ["against none", 22];
  console.log(`\n${bold(`Eviction, ${profile}, ${format}: all but ${LEFT} of the revealed tools`)}`);
  console.log(`${"".padEnd(WHEN)}${heads([...columns, against])}`);
  for (const { when, evicted: names, total, saved } of evicted) {
    const said = total === without ? "" : verdict(saved);
    console.log(when.padEnd(WHEN) + cells(columns, { ...total, gone: names.flat().length }) + said.padStart(against[1]));
  }
}

/** Prints one conversation turn by turn, with the cost of the same turn if all tools are sent. */
export function printTurns({ catalog, turns, runs }, run) {
  const full = runs.find(({ profile, format }) => profile === FULL && format === run.format);
  const title = `${labelOf(run.profile)}, ${run.format}, ${clean(catalog)}`;
  const columns = [...COLUMNS, ["in full", 10, ({ beside }) => money(beside)]];
  console.log(`\n${bold(title)}\n${"  turn".padEnd(NAME)}${heads(columns)}`);
  for (const [at, row] of run.turns.entries()) {
    const label = `${String(at + 1).padStart(2)}  ${KINDS[turns[at].kind]}`;
    console.log(`${label.padEnd(NAME)}${cells(columns, { ...row, beside: full.turns[at].price })}`);
  }
}

/** Prints in words where tool search costs more than sending all tools. */
export function printDearer(conversations) {
  const lines = conversations.flatMap(({ catalog, tools, runs }) => {
    const all = new Set(runs.map(({ profile }) => profile).filter((profile) => profile !== FULL));
    const dear = [...all].flatMap((profile) => {
      const own = runs.filter((run) => run.profile === profile);
      const more = own.filter(({ saved }) => saved <= -SAME);
      if (more.length === 0) return [];
      return [`${profile}${more.length < own.length ? ` (${more.map(({ format }) => format).join(", ")})` : ""}`];
    });
    if (dear.length === 0) return [];
    const every = dear.length === all.size && dear.every((one) => all.has(one));
    return [
      `  ${clean(catalog)}, ${number(tools)} tool${tools === 1 ? "" : "s"}: ${every ? "every profile" : dear.join(", ")}`,
    ];
  });
  if (lines.length === 0) console.log("\nNowhere does tool search cost more than sending everything.");
  else console.log(`\n${bold("Tool search costs more than sending everything:")}\n${lines.join("\n")}`);
}

/** Prints the explanation of the figures below all tables. */
export function printLegend(rates) {
  const said = Object.entries(rates)
    .map(([key, rate]) => `${key} ${rate}`)
    .join(", ");
  const legend = `
Prices in dollars, with rates per million tokens that are examples: ${said}.
Tokens are characters / 4. Kept: of the previous request's bytes, an unchanged beginning; worst: of one request.
Again: tokens of previous requests that were paid as new once more. Lost, or a star: the model did not get to
call all its tools. By itself: tokens of the definitions, their price in full, and the price of each profile against it.`;
  console.log(dim(legend));
}
