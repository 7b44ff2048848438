import { useStore } from "../../app/use-store.ts";
import { IN_FULL } from "../../model/labels.ts";
import { dollars, percent, plural } from "../../model/numbers.ts";
import { costText } from "../../model/verdict-text.ts";
import type { Column } from "./figures.ts";

/** What each column costs, the cheapest first, and in a sentence why, once all are there. */
export function PriceBars({ columns, complete }: { columns: readonly Column[]; complete: boolean }) {
  const { profiles, inForce } = useStore().snapshot;
  const full = columns.find(({ view }) => view === null);
  if (full === undefined) return null;
  const sorted = [...columns].sort((a, b) => a.bill.price - b.bill.price);
  const most = Math.max(...sorted.map(({ bill }) => bill.price));
  return (
    <div class="price-bars">
      {complete && (
        <p data-testid="why-cheapest">
          {whyCheapest(sorted, full)} {besides(sorted, full, inForce.profile)}
        </p>
      )}
      <ol>
        {sorted.map(({ name, bill }) => (
          <li key={name} data-price-bar={name}>
            <span class="mono">{name}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect
                class={bill.price === full.bill.price ? "full" : bill.price < full.bill.price ? "pays" : "dear"}
                width={(100 * bill.price) / most}
                height="10"
              />
            </svg>
            <b>{dollars(bill.price)}</b>
            <span class="price-text">
              {ORIGINS[name] !== undefined && `As ${ORIGINS[name]}. `}
              {summaryOf(name) ?? profiles.all.find((row) => row.name === name)?.summary}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The published systems that profiles are exactly like. */
const ORIGINS: Record<string, string | undefined> = {
  "search-add": "mcpagent’s Tool Search Mode",
  select: "nexo’s ToolSearch",
  "select-load": "Claude Code’s ToolSearch",
  stub: "tool_search of everruns",
  bridge: "tool_search of Hermes",
};

/** What is said of a column that is no profile. */
function summaryOf(name: string): string | undefined {
  if (name === IN_FULL) return "Every tool in every request.";
  if (name === "sift, constant")
    return 'As sift, with surface: "constant": the model calls what it found through tools that are always there, so the list and its cache stay. In trials with a model it saved only 2 %, and the model searched 2.2 times a task instead of 1.6: it is not the default.';
  return undefined;
}

function whyCheapest(sorted: readonly Column[], full: Column): string {
  const [best, second] = sorted;
  if (best === undefined) return "";
  const { bill, turns, name, view } = best;
  const alike = sorted.find((column) => column.view !== null && column.bill.price === full.bill.price);
  if (alike && bill.price === full.bill.price)
    return `No profile pays here: ${alike.name} defers nothing, and ${costText(0)}.`;
  if (view === null)
    return `No profile pays here: each costs more than ${IN_FULL}, since the conversation needs more requests.`;
  const requests = `it needs ${plural(bill.requests, "request")}, ${IN_FULL} ${full.bill.requests}`;
  const still = turns.slice(1).every(({ kept }) => kept.whole);
  const reason = still
    ? `its list never changes, so the cache holds (${percent(bill.input > 0 ? bill.cached / bill.input : 0)} of the input); ${requests}`
    : second !== undefined && bill.input <= second.bill.input
      ? `it sends the fewest tokens; ${requests}`
      : `what it sends is cached more often than with ${second?.name ?? IN_FULL}; ${requests}`;
  return `${name} is cheapest here, ${percent(1 - bill.price / full.bill.price)} less than ${IN_FULL}: ${reason}.`;
}

/** The profile that the page uses, where another one is cheaper. */
function besides(sorted: readonly Column[], full: Column, profile: string): string {
  const own = sorted.find(({ name }) => name === `${profile}, as set`) ?? sorted.find(({ name }) => name === profile);
  if (own === undefined || own.bill.price === sorted[0]?.bill.price) return "";
  return `This page uses ${own.name}, which ${costText(1 - own.bill.price / full.bill.price)}.`;
}
