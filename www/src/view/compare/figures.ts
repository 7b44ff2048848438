/** The rows of the comparison: figures first, each with what wins, and what is said about a profile last. */
import type { ConversationView, Turn } from "../../core/types.ts";
import { billOf, fullBillOf, type Bill, type Prices } from "../../model/bill.ts";
import { IN_FULL } from "../../model/labels.ts";
import { count, dollars, percent } from "../../model/numbers.ts";

/** One column, as far as it was played. */
export interface Column {
  name: string;
  bill: Bill;
  /** Null for everything in full, which is worked out from the others. */
  view: ConversationView | null;
  turns: readonly Turn[];
}

export interface Figure {
  name: string;
  label: string;
  /** The value that is compared; null where it has none. */
  value: (column: Column) => number | null;
  text: (value: number) => string;
  /** What wins, if anything does. */
  best: "least" | "most" | null;
}

/** Turns of the user past these are in the total only. */
const MOST_TURNS = 12;

export function figuresOf(columns: readonly Column[]): Figure[] {
  const some = columns.find((column) => column.view !== null);
  const starts = some ? startsOf(some.turns) : [];
  const spoken = starts.slice(0, MOST_TURNS).map(
    (_, index): Figure => ({
      name: `turn-${index + 1}`,
      label: starts.length > 1 ? `Input tokens, turn ${index + 1}` : "Input tokens",
      value: (column) => tokensIn(column, index),
      text: count,
      best: "least",
    }),
  );
  const full = columns.find((column) => column.view === null)?.bill.price ?? 0;
  return [
    { name: "saved", label: `Against ${IN_FULL}`, value: savedOf(full), text: lessOrMore, best: "most" },
    { name: "price", label: "Price", value: ({ bill }) => bill.price, text: dollars, best: "least" },
    { name: "total", label: "Input tokens in total", value: ({ bill }) => bill.input, text: count, best: "least" },
    { name: "trips", label: "Requests to the model", value: ({ bill }) => bill.requests, text: count, best: "least" },
    { name: "first", label: "Tokens of tools, first request", value: firstHead, text: count, best: "least" },
    { name: "last", label: "Tokens of tools, last request", value: lastHead, text: count, best: "least" },
    { name: "answers", label: "Tokens of answers to searches", value: answersOf, text: count, best: "least" },
    { name: "cached", label: "Input read from the cache", value: ({ bill }) => share(bill), text: percent, best: "most" },
    ...spoken,
  ];
}

/** The columns that win a row; none where all are alike. */
export function winnersOf(figure: Figure, columns: readonly Column[]): ReadonlySet<string> {
  const values = columns.map((column) => ({ name: column.name, value: figure.value(column) }));
  const known = values.filter((row): row is { name: string; value: number } => row.value !== null);
  if (figure.best === null || known.length < 2) return new Set();
  const all = known.map((row) => row.value);
  const best = figure.best === "least" ? Math.min(...all) : Math.max(...all);
  if (all.every((value) => value === best)) return new Set();
  return new Set(known.filter((row) => row.value === best).map((row) => row.name));
}

/** Everything in full, from a conversation of any profile. */
export function fullColumn(name: string, view: ConversationView, prices: Prices): Column {
  return { name, bill: fullBillOf(view.turns, prices), view: null, turns: view.turns };
}

export function columnOf(name: string, view: ConversationView, prices: Prices): Column {
  return { name, bill: billOf(view.turns, prices), view, turns: view.turns };
}

/** The numbers of the requests in which the user speaks; the first request always counts. */
function startsOf(turns: readonly Turn[]): number[] {
  return turns.filter((turn, index) => index === 0 || turn.said !== null).map((turn) => turn.number);
}

function tokensIn({ bill, turns }: Column, index: number): number | null {
  const starts = startsOf(turns);
  const [from, to] = [starts[index], starts[index + 1] ?? Infinity];
  if (from === undefined) return null;
  return bill.rows.filter(({ turn }) => turn >= from && turn < to).reduce((sum, row) => sum + row.input, 0);
}

function firstHead({ view, turns }: Column): number | null {
  const size = turns[0]?.size;
  return size === undefined ? null : view === null ? size.full.tokens : size.request.tokens;
}

function lastHead({ view, turns }: Column): number | null {
  const size = turns.at(-1)?.size;
  return size === undefined ? null : view === null ? size.full.tokens : size.request.tokens;
}

function answersOf({ view, turns }: Column): number | null {
  if (view === null) return 0;
  return turns.reduce((sum, { does }) => sum + (does === null || does === "answer" ? 0 : (does.answerTokens ?? 0)), 0);
}

/** The share of the price of everything in full that a column saves; that column itself has none. */
function savedOf(full: number): Figure["value"] {
  return ({ view, bill }) => (view === null || full === 0 ? null : 1 - bill.price / full);
}

function lessOrMore(share: number): string {
  return share < 0 ? `${percent(-share)} more` : `${percent(share)} less`;
}

function share({ cached, input }: Bill): number {
  return input > 0 ? cached / input : 0;
}
