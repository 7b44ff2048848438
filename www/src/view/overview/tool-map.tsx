import { useEffect, useRef, useState } from "preact/hooks";
import type { ToolInfo } from "toolsift";
import type { Snapshot } from "../../core/types.ts";
import { count, plural } from "../../model/numbers.ts";
import { treemap, type Rect } from "../../model/treemap.ts";
import { STATES, isSent } from "../../model/states.ts";

/** Beyond so many the smallest of each server are drawn as one. */
const MAX_CELLS = 1200;
/** The width that it is drawn in when the page is built; the browser then scales the picture. */
const STILL_WIDTH = 600;
const LABEL_HEIGHT = 17;
const GAP = 1;

interface Cell {
  label: string;
  tokens: number;
  look: string;
}

interface Group {
  label: string;
  tokens: number;
  cells: Cell[];
}

/** Every tool as a block whose area is what its definition costs; filled is what the next request holds. */
export function ToolMap({ snapshot }: { snapshot: Snapshot }) {
  const { current, tools } = snapshot;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(STILL_WIDTH);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const height = width < 480 ? 190 : 370;
  const groups = groupsOf(snapshot);
  const rects = treemap(groups.map((group) => group.tokens), { x: 0, y: 0, width, height });
  const sent = count(tools.filter(isSent).length);
  const all = plural(tools.length, "tool");
  return (
    <figure class="map">
      <div ref={frame} class="map-frame">
        {width > 0 && (
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={`Map of ${all} by cost; ${sent} of them are in the next request.`}
          >
            {groups.map((group, index) => (
              <GroupView key={group.label} group={group} rect={rects[index] as Rect} />
            ))}
          </svg>
        )}
      </div>
      <figcaption>
        <span>Each block is a tool; its area is the cost of its definition.</span>
        <ul class="legend">
          <li class="key-deferred">deferred</li>
          <li class="key-found">found</li>
          <li class="key-revealed">revealed</li>
          <li class="key-eager">eager</li>
          <li class="key-discovery">toolsift’s own</li>
          {current.size.parts.listing.tokens > 0 && <li class="key-listing">listing</li>}
          {current.size.parts.stubs.tokens > 0 && <li class="key-stubs">stubs</li>}
        </ul>
      </figcaption>
    </figure>
  );
}

function GroupView({ group, rect }: { group: Group; rect: Rect }) {
  const labelled = rect.width > 56 && rect.height > LABEL_HEIGHT * 2;
  const top = labelled ? LABEL_HEIGHT : 0;
  const inner = { x: rect.x + 2, y: rect.y + top, width: rect.width - 4, height: rect.height - top - 2 };
  const cells = treemap(group.cells.map((cell) => cell.tokens), inner);
  const room = Math.floor((rect.width - 10) / 7);
  return (
    <g>
      {labelled && (
        <text class="map-label" x={rect.x + 3} y={rect.y + 12}>
          {group.label.length > room ? `${group.label.slice(0, room - 1)}…` : group.label}
        </text>
      )}
      {group.cells.map((cell, index) => {
        const at = cells[index] as Rect;
        return (
          <rect
            key={cell.label}
            class={`cell ${cell.look}`}
            x={at.x + GAP / 2}
            y={at.y + GAP / 2}
            width={Math.max(0, at.width - GAP)}
            height={Math.max(0, at.height - GAP)}
            rx={Math.min(2, at.width / 4)}
          >
            <title>{`${cell.label}: ${plural(cell.tokens, "token")}`}</title>
          </rect>
        );
      })}
    </g>
  );
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
  const perServer = Math.max(20, Math.floor(MAX_CELLS / Math.max(1, servers.size)));
  const groups = [...servers].map(([server, tools]) => group(server, cellsOf(tools, found, perServer)));
  const own = [
    { label: "discovery tools", tokens: discovery.tokens, look: "discovery" },
    { label: "prompt section", tokens: prompt.tokens, look: "discovery" },
    { label: "list of deferred tools", tokens: listing.tokens, look: "listing" },
    { label: "stubs of deferred tools", tokens: stubs.tokens, look: "stubs" },
  ].filter((cell) => cell.tokens > 0);
  return own.length > 0 ? [...groups, group("toolsift", own)] : groups;
}

function group(label: string, cells: Cell[]): Group {
  return { label, cells, tokens: cells.reduce((sum, cell) => sum + cell.tokens, 0) };
}

function cellsOf(tools: readonly ToolInfo[], found: ReadonlySet<string>, most: number): Cell[] {
  const cell = (tool: ToolInfo): Cell => ({
    label: `${tool.name} (${STATES[tool.state].label})`,
    tokens: tool.tokens,
    look: tool.state === "deferred" && found.has(tool.name) ? "found" : tool.state,
  });
  if (tools.length <= most) return tools.map(cell);
  // What is sent or found must be seen, whatever its size; of the rest the largest are.
  const rank = (tool: ToolInfo) => (isSent(tool) || found.has(tool.name) ? 1e9 : 0) + tool.tokens;
  const ranked = [...tools].sort((a, b) => rank(b) - rank(a));
  const rest = ranked.slice(most);
  const tokens = rest.reduce((sum, tool) => sum + tool.tokens, 0);
  const remainder: Cell = { label: `${count(rest.length)} smaller tools`, tokens, look: "deferred" };
  return [...ranked.slice(0, most).map(cell), remainder];
}
