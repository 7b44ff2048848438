/** The number of the page: what the first request takes, and once a conversation was played, what all of it costs. */
import type { Size } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { headlineOf, modelOf, type Prices } from "../../model/bill.ts";
import { IN_FULL } from "../../model/labels.ts";
import { count, dollars, NBSP, percent } from "../../model/numbers.ts";
import { isPlayed } from "./script-options.tsx";
import { useRolling, useSettled } from "../scene/use-rolling.ts";

export function Headline() {
  const store = useStore();
  const { prices } = store;
  const now = store.snapshot.current;
  const there = useSettled(now);
  const headline = ({ turns, size }: typeof now) => headlineOf(turns, size, prices);
  // Tokens become dollars when what the first search reveals has arrived.
  const { turns, size } = headline(now).unit === headline(there).unit ? now : there;
  const { span, unit, ours, full, share } = headlineOf(turns, size, prices);
  const told = store.without ? full : ours;
  const rolled = useRolling(told, unit);
  // On its way to everything, the number is not yet that of a request without tool search.
  const settled = useSettled(store.without) === store.without;
  const without = store.without && (settled || rolled === full);
  const isPriced = unit === "dollars";
  const played = store.snapshot.scripts.find((one) => isPlayed(one, now));
  const made = played && (played.recorded === undefined ? "Scripted" : "Recorded");
  const isOver = now.turns.at(-1)?.does === "answer";
  return (
    <>
      <p class="headline-span">
        {isPriced && made ? `${made} ${isOver ? "conversation" : "so far"}` : span}
        {without && ", without tool search"}
        {isPriced && `, at ${pricesOf(prices)}`}
      </p>
      <p class="headline" id="headline">
        <strong class="headline-now">{isPriced ? dollars(rolled) : count(rolled)}</strong>{" "}
        <span class="headline-full">
          {isPriced ? (without ? `with ${IN_FULL}` : `instead of ${dollars(full)}:`) : restOf(size, without)}
        </span>{" "}
        <span class={`headline-saved ${share !== null && share < 0 ? "dear" : ""}`} data-rolling={rolled !== told}>
          {without && size.full.tools > 0 ? "" : isPriced ? lessText(share) : savedText(size)}
        </span>
      </p>
    </>
  );
}

/** The same number in a line of the bar. */
export function HeadlineInBar() {
  const store = useStore();
  const { turns, size } = store.snapshot.current;
  const { span, unit, ours, full } = headlineOf(turns, size, store.prices);
  const [written, of] = unit === "dollars" ? [dollars, ""] : [count, " tokens of tools"];
  return (
    <a
      class="running"
      href={store.address("conversation")}
      title={`The bill of the conversation, at ${pricesOf(store.prices)}`}
    >
      {span}: <b>{written(ours)}</b> instead of {written(full)}
      {of}
    </a>
  );
}

/** Whose prices these are. */
export function pricesOf(prices: Prices): string {
  const model = modelOf(prices);
  return model === null ? "prices of your own" : `prices of ${model}`;
}

function restOf({ full }: Size, without: boolean): string {
  if (full.tools === 0) return "tokens: there are no tools";
  return without ? "tokens of tools, in every request" : `tokens of tools instead of ${count(full.tokens)}:`;
}

function lessText(share: number | null): string {
  if (share === null) return "not the same work";
  if (share === 0) return `nothing${NBSP}saved`;
  return share > 0 ? `${percent(share)} less` : `${percent(-share)} more`;
}

export function savedText({ saved, full }: Size): string {
  if (full.tools === 0) return `nothing to${NBSP}save`;
  if (saved.tokens < 0) return `${percent(-saved.share)} more`;
  return saved.tokens === 0 ? `nothing${NBSP}saved` : `${percent(saved.share)} saved`;
}
