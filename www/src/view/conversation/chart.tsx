import { useEffect, useRef, useState } from "preact/hooks";
import type { Turn } from "../../core/types.ts";
import { count } from "../../model/numbers.ts";
import { savedText } from "../lib/figure.tsx";
import { PARTS, partsInUse, type PartName } from "../lib/parts.ts";
import { scaleTo, ticksOf } from "../lib/scale.ts";

/** Later requests push earlier ones out of the picture; the timeline keeps them. */
const MAX_BARS = 40;

const LEFT = 52;
const RIGHT = 12;
/** Bars to the scale of everything in full, and below them the same bars by part, enlarged. */
const WHOLE = { top: 24, height: 30 };
const PARTS_PLOT = { top: 92, height: 76 };
const HEIGHT = 190;

/** How the tools and the prompt of each request grow, by part, against everything sent in full. */
export function Chart({ turns }: { turns: readonly Turn[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const parts = partsInUse(turns.map((turn) => turn.size));
  return (
    <section class="chart" aria-label="Tools and prompt, request by request">
      <div ref={frame} class="chart-frame">
        {width > 0 && <Bars turns={turns.slice(-MAX_BARS)} parts={parts} width={width} />}
      </div>
      <ul class="legend">
        {parts.map((part) => (
          <li key={part} class={`key-${part}`} title={PARTS[part].meaning}>
            {PARTS[part].short}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Bars({ turns, parts, width }: { turns: readonly Turn[]; parts: readonly PartName[]; width: number }) {
  const most = Math.max(1, ...turns.map(({ size }) => Math.max(size.full.tokens, size.request.tokens)));
  const mostSent = Math.max(1, ...turns.map(({ size }) => size.request.tokens));
  const whole = scaleTo(most, WHOLE.height);
  const zoomed = scaleTo(mostSent, PARTS_PLOT.height);
  const step = Math.min(64, (width - LEFT - RIGHT) / Math.max(turns.length, 6));
  const bar = Math.max(3, Math.min(40, step * 0.68));
  const at = (index: number) => LEFT + index * step + (step - bar) / 2;
  const wholeBase = WHOLE.top + WHOLE.height;
  const partsBase = PARTS_PLOT.top + PARTS_PLOT.height;
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={describe(turns)}>
      <text class="plot-title" x={0} y={12}>
        Tools and prompt, tokens of each request
      </text>
      <Axis ticks={[0, most]} scale={whole} base={wholeBase} width={width} />
      <text class="full-label" x={width - RIGHT} y={12}>
        everything in full
      </text>
      <path class="full-line" d={fullLine(turns, (tokens) => wholeBase - whole(tokens), step, width - RIGHT)} />
      {turns.map((turn, index) => (
        <rect
          key={turn.number}
          class="whole-bar"
          x={at(index)}
          width={bar}
          y={wholeBase - Math.max(1, whole(turn.size.request.tokens))}
          height={Math.max(1, whole(turn.size.request.tokens))}
        >
          <title>{titleOf(turn)}</title>
        </rect>
      ))}

      <text class="plot-title" x={0} y={PARTS_PLOT.top - 16}>
        The same, enlarged, by part
      </text>
      <Axis ticks={ticksOf(mostSent)} scale={zoomed} base={partsBase} width={width} />
      {turns.map((turn, index) => (
        <g key={turn.number}>
          <title>{titleOf(turn)}</title>
          {stack(turn, parts).map(({ part, from, tokens }) => (
            <rect
              key={part}
              class={`part ${part}`}
              x={at(index)}
              width={bar}
              y={partsBase - zoomed(from + tokens)}
              height={Math.max(0, zoomed(tokens) - 1)}
            />
          ))}
          {(step >= 18 || index % 5 === 0 || index === turns.length - 1) && (
            <text class="turn-label" x={at(index) + bar / 2} y={partsBase + 16}>
              {turn.number}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

interface AxisProps {
  ticks: readonly number[];
  scale: (tokens: number) => number;
  base: number;
  width: number;
}

function Axis({ ticks, scale, base, width }: AxisProps) {
  return (
    <g>
      {ticks.map((tick) => (
        <g key={tick}>
          <path class={tick === 0 ? "axis" : "grid"} d={`M${LEFT} ${base - scale(tick)}H${width - RIGHT}`} />
          <text class="tick" x={LEFT - 8} y={base - scale(tick) + 4}>
            {count(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Parts from the bottom up, each on top of the ones before. */
function stack({ size }: Turn, parts: readonly PartName[]): { part: PartName; from: number; tokens: number }[] {
  let from = 0;
  return parts.map((part) => {
    const tokens = size.parts[part].tokens;
    from += tokens;
    return { part, from: from - tokens, tokens };
  });
}

/** A step for each request, as what everything costs changes with the catalog and the format; the last goes on to the edge. */
function fullLine(turns: readonly Turn[], y: (tokens: number) => number, step: number, edge: number): string {
  return turns
    .map(({ size }, index) => {
      const start = LEFT + index * step;
      const end = index === turns.length - 1 ? edge : start + step;
      return `${index === 0 ? "M" : "L"}${start.toFixed(1)} ${y(size.full.tokens).toFixed(1)}H${end.toFixed(1)}`;
    })
    .join("");
}

function titleOf({ number, size }: Turn): string {
  return `Request ${number}: ${count(size.request.tokens)} of ${count(size.full.tokens)} tokens`;
}

function describe(turns: readonly Turn[]): string {
  const last = turns.at(-1);
  if (!last) return "No request yet";
  const { request, full } = last.size;
  return (
    `Bar chart of ${turns.length} requests. The newest, request ${last.number}, takes ${count(request.tokens)} tokens; ` +
    `everything in full takes ${count(full.tokens)}; ${savedText(last.size)}. The timeline has every number.`
  );
}
