/**
 * The picture of tool search: on one surface every tool of the catalog, on the other what a request sends, in one scale. A
 * request that would be a hairline is drawn enlarged too, with the factor.
 */
import type { Size, ToolInfo } from "toolsift";
import { LOOKS, type Look, partTokens } from "./parts.ts";
import { isSent, STATES } from "./states.ts";
import { treemap, type Rect } from "./treemap.ts";

/** One tool, or one part of a request that is none. */
export interface Block {
  /** The tool's name, or the part's. */
  key: string;
  label: string;
  tokens: number;
  look: Look;
  at: Rect;
  /** Its outline, as a path of SVG has it. */
  path: string;
}

export interface SceneLabel {
  text: string;
  x: number;
  y: number;
  /** It is turned by a right angle. */
  upright: boolean;
}

export interface Scene {
  shelf: Block[];
  shelfLabels: SceneLabel[];
  /** The room that a request with everything takes, beside the shelf or below it. */
  frame: Rect;
  /** Where its title stands, if the room is below the shelf. */
  titleAt: number | null;
  /** The request in the scale of the shelf. */
  request: Block[];
  /** The same enlarged, where it would be too small to see. */
  zoom: { blocks: Block[]; at: Rect; factor: number } | null;
  /** The request holds everything: it is the shelf once more. */
  same: boolean;
  tokens: number;
}

export interface Shown {
  tools: readonly ToolInfo[];
  size: Size;
  found: readonly string[];
  /** What a request without tool search holds. */
  without: boolean;
  /** Where tools stand alike, those of a server are one block: enough where the picture is small. */
  coarse?: boolean;
}

/** Lower requests are enlarged, unless they take so much of the room that there is no place above them. */
const VISIBLE = 44;
const MOST_ENLARGED = 0.2;
const LABEL = 16;
const GAP = 22;
/** Where the request stands below the shelf, its title has room between them. */
const GAP_BELOW = 28;

export function layoutScene({ tools, size, found, without, coarse = false }: Shown, width: number, height: number): Scene {
  const upright = width < 560 && height > 200;
  const room = upright ? { width, height: (height - GAP_BELOW) / 2 } : { width: (width - GAP) / 2, height };
  const { full, request } = size;
  const parts = partTokens(size);
  const tokens = without ? full.tokens : request.tokens;
  const most = Math.max(1, full.tokens, tokens);
  const area = { x: 0, y: 0, width: room.width, height: (room.height * full.tokens) / most };
  const foundNames = new Set(found);
  const { blocks: shelf, labels } = shelfOf(tools, area, (tool) => lookOf(tool, foundNames, without), coarse);
  const frame = upright ? { x: 0, y: room.height + GAP_BELOW, ...room } : { x: room.width + GAP, y: 0, ...room };
  const scene = { shelf, shelfLabels: labels, frame, titleAt: upright ? room.height : null, tokens };
  const own = (["discovery", "prompt", "listing", "stubs"] as const)
    .map((look) => ({ key: LOOKS[look].label, tokens: parts[look], look }))
    .filter((part) => part.tokens > 0);
  const everything = without || own.length === 0;
  if (everything) {
    const copies = shelf.map((block) => ({ ...block, at: moved(block.at, frame) }));
    return { ...scene, request: copies, zoom: null, same: true };
  }
  const sent = tools.filter(isSent).map((tool) => ({ key: tool.name, tokens: tool.tokens, look: tool.state }));
  const pieces: Piece[] = [...own, ...sent];
  const high = (room.height * tokens) / most;
  const fill = { ...frame, y: frame.y + frame.height - high, height: high };
  const blocks = placed(pieces, fill);
  if (high >= Math.min(VISIBLE, room.height * MOST_ENLARGED)) return { ...scene, request: blocks, zoom: null, same: false };
  const inset = Math.min(36, frame.width * 0.08);
  const at = {
    x: frame.x + inset,
    y: frame.y + frame.height * 0.24,
    width: frame.width - 2 * inset,
    height: frame.height * 0.5,
  };
  const factor = (at.width * at.height) / Math.max(1, fill.width * fill.height);
  return { ...scene, request: blocks, zoom: { blocks: placed(pieces, at), at, factor }, same: false };
}

/** The blocks that a tool goes to when it is revealed: the enlarged ones where there are any. */
export function seenOf({ request, zoom }: Scene): Block[] {
  return zoom?.blocks ?? request;
}

/** The block under a point. */
export function blockAt(scene: Scene, x: number, y: number): Block | undefined {
  const holds = ({ at }: Block) => x >= at.x && x < at.x + at.width && y >= at.y && y < at.y + at.height;
  return scene.zoom?.blocks.find(holds) ?? scene.request.find(holds) ?? scene.shelf.find(holds);
}

/** One path for all blocks of a look: thousands of tools are drawn as fast as one. */
export function pathsOf(blocks: readonly Block[]): [look: Look, path: string][] {
  const parts = new Map<Look, string[]>();
  for (const { look, path } of blocks) {
    const list = parts.get(look);
    if (list) list.push(path);
    else parts.set(look, [path]);
  }
  return [...parts].map(([look, list]) => [look, list.join("")]);
}

function pathOf(at: Rect): string {
  const gap = Math.min(1, at.width / 4, at.height / 4);
  const [width, height] = [round(at.width - gap), round(at.height - gap)];
  return `M${round(at.x + gap / 2)} ${round(at.y + gap / 2)}h${width}v${height}h-${width}z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function moved(at: Rect, { x, y }: Rect): Rect {
  return { ...at, x: at.x + x, y: at.y + y };
}

type Piece = Pick<Block, "key" | "tokens" | "look">;

function placed(pieces: readonly Piece[], area: Rect): Block[] {
  const places = treemap(
    pieces.map(({ tokens }) => tokens),
    area,
  );
  return pieces.map((piece, index) => {
    const at = places[index] as Rect;
    return { ...piece, label: `${piece.key}, in the request`, at, path: pathOf(at) };
  });
}

function lookOf({ state, name }: ToolInfo, found: ReadonlySet<string>, without: boolean): Look {
  if (without) return "sent";
  return state === "deferred" && found.has(name) ? "found" : state;
}

/** Where each tool stands on the shelf, and the names of servers that there is room for. */
interface Places {
  tools: readonly ToolInfo[];
  area: Rect;
  blocks: Pick<Block, "key" | "tokens" | "at" | "path">[];
  labels: SceneLabel[];
}

/** The newest places: a search changes how tools look, and not where they stand. */
let newest: Places | null = null;

function shelfOf(
  tools: readonly ToolInfo[],
  area: Rect,
  look: (tool: ToolInfo) => Look,
  coarse: boolean,
): { blocks: Block[]; labels: SceneLabel[] } {
  if (coarse) return coarseShelf(tools, area, look);
  if (newest === null || !standAlike(newest, tools, area)) newest = placesOf(tools, area);
  const { blocks, labels } = newest;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const shown = blocks.map((block): Block => {
    const tool = byName.get(block.key) as ToolInfo;
    return { ...block, label: `${tool.name} (${STATES[tool.state].label})`, look: look(tool) };
  });
  return { blocks: shown, labels };
}

function standAlike(places: Places, tools: readonly ToolInfo[], { width, height }: Rect): boolean {
  if (places.tools.length !== tools.length || places.area.width !== width || places.area.height !== height) return false;
  return tools.every(({ name, tokens, server }, index) => {
    const was = places.tools[index] as ToolInfo;
    return was.name === name && was.tokens === tokens && was.server === server;
  });
}

/** Tools by server, each server with its room. */
function groupsIn(tools: readonly ToolInfo[], area: Rect): { server: string; own: ToolInfo[]; rect: Rect }[] {
  const servers = new Map<string, ToolInfo[]>();
  for (const tool of tools) {
    const list = servers.get(tool.server ?? "");
    if (list) list.push(tool);
    else servers.set(tool.server ?? "", [tool]);
  }
  const groups = [...servers];
  const rects = treemap(
    groups.map(([, own]) => own.reduce((sum, { tokens }) => sum + tokens, 0)),
    area,
  );
  return groups.map(([server, own], index) => ({ server, own, rect: rects[index] as Rect }));
}

/** The room inside of a server's, below its name. */
function inside(rect: Rect, top: number): Rect {
  // Where there is little room, the gap between servers takes none of it away from the tools.
  const gap = Math.min(2, rect.width / 20, rect.height / 20);
  return { x: rect.x + gap, y: rect.y + top, width: rect.width - 2 * gap, height: rect.height - top - gap };
}

function placesOf(tools: readonly ToolInfo[], area: Rect): Places {
  const places: Places = { tools, area, blocks: [], labels: [] };
  for (const { server, own, rect } of groupsIn(tools, area)) {
    const labelled = rect.width > 56 && rect.height > LABEL * 2;
    // Where the room is narrow and high, the name stands on end.
    const upright = !labelled && rect.height > 56 && rect.width > LABEL * 1.5;
    if (labelled || upright)
      places.labels.push({
        text: fitted(server, upright ? rect.height : rect.width),
        x: rect.x + (upright ? 4 : 3),
        y: rect.y + (upright ? 2 : 12),
        upright,
      });
    const room = upright ? { ...rect, x: rect.x + LABEL - 2, width: rect.width - LABEL + 2 } : rect;
    const rects = treemap(
      own.map(({ tokens }) => tokens),
      inside(room, labelled ? LABEL : 0),
    );
    for (const [index, tool] of own.entries()) {
      const at = rects[index] as Rect;
      places.blocks.push({ key: tool.name, tokens: tool.tokens, at, path: pathOf(at) });
    }
  }
  return places;
}

/** One block for all tools of a server that look alike. */
function coarseShelf(
  tools: readonly ToolInfo[],
  area: Rect,
  look: (tool: ToolInfo) => Look,
): { blocks: Block[]; labels: SceneLabel[] } {
  const blocks = groupsIn(tools, area).flatMap(({ server, own, rect }) => {
    const sums = new Map<Look, number>();
    for (const tool of own) sums.set(look(tool), (sums.get(look(tool)) ?? 0) + tool.tokens);
    const places = treemap([...sums.values()], inside(rect, 0));
    return [...sums].map(([one, tokens], index): Block => {
      const at = places[index] as Rect;
      return { key: `${server} ${one}`, label: server, tokens, look: one, at, path: pathOf(at) };
    });
  });
  return { blocks, labels: [] };
}

/** Letters that take little more than half the width of the others. */
const THIN = /[fijlrt.:/ -]/;

/** As much of a text as a label of that width holds. */
function fitted(text: string, width: number): string {
  let room = width - 6;
  const end = [...text].findIndex((letter) => (room -= THIN.test(letter) ? 5 : 7.2) < 0);
  return end < 0 ? text : `${[...text].slice(0, Math.max(1, end - 1)).join("")}…`;
}
