/** Lays the tools of all servers out as a map: one block for each tool, its area what the tool costs. */
import type { ToolInfo } from "toolsift";
import { costOf, type CostPart } from "./tool-cost.ts";
import { treemap, type Rect } from "./treemap.ts";

export interface MapCell {
  tool: ToolInfo;
  tokens: number;
  rect: Rect;
}

export interface MapServer {
  server: string;
  tokens: number;
  rect: Rect;
  /** Whether there is room for its name. */
  named: boolean;
  cells: MapCell[];
}

export interface MapLayout {
  servers: MapServer[];
  /** Every cell that can be seen, in reading order. */
  cells: MapCell[];
  tokens: number;
  /** Tools whose blocks would be too small to be seen at this size, or that cost nothing of this part. */
  unseen: number;
}

const LABEL = 17;
const PADDING = 2;

/** Smaller blocks than this many pixels in a direction are not seen. */
const VISIBLE = 0.8;

/** @param zoomed the one server that is shown, or null for all */
export function layoutMap(tools: readonly ToolInfo[], part: CostPart, zoomed: string | null, area: Rect): MapLayout {
  const byServer = new Map<string, { tool: ToolInfo; tokens: number }[]>();
  for (const tool of tools) {
    const server = tool.server ?? "";
    if (zoomed !== null && server !== zoomed) continue;
    const own = byServer.get(server);
    const cell = { tool, tokens: costOf(tool, part) };
    if (own) own.push(cell);
    else byServer.set(server, [cell]);
  }
  const groups = [...byServer].map(([server, own]) => ({ server, own, tokens: sum(own) }));
  const rects = treemap(
    groups.map((group) => group.tokens),
    area,
  );
  let unseen = 0;
  const servers = groups.map(({ server, own, tokens }, at): MapServer => {
    const rect = rects[at] as Rect;
    const named = zoomed === null && rect.width > 56 && rect.height > 2 * LABEL;
    const inner = zoomed === null ? inside(rect, named ? LABEL : PADDING) : rect;
    const blocks = treemap(
      own.map((cell) => cell.tokens),
      inner,
    );
    const cells = own.map((cell, index) => ({ ...cell, rect: blocks[index] as Rect })).filter(seen);
    unseen += own.length - cells.length;
    return { server, tokens, rect, named, cells };
  });
  const cells = servers.flatMap((one) => one.cells).sort((a, b) => a.rect.y - b.rect.y || a.rect.x - b.rect.x);
  return { servers, cells, tokens: groups.reduce((all, group) => all + group.tokens, 0), unseen };
}

function inside({ x, y, width, height }: Rect, top: number): Rect {
  const inner = { x: x + PADDING, y: y + top, width: width - 2 * PADDING, height: height - top - PADDING };
  return { ...inner, width: Math.max(0, inner.width), height: Math.max(0, inner.height) };
}

function seen({ rect }: MapCell): boolean {
  return rect.width >= VISIBLE && rect.height >= VISIBLE;
}

function sum(cells: readonly { tokens: number }[]): number {
  return cells.reduce((all, cell) => all + cell.tokens, 0);
}

/** The cell under a point. */
export function cellAt({ servers }: MapLayout, x: number, y: number): MapCell | null {
  for (const { rect, cells } of servers) {
    if (!holds(rect, x, y)) continue;
    const found = cells.find((cell) => holds(cell.rect, x, y));
    if (found) return found;
  }
  return null;
}

function holds(rect: Rect, x: number, y: number): boolean {
  return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
}

/** The nearest cell in a direction: what the arrow keys go to. */
export function neighbour({ cells }: MapLayout, from: MapCell, key: string): MapCell | null {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const [fromX, fromY] = middle(from.rect);
  let best: MapCell | null = null;
  let least = Infinity;
  for (const cell of cells) {
    const [x, y] = middle(cell.rect);
    const ahead = (x - fromX) * (dx as number) + (y - fromY) * (dy as number);
    if (cell === from || ahead <= 0.5) continue;
    const aside = Math.abs((x - fromX) * (dy as number)) + Math.abs((y - fromY) * (dx as number));
    // What lies straight ahead is nearer than what lies aside.
    const distance = ahead + 2.5 * aside;
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}

function middle({ x, y, width, height }: Rect): [number, number] {
  return [x + width / 2, y + height / 2];
}
