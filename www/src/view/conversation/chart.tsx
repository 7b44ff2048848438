import { useStore } from "../../app/use-store.ts";
import type { Turn } from "../../core/types.ts";
import { messagesOf, requestName } from "../../model/bill.ts";
import { IN_FULL } from "../../model/labels.ts";
import { count, plural } from "../../model/numbers.ts";
import { type PartName, partsInUse, partTokens } from "../../model/parts.ts";
import { savedText } from "../lib/figure.tsx";
import { Legend } from "../lib/legend.tsx";
import { scaleTo, ticksOf } from "../lib/scale.ts";
import { useWidth } from "../lib/use-width.ts";

/** Later requests push earlier ones out of the picture; the timeline keeps them. */
const MAX_BARS = 40;

const LEFT = 52;
const RIGHT = 12;
/** Bars to the scale of everything in full, and below them the same bars by part, enlarged. */
const WHOLE = { top: 24, height: 44 };
const PARTS_PLOT = { top: 108, height: 110 };
const HEIGHT = 244;

interface Bar {
  turn: Turn;
  messages: number;
}

interface ChartProps {
  turns: readonly Turn[];
  turn: number;
  onTurn: (turn: number) => void;
}

/** What each request sends, by part, against everything sent in full. */
export function Chart({ turns, turn, onTurn }: ChartProps) {
  const { prices } = useStore();
  const { frame, width } = useWidth();
  const parts = partsInUse(turns.map(({ size }) => size));
  const messages = messagesOf(turns, prices);
  const bars = turns.map((row, index): Bar => ({ turn: row, messages: messages[index] ?? 0 })).slice(-MAX_BARS);
  return (
    <section class="chart" aria-label="What each request sends">
      <div ref={frame} class="chart-frame">
        {width > 0 && <Bars bars={bars} parts={parts} width={width} chosen={turn} onTurn={onTurn} />}
      </div>
      <Legend looks={[...parts, "messages"]} />
    </section>
  );
}

interface BarsProps {
  bars: readonly Bar[];
  parts: readonly PartName[];
  width: number;
  chosen: number;
  onTurn: (turn: number) => void;
}

function Bars({ bars, parts, width, chosen, onTurn }: BarsProps) {
  const turns = bars.map(({ turn }) => turn);
  const most = Math.max(
    1,
    ...bars.map(({ turn: { size }, messages }) => messages + Math.max(size.full.tokens, size.request.tokens)),
  );
  const mostSent = Math.max(1, ...bars.map(({ turn, messages }) => messages + turn.size.request.tokens));
  const whole = scaleTo(most, WHOLE.height);
  const factor = PARTS_PLOT.height / mostSent / (WHOLE.height / most);
  const zoomed = scaleTo(mostSent, PARTS_PLOT.height);
  const step = Math.min(96, (width - LEFT - RIGHT) / Math.max(turns.length, 6));
  const bar = Math.max(3, Math.min(64, step * 0.68));
  const at = (index: number) => LEFT + index * step + (step - bar) / 2;
  const wholeBase = WHOLE.top + WHOLE.height;
  const partsBase = PARTS_PLOT.top + PARTS_PLOT.height;
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={describe(turns)}>
      <text class="plot-title" x={0} y={12}>
        Each request, in tokens
      </text>
      <Axis ticks={[0, ticksOf(most).at(-1) ?? most]} scale={whole} base={wholeBase} width={width} />
      <text class="full-label" x={width - RIGHT} y={12}>
        {IN_FULL}
      </text>
      <path class="full-line" d={fullLine(bars, (tokens) => wholeBase - whole(tokens), step, width - RIGHT)} />
      {bars.map(({ turn, messages }, index) => (
        <rect
          key={turn.number}
          class="whole-bar"
          x={at(index)}
          width={bar}
          y={wholeBase - Math.max(1, whole(messages + turn.size.request.tokens))}
          height={Math.max(1, whole(messages + turn.size.request.tokens))}
        >
          <title>{titleOf(turn)}</title>
        </rect>
      ))}

      <text class="plot-title" x={0} y={PARTS_PLOT.top - 16}>
        The same by part, enlarged × {factor < 10 ? factor.toFixed(1) : count(factor)}
      </text>
      <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="hatch" d="M0 1H5" />
      </pattern>
      <Axis ticks={ticksOf(mostSent)} scale={zoomed} base={partsBase} width={width} />
      {bars.map(({ turn, messages }, index) => (
        <g
          key={turn.number}
          class={`turn-bar ${turn.number === chosen ? "chosen" : ""}`}
          data-bar={turn.number}
          onClick={() => onTurn(turn.number)}
        >
          <title>{titleOf(turn)}</title>
          <rect class="turn-room" x={LEFT + index * step} width={step} y={PARTS_PLOT.top} height={PARTS_PLOT.height + 20} />
          {stack(turn, parts, messages).map(({ part, from, tokens }) => (
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
              {turn.does === null && turn.number > 1 ? "next" : turn.number}
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

/** Parts from the bottom up, each on top of the ones before; all that was said before stands on top of what toolsift decides. */
function stack(
  { size }: Turn,
  parts: readonly PartName[],
  messages: number,
): { part: string; from: number; tokens: number }[] {
  let from = 0;
  const own = parts.map((part) => ({ part: part as string, tokens: partTokens(size)[part] }));
  return [...own, { part: "messages", tokens: messages }].map(({ part, tokens }) => {
    from += tokens;
    return { part, from: from - tokens, tokens };
  });
}

/** A step for each request, as what everything costs changes with the catalog and the format; the last goes on to the edge. */
function fullLine(bars: readonly Bar[], y: (tokens: number) => number, step: number, edge: number): string {
  return bars
    .map(({ turn: { size }, messages }, index) => {
      const start = LEFT + index * step;
      const end = index === bars.length - 1 ? edge : start + step;
      return `${index === 0 ? "M" : "L"}${start.toFixed(1)} ${y(messages + size.full.tokens).toFixed(1)}H${end.toFixed(1)}`;
    })
    .join("");
}

function titleOf(turn: Turn): string {
  const { request, full } = turn.size;
  return `${requestName(turn)}: ${count(request.tokens)} tokens of tools instead of ${count(full.tokens)}`;
}

function describe(turns: readonly Turn[]): string {
  const last = turns.at(-1);
  if (!last) return "No request yet";
  const { request, full } = last.size;
  return (
    `Bar chart of ${plural(turns.length, "request")}. The newest, “${requestName(last)}”, takes ${count(request.tokens)} tokens; ` +
    `${IN_FULL} take ${count(full.tokens)}; ${savedText(last.size)}. The timeline has every number.`
  );
}
