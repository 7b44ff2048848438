/** Prints tables, and says in words where tool search costs more. */

import { clean, table } from "../lib/columns.mjs";
import { bold, dim } from "../../scripts/lib/progress.mjs";
import { LEFT } from "./evict.mjs";
import { FULL } from "./measure.mjs";

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
  ["requests", ({ requests }) => number(requests)],
  ["tokens", ({ tokens }) => number(tokens)],
  ["cached", ({ cached, tokens }) => percent(cached / tokens)],
  ["kept", ({ kept }) => percent(kept)],
  ["worst", ({ worst }) => percent(worst)],
  ["again", ({ again }) => number(again)],
  ["output", ({ output }) => number(output)],
  ["price", ({ price }) => money(price)],
];

/** Prints the conversation about some catalogs, with every profile in every format. */
export function printSummary({ catalog, tools, written, turns, runs }) {
  const script = written ? "the script written for these servers" : "queries chosen from the tools";
  console.log(`\n${bold(`${turns.length} turns about ${clean(catalog)}: ${number(tools)} tools, ${script}`)}`);
  const columns = [
    ...COLUMNS.map(([head, cell]) => [head, ({ total }) => cell(total)]),
    ["against full", ({ profile, saved }) => (profile === FULL ? "" : verdict(saved))],
    ["", ({ lost }) => (lost > 0 ? `(lost ${lost})` : "")],
  ];
  for (const format of new Set(runs.map((run) => run.format))) {
    const rows = runs.filter((run) => run.format === format).map((run) => [labelOf(run.profile), run]);
    table(format, columns, rows);
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
    ["tools", ({ tools }) => number(tools)],
    ["tokens", ({ definitions }) => number(definitions)],
    ["in full", (conversation) => money(of(conversation, FULL).total.price)],
    ...profiles.map((name) => [name, (conversation) => against(conversation, name)]),
  ];
  const rows = conversations.map((one) => [one.catalog, one]);
  table(`By itself, ${runs[0].format}`, columns, rows);
}

/** Formats how much more or less a price is, compared with sending all tools. */
export const signed = (saved) => `${saved >= SAME ? "-" : "+"}${percent(Math.abs(saved))}`;

/** Prints the conversation with evictions, compared with the one without. */
export function printEvictions(evicted) {
  const [{ profile, format, total: without }] = evicted;
  const columns = [
    ["evicted", ({ evicted: names }) => number(names.flat().length)],
    ...COLUMNS.filter(([head]) => head !== "output").map(([head, cell]) => [head, ({ total }) => cell(total)]),
    ["against none", ({ total, saved }) => (total === without ? "" : verdict(saved))],
  ];
  const rows = evicted.map((one) => [one.when, one]);
  table(`Eviction, ${profile}, ${format}: all but ${LEFT} of the revealed tools`, columns, rows);
}

/** Prints one conversation turn by turn, with the cost of the same turn if all tools are sent. */
export function printTurns({ catalog, turns, runs }, run) {
  const full = runs.find(({ profile, format }) => profile === FULL && format === run.format);
  const title = `${labelOf(run.profile)}, ${run.format}, ${catalog}, by turn`;
  const columns = [...COLUMNS, ["in full", ({ beside }) => money(beside)]];
  const rows = run.turns.map((row, at) => [
    `${String(at + 1).padStart(2)}  ${KINDS[turns[at].kind]}`,
    { ...row, beside: full.turns[at].price },
  ]);
  table(title, columns, rows);
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
