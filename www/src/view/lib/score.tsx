import type { HitPart } from "toolsift";
import { score } from "../../model/numbers.ts";
import { kindsOf } from "../../model/reasons.ts";

interface Props {
  value: number;
  /** What the whole bar stands for. */
  full: number;
  parts: readonly HitPart[];
}

/** A score on its ranker's own scale, and in the bar what it is made of. */
export function Score({ value, full, parts }: Props) {
  const width = (share: number) => (full > 0 ? (share / full) * 100 : 0);
  const kinds = kindsOf(parts);
  const known = kinds.reduce((sum, { sum: one }) => sum + one, 0);
  // Of hits without reasons, and on scales where parts do not add up, the bar says how much and not of what.
  const drawn = Math.abs(known - value) < 0.001 ? kinds : [{ kind: "written", sum: value }];
  let from = 0;
  return (
    <span class="score" title={full === 1 ? "From 0 to 1" : "The ranker’s own scale; the bar is relative to the best hit"}>
      <span class="visually-hidden">Score </span>
      <span class="score-value">{score(value)}</span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {drawn.map(({ kind, sum }) => {
          const x = from;
          from += width(sum);
          return <rect key={kind} class={`fit-${kind}`} x={x} width={width(sum)} height="6" />;
        })}
      </svg>
    </span>
  );
}
