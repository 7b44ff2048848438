import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ToolInfo } from "toolsift";
import type { Snapshot } from "../../core/types.ts";
import { count, plural } from "../../model/numbers.ts";
import { treemap, type Rect } from "../../model/treemap.ts";
import { STATES, isSent } from "../../model/states.ts";

const LABEL_HEIGHT = 17;
const GAP = 1;

/** The width that it is drawn in when the page is built; the browser then scales the picture. */
const STILL_WIDTH = 600;

interface Cell {
  label: string;
  tokens: number;
  look: string;
}

interface Placed extends Cell {
  at: Rect;
}

/** Where the pointer rests, as shares of the map: what lies under it changes with the tools, without a move of the pointer. */
interface Pointer {
  across: number;
  down: number;
}

interface Group {
  label: string;
  tokens: number;
  cells: Cell[];
}

interface Label {
  text: string;
  x: number;
  y: number;
}

/** Every tool as a block whose area is what its definition costs; filled is what the next request holds. */
export function ToolMap({ snapshot }: { snapshot: Snapshot }) {
  const { current, tools } = snapshot;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(STILL_WIDTH);
  const [pointer, setPointer] = useState<Pointer | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const height = width < 480 ? 190 : 370;
  const { cells, labels } = useMemo(() => layout(groupsOf(snapshot), width, height), [tools, current.size, width, height]);
  const paths = useMemo(() => pathsOf(cells), [cells]);
  const sent = count(tools.filter(isSent).length);
  const over = useMemo(() => pointer && cellUnder(pointer, cells, width, height), [pointer, cells, width, height]);
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    setPointer({ across: (event.clientX - box.left) / box.width, down: (event.clientY - box.top) / box.height });
  };
  return (
    <figure class="map">
      <div ref={frame} class="map-frame">
        {width > 0 && (
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={`Map of ${plural(tools.length, "tool")} by cost; ${sent} of them are in the next request.`}
            onPointerMove={follow}
            onPointerLeave={() => setPointer(null)}
          >
            {[...paths].map(([look, path]) => (
              <path key={look} class={`cell ${look}`} d={path} />
            ))}
            {labels.map(({ text, x, y }) => (
              <text key={`${x} ${y}`} class="map-label" x={x} y={y}>
                {text}
              </text>
            ))}
            {over && <rect class="cell-over" x={over.at.x} y={over.at.y} width={over.at.width} height={over.at.height} />}
          </svg>
        )}
      </div>
      <figcaption>
        <span class="map-text">
          {over
            ? `${over.label}: ${plural(over.tokens, "token")}`
            : "Each block is a tool; its area is the tokens of its definition."}
        </span>
        <ul class="legend">
          <li class="key-deferred">deferred</li>
          <li class="key-found">found</li>
          <li class="key-revealed">revealed</li>
          {tools.some((tool) => tool.state === "eager" || tool.state === "pinned") && <li class="key-eager">eager</li>}
          <li class="key-discovery">discovery tools</li>
          {current.size.parts.listing.tokens > 0 && <li class="key-listing">listing</li>}
          {current.size.parts.stubs.tokens > 0 && <li class="key-stubs">stubs</li>}
        </ul>
      </figcaption>
    </figure>
  );
}

function cellUnder({ across, down }: Pointer, cells: readonly Placed[], width: number, height: number): Placed | undefined {
  const [x, y] = [across * width, down * height];
  return cells.find(({ at }) => x >= at.x && x < at.x + at.width && y >= at.y && y < at.y + at.height);
}

function layout(groups: readonly Group[], width: number, height: number): { cells: Placed[]; labels: Label[] } {
  const rects = treemap(groups.map((group) => group.tokens), { x: 0, y: 0, width, height });
  const labels: Label[] = [];
  const cells = groups.flatMap((group, index) => {
    const rect = rects[index] as Rect;
    const labelled = rect.width > 56 && rect.height > LABEL_HEIGHT * 2;
    if (labelled) labels.push({ text: fitted(group.label, rect.width), x: rect.x + 3, y: rect.y + 12 });
    const top = labelled ? LABEL_HEIGHT : 0;
    // Where there is little room, the gap between servers takes none of it away from the tools.
    const gap = Math.min(2, rect.width / 20, rect.height / 20);
    const inner = { x: rect.x + gap, y: rect.y + top, width: rect.width - 2 * gap, height: rect.height - top - gap };
    const places = treemap(group.cells.map((cell) => cell.tokens), inner);
    return group.cells.map((cell, place): Placed => ({ ...cell, at: places[place] as Rect }));
  });
  return { cells, labels };
}

/** Letters that take little more than half the width of the others. */
const THIN = /[fijlrt.:/ -]/;

/** As much of a text as a label of that width holds. */
function fitted(text: string, width: number): string {
  let room = width - 6;
  const end = [...text].findIndex((letter) => (room -= THIN.test(letter) ? 5 : 7.2) < 0);
  return end < 0 ? text : `${[...text].slice(0, Math.max(1, end - 1)).join("")}…`;
}

/** One path for all cells of a look: thousands of tools are drawn as fast as one. */
function pathsOf(cells: readonly Placed[]): Map<string, string> {
  const parts = new Map<string, string[]>();
  for (const { look, at } of cells) {
    const gap = Math.min(GAP, at.width / 4, at.height / 4);
    const [x, y] = [at.x + gap / 2, at.y + gap / 2];
    const path = `M${round(x)} ${round(y)}h${round(at.width - gap)}v${round(at.height - gap)}h-${round(at.width - gap)}z`;
    const list = parts.get(look);
    if (list) list.push(path);
    else parts.set(look, [path]);
  }
  return new Map([...parts].map(([look, list]) => [look, list.join("")]));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function groupsOf({ current, tools: all }: Snapshot): Group[] {
  const found = new Set(current.found);
  const { discovery, prompt, listing, stubs } = current.size.parts;
  const servers = new Map<string, ToolInfo[]>();
  for (const tool of all) {
    const list = servers.get(tool.server ?? "");
    if (list) list.push(tool);
    else servers.set(tool.server ?? "", [tool]);
  }
  const groups = [...servers].map(([server, tools]) => group(server, tools.map((tool) => cellOf(tool, found))));
  const own = [
    { label: "discovery tools", tokens: discovery.tokens, look: "discovery" },
    { label: "prompt section", tokens: prompt.tokens, look: "discovery" },
    { label: "listing of deferred tools", tokens: listing.tokens, look: "listing" },
    { label: "stubs of deferred tools", tokens: stubs.tokens, look: "stubs" },
  ].filter((cell) => cell.tokens > 0);
  return own.length > 0 ? [...groups, group("toolsift", own)] : groups;
}

function group(label: string, cells: Cell[]): Group {
  return { label, cells, tokens: cells.reduce((sum, cell) => sum + cell.tokens, 0) };
}

function cellOf(tool: ToolInfo, found: ReadonlySet<string>): Cell {
  return {
    label: `${tool.name} (${STATES[tool.state].label})`,
    tokens: tool.tokens,
    look: tool.state === "deferred" && found.has(tool.name) ? "found" : tool.state,
  };
}
