/** How a size is told: tokens instead of tokens, and what that saves. */
import type { Size } from "toolsift";
import { NBSP, count, percent } from "../../model/numbers.ts";

export function Headline({ size }: { size: Size }) {
  const { request, full } = size;
  return (
    <p class="headline" id="headline">
      <strong class="headline-now">{count(full.tools === 0 ? 0 : request.tokens)}</strong>{" "}
      <span class="headline-full">
        {full.tools === 0 ? "tokens: there are no tools" : `tokens instead of ${count(full.tokens)}:`}
      </span>{" "}
      <span class="headline-saved">{savedText(size)}</span>
    </p>
  );
}

export function savedText({ saved, full }: Size): string {
  if (full.tools === 0) return `nothing to${NBSP}save`;
  if (saved.tokens < 0) return `${percent(-saved.share)} more`;
  return saved.tokens === 0 ? `nothing${NBSP}saved` : `${percent(saved.share)} saved`;
}
