/** Prints the costs of a conversation through the gateway, and says in words where the gateway costs more. */

import { clean, table } from "../lib/columns.mjs";
import { bold, dim } from "../../scripts/lib/progress.mjs";
import { DIRECT, VARIANTS } from "./ledger.mjs";
import { COLUMNS, money, number, percent, SAME, signed, verdict } from "./table.mjs";

const [DEFAULT] = VARIANTS;

/** Returns the average tokens of tools and system text in a request. */
const standing = ({ total: { parts, requests } }) => (parts.tools + parts.system) / requests;

/** Prints the costs for all catalogs together: without the gateway and in every variant, in every format. */
export function printLedger({ catalog, tools, turns, runs }) {
  const title = `${turns.length} turns about ${clean(catalog)}: ${number(tools)} tools, directly and through the gateway`;
  console.log(`\n${bold(title)}`);
  const columns = [
    ["per request", ({ run }) => number(standing(run))],
    ["searches", ({ run }) => number(run.does.search + run.does.load)],
    ...COLUMNS.filter(([head]) => !["kept", "worst"].includes(head)),
    ["against direct", ({ run }) => (run.variant === DIRECT ? "" : verdict(run.saved))],
    ["", ({ run: { lost } }) => (lost > 0 ? `(lost ${lost})` : "")],
  ];
  for (const format of new Set(runs.map((run) => run.format))) {
    const own = runs.filter((run) => run.format === format);
    const rows = own.map((run) => [run.variant, { ...run.total, run }]);
    table(format, columns, rows);
  }
}

/** Prints the costs for each single catalog, in one format. */
export function printEach(ledgers) {
  const [{ runs }] = ledgers;
  const others = VARIANTS.slice(1).map(({ name }) => [name, ({ of }) => against(of(name))]);
  const columns = [
    ["tools", ({ tools }) => number(tools)],
    ["per request", ({ direct }) => number(standing(direct))],
    ["gateway", ({ through }) => number(standing(through))],
    ["requests", ({ direct }) => number(direct.total.requests)],
    ["gateway", ({ through }) => number(through.total.requests)],
    ["price", ({ direct }) => money(direct.total.price)],
    ["gateway", ({ through }) => money(through.total.price)],
    [DEFAULT.name, ({ through }) => (through.searching ? against(through) : "passes")],
    ...others,
  ];
  const rows = ledgers.map(({ catalog, tools, runs }) => {
    const of = (name) => runs.find(({ variant }) => variant === name);
    return [catalog, { tools, of, direct: of(DIRECT), through: of(DEFAULT.name) }];
  });
  table(`By itself, ${runs[0].format}`, columns, rows);
}

const against = ({ saved, lost }) => `${signed(saved)}${lost > 0 ? "*" : ""}`;

/** Prints a line for each case in which the gateway costs more, with the amount and the reason. */
export function printLosses(ledgers) {
  for (const { name } of VARIANTS.slice(0, 2)) {
    const lines = ledgers.flatMap(({ catalog, tools, runs }) => {
      const dear = runs.filter(({ variant, saved }) => variant === name && saved <= -SAME);
      const [worst] = dear.sort((a, b) => a.saved - b.saved);
      if (worst === undefined) return [];
      const direct = runs.find(({ variant, format }) => variant === DIRECT && format === worst.format);
      const title = `${clean(catalog)}, ${number(tools)} tool${tools === 1 ? "" : "s"}, ${worst.format}`;
      return [`  ${title}: ${percent(-worst.saved)} more; ${whyDearer(worst, direct)}`];
    });
    if (lines.length === 0) console.log(`\nNowhere does the gateway (${name}) cost more than all tools directly.`);
    else console.log(`\n${bold(`The gateway (${name}) costs more than all tools directly:`)}\n${lines.join("\n")}`);
  }
}

/** Returns the reason why a conversation costs more through the gateway than without it. */
function whyDearer(run, direct) {
  const more = run.total.requests - direct.total.requests;
  const shorter = standing(direct) - standing(run);
  if (shorter <= 0) return `its own tools are ${number(-shorter)} tokens longer, and it needs ${number(more)} more requests`;
  return `each request is only ${number(shorter)} tokens shorter, for ${number(more)} more requests and their answers`;
}

/** Prints the explanation of the figures below all tables. */
export function printLedgerLegend(rates) {
  const said = Object.entries(rates)
    .map(([key, rate]) => `${key} ${rate}`)
    .join(", ");
  console.log(
    dim(`
Prices in dollars, with rates per million tokens that are examples: ${said}.
Tokens are characters / 4. Per request: tokens of the tools and the system text, which every request repeats. Searches:
requests that the model answers with a search or a look at parameters. ${DEFAULT.name} is the default: passes means that the
gateway lists the servers' tools as they are. Each variant is compared with the price directly. Lost, or a star: the
model did not get to call all its tools.`),
  );
}
