/** The number of the page: what the first request takes, and once a conversation was played, what all of it costs. */
import type { Size } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { billOf, fullBillOf, spanOf } from "../../model/bill.ts";
import { NBSP, count, dollars, percent } from "../../model/numbers.ts";
import { useRolling } from "../scene/use-rolling.ts";

export function Headline() {
  const store = useStore();
  const { without, prices } = store;
  const { turns, size } = store.snapshot.current;
  const [ours, full] = [billOf(turns, prices).price, fullBillOf(turns, prices).price];
  const played = turns.some(({ does }) => does !== null);
  const value = played
    ? without
      ? full
      : ours
    : without
      ? size.full.tokens
      : size.full.tools === 0
        ? 0
        : size.request.tokens;
  const rolled = useRolling(value);
  const share = full > 0 ? 1 - ours / full : 0;
  return (
    <>
      <p class="headline-span">
        {spanOf(turns)}
        {without && ", without tool search"}
      </p>
      <p class="headline" id="headline">
        <strong class="headline-now">{played ? dollars(rolled) : count(rolled)}</strong>{" "}
        <span class="headline-full">
          {played ? (without ? "with every tool in full" : `instead of ${dollars(full)}:`) : restOf(size, without)}
        </span>{" "}
        <span class={`headline-saved ${(played ? share : size.saved.tokens) < 0 ? "dear" : ""}`}>
          {without ? "" : played ? lessText(share) : savedText(size)}
        </span>
      </p>
    </>
  );
}

function restOf({ full }: Size, without: boolean): string {
  if (full.tools === 0) return "tokens: there are no tools";
  return without ? "tokens of tools, in every request" : `tokens instead of ${count(full.tokens)}:`;
}

function lessText(share: number): string {
  if (share === 0) return `nothing${NBSP}saved`;
  return share > 0 ? `${percent(share)} less` : `${percent(-share)} more`;
}

export function savedText({ saved, full }: Size): string {
  if (full.tools === 0) return `nothing to${NBSP}save`;
  if (saved.tokens < 0) return `${percent(-saved.share)} more`;
  return saved.tokens === 0 ? `nothing${NBSP}saved` : `${percent(saved.share)} saved`;
}
