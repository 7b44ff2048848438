import { useMemo, useState } from "preact/hooks";
import type { ToolInfo, ToolState } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { count, percent, plural } from "../../model/numbers.ts";
import { COST_PARTS, type CostPart } from "../../model/tool-cost.ts";
import { cellAt, layoutMap, neighbour, type MapCell, type MapServer } from "../../model/tool-map.ts";
import type { Rect } from "../../model/treemap.ts";
import { STATES } from "../../model/states.ts";
import { Legend } from "../lib/legend.tsx";
import { Tabs } from "../lib/tabs.tsx";
import { useWidth } from "../lib/use-width.ts";

const GAP = 1;
/** Pixels that a letter of a label takes. */
const LETTER = 6.7;

/** The map of the catalog: look at a tool with the pointer or the arrow keys, zoom into a server, choose a tool. */
export function CatalogMap({ onTool }: { onTool: (name: string) => void }) {
  const store = useStore();
  const { tools, current } = store.snapshot;
  const { frame, width } = useWidth();
  const [part, setPart] = useState<CostPart>("total");
  const [named, setNamed] = useState<string | null>(null);
  const height = width < 560 ? 420 : 480;
  const { zoom } = store.place;
  const server = tools.some((tool) => tool.server === zoom) ? zoom : null;
  const layout = useMemo(
    () => layoutMap(tools, part, server, { x: 0, y: 0, width, height }),
    [tools, part, server, width, height],
  );
  const found = useMemo(() => new Set(current.found), [current.found]);
  const states = useMemo(() => [...new Set(layout.cells.map(({ tool }) => lookOf(tool, found)))], [layout, found]);
  const looked = layout.cells.find(({ tool }) => tool.name === named) ?? null;

  const choose = (cell: MapCell) => {
    if (server === null && layout.servers.length > 1) store.showPart({ zoom: cell.tool.server ?? "" });
    else onTool(cell.tool.name);
  };
  const leave = () => store.showPart({ zoom: "" });
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Backspace") {
      if (server === null) return;
      leave();
    } else if (event.key === "Enter" || event.key === " ") {
      if (looked === null) return;
      choose(looked);
    } else if (event.key === "Home" || (event.key.startsWith("Arrow") && looked === null)) {
      setNamed(layout.cells[0]?.tool.name ?? null);
    } else if (event.key.startsWith("Arrow") && looked !== null) {
      setNamed((neighbour(layout, looked, event.key) ?? looked).tool.name);
    } else {
      return;
    }
    event.preventDefault();
  };
  const look = (event: PointerEvent) => {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    const cell = cellAt(layout, event.clientX - left, event.clientY - top);
    // Between blocks, what was looked at last stays.
    if (cell) setNamed(cell.tool.name);
  };
  return (
    <section class="card catalog-map" aria-label="Map of the catalog">
      <div class="map-tools">
        <p class="crumbs">
          {server === null ? (
            plural(layout.servers.length, "server")
          ) : (
            <>
              <button type="button" class="button small" onClick={leave}>
                ← All servers
              </button>{" "}
              <b>{server}</b> <span class="hint">{plural(layout.tokens, "token")}</span>
            </>
          )}
        </p>
        <Tabs name="map-part" label="What the area shows" choices={COST_PARTS} value={part} onChoose={setPart} />
      </div>
      <div ref={frame} class="map-frame">
        {width > 0 && (
          <svg
            class="big-map"
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            tabIndex={0}
            role="application"
            aria-roledescription="map"
            aria-label={`Map of ${plural(layout.cells.length, "tool")} by tokens. The arrow keys move, Enter opens, Escape goes back.`}
            onKeyDown={key}
            onFocus={() => looked === null && setNamed(layout.cells[0]?.tool.name ?? null)}
            onPointerMove={look}
            onClick={() => looked && choose(looked)}
          >
            {layout.servers.map((one) => (
              <ServerBlock key={one.server} server={one} found={found} />
            ))}
            {looked && <Outline rect={looked.rect} />}
          </svg>
        )}
      </div>
      <p class="looked" role="status">
        {looked ? <Looked cell={looked} of={layout.tokens} zoomed={server !== null} /> : HELP}
      </p>
      <Legend looks={states} />
      <p class="hint">
        Each block is one tool; its area is the tokens of its {COST_PARTS[part]}.
        {layout.unseen > 0 &&
          ` ${plural(layout.unseen, "tool")} would be too small to see${server === null ? "; zoom into a server" : ""}.`}
      </p>
    </section>
  );
}

const HELP = "Point at a block, or use the arrow keys. A click or Enter zooms into its server.";

function Looked({ cell, of, zoomed }: { cell: MapCell; of: number; zoomed: boolean }) {
  const { tool, tokens } = cell;
  return (
    <>
      <code>{tool.name}</code>, {tool.server}: {plural(tokens, "token")}, {percent(of > 0 ? tokens / of : 0)}
      {zoomed ? " of the server" : " of all"}, {STATES[tool.state].label}
    </>
  );
}

/** One path for each look: thousands of tools are a few shapes. */
function ServerBlock({ server, found }: { server: MapServer; found: ReadonlySet<string> }) {
  const paths = useMemo(() => {
    const looks = new Map<string, string>();
    for (const { tool, rect } of server.cells) {
      const look = lookOf(tool, found);
      looks.set(look, (looks.get(look) ?? "") + block(rect));
    }
    return [...looks];
  }, [server, found]);
  const room = Math.floor((server.rect.width - 8) / LETTER);
  return (
    <g>
      {server.named && (
        <text class="map-label" x={server.rect.x + 3} y={server.rect.y + 12}>
          {fitted(server.server, room)}
        </text>
      )}
      {paths.map(([look, d]) => (
        <path key={look} class={`cell ${look}`} d={d} />
      ))}
      {server.cells.filter(hasRoom).map((cell) => (
        <CellLabel key={cell.tool.name} cell={cell} look={lookOf(cell.tool, found)} />
      ))}
    </g>
  );
}

function lookOf({ state, name }: ToolInfo, found: ReadonlySet<string>): ToolState | "found" {
  return state === "deferred" && found.has(name) ? "found" : state;
}

function block({ x, y, width, height }: Rect): string {
  const [w, h] = [Math.max(0.5, width - GAP), Math.max(0.5, height - GAP)];
  return `M${x.toFixed(1)} ${y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}z`;
}

/** Whether a part of a name fits that tells tools apart. */
function hasRoom({ rect }: MapCell): boolean {
  return rect.width - 8 >= 6 * LETTER && rect.height >= 18;
}

function CellLabel({ cell: { tool, rect, tokens }, look }: { cell: MapCell; look: string }) {
  const room = Math.floor((rect.width - 8) / LETTER);
  return (
    <text class={`cell-label on-${look}`} x={rect.x + 4} y={rect.y + 13}>
      {fitted(tool.originalName, room)}
      {rect.height > 34 && (
        <tspan x={rect.x + 4} dy={14}>
          {count(tokens)}
        </tspan>
      )}
    </text>
  );
}

function fitted(text: string, room: number): string {
  return text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;
}

function Outline({ rect }: { rect: Rect }) {
  return (
    <rect
      class="looked-at"
      x={rect.x + 0.5}
      y={rect.y + 0.5}
      width={Math.max(2, rect.width - 2)}
      height={Math.max(2, rect.height - 2)}
    />
  );
}
