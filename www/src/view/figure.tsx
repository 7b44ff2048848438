/** The headline: what the next request costs, instead of what. */
import { useEffect, useState } from "preact/hooks";
import type { Size } from "toolsift";
import { NBSP, count, percent } from "../model/numbers.ts";

export function Headline({ size }: { size: Size }) {
  const { request, full } = size;
  return (
    <p class="headline" id="headline">
      <strong class="headline-now">{count(request.tokens)}</strong>{" "}
      <span class="headline-full">tokens instead of {count(full.tokens)}:</span>{" "}
      <span class="headline-saved">{savedText(size)}</span>
    </p>
  );
}

/** The same in the bar that stays in sight, once the headline is out of it. */
export function RunningFigure({ size, turn }: { size: Size; turn: number }) {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    const headline = document.getElementById("headline");
    if (!headline) return;
    const observer = new IntersectionObserver(([entry]) => setNeeded(entry?.isIntersecting === false));
    observer.observe(headline);
    return () => observer.disconnect();
  }, []);
  const share = size.full.tokens > 0 ? Math.min(1, size.request.tokens / size.full.tokens) : 0;
  return (
    <p class="running" data-needed={needed}>
      <span class="running-turn">Turn {turn}</span>
      <span class="running-numbers">
        <b>{count(size.request.tokens)}</b> of {count(size.full.tokens)}
        <span class="running-unit"> tokens</span>
      </span>
      <svg class="running-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="running-all" width="100" height="6" />
        <rect class="running-sent" width={share * 100} height="6" />
      </svg>
      <b class="running-saved">{savedText(size)}</b>
    </p>
  );
}

export function savedText({ saved }: Size): string {
  if (saved.tokens < 0) return `${percent(-saved.share)} more`;
  return saved.tokens === 0 ? `nothing${NBSP}saved` : `${percent(saved.share)} saved`;
}
