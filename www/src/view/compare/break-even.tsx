import { useMemo, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import type { Turn } from "../../core/types.ts";
import { billOf, fullBillOf, type Bill } from "../../model/bill.ts";
import { dollars, plural } from "../../model/numbers.ts";
import { spreadScript } from "../../model/scripts.ts";
import { IN_FULL } from "../../model/labels.ts";
import { scaleTo, ticksOf } from "../lib/scale.ts";
import { useWidth } from "../lib/use-width.ts";
import { plainVariants, useRuns } from "./use-runs.ts";

/** Turns of the longest conversation that is played. */
const MOST = 16;
const HEIGHT = 260;
const PLOT = { left: 58, right: 128, top: 14, bottom: 28 };

interface Curve {
  name: string;
  /** What the first turns cost together, by how many they are. */
  prices: number[];
}

/** From how many turns that need a new tool on each profile is cheaper than everything in full. */
export function BreakEven() {
  const store = useStore();
  const { tools, profiles, inForce } = store.snapshot;
  const script = useMemo(() => spreadScript(tools, MOST), [tools]);
  const variants = plainVariants(profiles, inForce);
  const runs = useRuns(store, script, variants);
  const [turns, setTurns] = useState(4);
  const views = variants.flatMap(({ name }) => {
    const run = runs.get(name);
    return run === undefined || "refused" in run ? [] : [{ name, turns: run.turns }];
  });
  const [first] = views;
  if (script.length === 0) return null;
  const most = Math.min(MOST, script.length / 4);
  const full = first && curveOf(IN_FULL, first.turns, fullBillOf(first.turns, store.prices));
  const curves = views.map(({ name, turns: played }) => curveOf(name, played, billOf(played, store.prices)));
  const at = Math.min(turns, most);
  return (
    <section class="card break-even" aria-labelledby="break-even-title">
      <h2 id="break-even-title">How long does it pay?</h2>
      <p class="hint">
        Another conversation than the one above, and the hardest for tool search: in every turn the model needs a tool that
        no turn before has used. The cache is empty at first.
      </p>
      <label class="field slider">
        <span class="field-name">
          Turns that need a new tool: <b>{at}</b>
        </span>
        <input type="range" min="1" max={most} value={at} onInput={(event) => setTurns(event.currentTarget.valueAsNumber)} />
      </label>
      {full && <Curves curves={curves} full={full} most={most} at={at} />}
      {full && (
        <ul class="break-even-list">
          {curves.map(({ name, prices }) => (
            <li key={name} data-break-even={name}>
              <b class="mono">{name}</b> {dollars(prices[at - 1] ?? 0)} instead of {dollars(full.prices[at - 1] ?? 0)}:{" "}
              {crossingText(prices, full.prices)}
            </li>
          ))}
        </ul>
      )}
      {views.length < variants.length && (
        <p class="hint">Playing: {plural(variants.length - views.length, "profile")} to go…</p>
      )}
    </section>
  );
}

function curveOf(name: string, turns: readonly Turn[], { rows }: Bill): Curve {
  const starts = turns.filter((turn, index) => index === 0 || turn.said !== null).map(({ number }) => number);
  const prices = starts.map((_, index) => {
    const end = starts[index + 1] ?? Infinity;
    return rows.filter((row) => row.turn < end).reduce((sum, row) => sum + row.price, 0);
  });
  return { name, prices };
}

/** The number of turns from which on the first is below the second until the end; null where it is not at the end. */
function crossing(prices: readonly number[], full: readonly number[]): number | null {
  const lastDear = prices.findLastIndex((price, index) => price >= (full[index] ?? 0));
  return lastDear === prices.length - 1 ? null : lastDear + 2;
}

function crossingText(prices: readonly number[], full: readonly number[]): string {
  if (prices.every((price, index) => price === full[index])) return "the same at any length";
  const from = crossing(prices, full);
  if (from !== null) return from === 1 ? "cheaper from the first turn on" : `cheaper from turn ${from} on`;
  const cheap = prices.findLastIndex((price, index) => price < (full[index] ?? 0));
  return cheap < 0 ? "dearer at any length" : `cheaper up to turn ${cheap + 1}, dearer after it`;
}

function Curves({ curves, full, most, at }: { curves: readonly Curve[]; full: Curve; most: number; at: number }) {
  const { frame, width } = useWidth();
  const all = [...curves, full];
  const dearest = Math.max(0.0001, ...all.flatMap(({ prices }) => prices));
  const across = scaleTo(Math.max(1, most - 1), width - PLOT.left - PLOT.right);
  const up = scaleTo(dearest, HEIGHT - PLOT.top - PLOT.bottom);
  const x = (turn: number) => PLOT.left + across(turn - 1);
  const y = (price: number) => HEIGHT - PLOT.bottom - up(price);
  const lineOf = ({ prices }: Curve) =>
    prices.map((price, index) => `${index === 0 ? "M" : "L"}${x(index + 1).toFixed(1)} ${y(price).toFixed(1)}`).join("");
  const prices = ticksOf(dearest, 0);
  const decimals = Math.max(2, 1 - Math.floor(Math.log10(prices[1] ?? 1)));
  // Beside the number of turns that is chosen there is room for no other.
  const turns = [1, ...ticksOf(most)].filter((turn) => turn > 0 && Math.abs(x(turn) - x(at)) > 18);
  // Names at the ends of the lines stand below each other.
  let free = Infinity;
  const labels = [...all]
    .sort((a, b) => (a.prices.at(-1) ?? 0) - (b.prices.at(-1) ?? 0))
    .map(({ name, prices }) => {
      const end = y(prices.at(-1) ?? 0);
      free = Math.min(end + 4, free - 13);
      return { name, y: free, end };
    });
  return (
    <div ref={frame} class="chart-frame">
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={`What ${most} turns cost, a line for each profile; the list below says the same.`}
        >
          {prices.map((price) => (
            <g key={price}>
              <path class={price === 0 ? "axis" : "grid"} d={`M${PLOT.left} ${y(price)}H${width - PLOT.right}`} />
              <text class="tick" x={PLOT.left - 8} y={y(price) + 4}>
                ${price.toFixed(decimals)}
              </text>
            </g>
          ))}
          {turns.map((turn) => (
            <text key={turn} class="turn-label" x={x(turn)} y={HEIGHT - 8}>
              {turn}
            </text>
          ))}
          <text class="axis-name" x={width - PLOT.right + 6} y={HEIGHT - 8}>
            turns
          </text>
          <path class="axis" d={`M${x(at)} ${PLOT.top}V${HEIGHT - PLOT.bottom}`} />
          <text class="turn-label chosen" x={x(at)} y={HEIGHT - 8}>
            {at}
          </text>
          <path class="full-line" d={lineOf(full)} />
          {curves.map((curve) => {
            const from = crossing(curve.prices, full.prices);
            return (
              <g key={curve.name} class={`curve ${curve.name.replace(", ", "-")}`}>
                <path d={lineOf(curve)} />
                {from !== null && from > 1 && <circle cx={x(from)} cy={y(curve.prices[from - 1] ?? 0)} r="5" />}
              </g>
            );
          })}
          {labels.map(({ name, y: top, end }) => (
            <g key={name}>
              <path class="leader" d={`M${width - PLOT.right + 2} ${end}L${width - PLOT.right + 14} ${top - 4}`} />
              <text class="curve-name" x={width - PLOT.right + 17} y={top}>
                {name}
              </text>
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}
