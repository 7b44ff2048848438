/**
 * The picture of a card, in the size that a link's picture has everywhere: on the left what every request carries without tool
 * search, on the right in the same scale what one carries with it. The same shapes become SVG where no script runs (the README,
 * what is shown of a link) and a canvas in the page.
 */
import { type Card, heaviestOf } from "./card.ts";
import { count, dollars, percent, plural } from "./numbers.ts";
import { type Rect, treemap } from "./treemap.ts";

export const PICTURE = { width: 1200, height: 630 };

/** The dark colours of the page, each for what it means there. */
const COLOURS = {
  ground: "#0f1216",
  ink: "#e9ecef",
  soft: "#a3acb7",
  sent: "#93a0ae",
  revealed: "#ffe9b0",
  blue: "#6aabf2",
  gold: "#f0b32e",
  sand: "#5d6874",
  good: "#6fd39b",
  bad: "#ff9a92",
};

export type Colour = keyof typeof COLOURS;

/** What a picture is made of, each over the one before. */
export type Shape =
  | { kind: "area"; path: string; fill: string }
  | { kind: "outline"; path: string; stroke: string }
  | { kind: "text"; text: string; x: number; y: number; size: number; weight: 400 | 700; fill: string; align: Align };

type Align = "start" | "center" | "end";

const LEFT = 48;
const TOP = 238;
const BOX = { width: 540, height: 300 };
const RIGHT = PICTURE.width - LEFT - BOX.width;
/** A server has its name where there is room for it. */
const LABEL = 20;

/** The shapes of a card. */
export function shapesOf(card: Card): Shape[] {
  const { full, request, tools, servers } = { ...card, tools: card.servers.reduce((sum, one) => sum + one.count, 0) };
  const most = Math.max(1, full, request);
  const filled = (x: number, tokens: number): Rect => {
    const height = Math.max(tokens > 0 ? 3 : 0, (BOX.height * tokens) / most);
    return { x, y: TOP + BOX.height - height, width: BOX.width, height };
  };
  const sliver = filled(RIGHT, request);
  const own = request > 0 ? (sliver.width * Math.min(request, card.added)) / request : 0;
  const shapes: Shape[] = [
    area("ground", rectangle({ x: 0, y: 0, ...PICTURE })),
    ...mark(LEFT, 32),
    text("toolsift", LEFT + 52, 66, 34, "ink", 700),
    text("tool search for AI agents and their MCP servers", PICTURE.width - LEFT, 66, 26, "soft", 400, "end"),
    text(count(full), LEFT, 172, 76, "ink", 700),
    text("tokens of tools in every request", LEFT, 210, 24, "soft"),
    text(count(request), RIGHT, 172, 76, "revealed", 700),
    text(`tokens with toolsift${card.revealed > 0 ? ", after a search" : ""}`, RIGHT, 210, 24, "soft"),
    ...blocksOf(servers, filled(LEFT, full)),
    outline("sand", rectangle({ x: RIGHT + 0.5, y: TOP + 0.5, width: BOX.width - 1, height: BOX.height - 1 })),
    area("blue", rectangle({ ...sliver, width: own })),
    area("revealed", rectangle({ ...sliver, x: sliver.x + own, width: sliver.width - own })),
  ];
  if (full > 0 && full !== request) {
    const less = request < full;
    const share = percent(Math.abs(1 - request / full));
    shapes.push(
      text(`${share} ${less ? "fewer" : "more"} tokens`, PICTURE.width - LEFT, 172, 34, less ? "good" : "bad", 700, "end"),
    );
  }
  // Told where the room is empty.
  if (sliver.height < BOX.height / 3) {
    const [middle, above] = [RIGHT + BOX.width / 2, sliver.y - 14];
    const held = plural(tools - card.sent, "tool").replace("\u00a0", " ");
    shapes.push(text(`${held} held back`, middle, TOP + 116, 30, "ink", 700, "center"));
    shapes.push(text("until the model searches for them", middle, TOP + 152, 24, "soft", 400, "center"));
    shapes.push(text("search tools and instructions", RIGHT + 14, above, 20, "blue"));
    const found = `${plural(card.sent, "tool")} ${card.sent === card.revealed ? "loaded" : "in full"}`.replace(
      "\u00a0",
      " ",
    );
    if (card.sent > 0) shapes.push(text(found, RIGHT + BOX.width - 14, above, 20, "revealed", 400, "end"));
  }
  const lines = [aboutTools(card, tools), aboutPrice(card)].filter((line) => line !== null);
  return [...shapes, ...lines.map((line, index) => text(line, LEFT, 576 + 30 * index, 22, "soft"))];
}

function aboutTools(card: Card, tools: number): string {
  const { estimated, grade, servers } = card;
  const heaviest = heaviestOf(card);
  const parts = [`${plural(tools, "tool")} from ${plural(servers.length, "server")}`];
  if (heaviest && servers.length > 1) parts.push(`heaviest ${shortened(heaviest.name)}, ${percent(heaviest.share)}`);
  if (estimated) parts.push("tokens estimated");
  if (grade) parts.push(`doctor’s grade ${grade}`);
  return parts.join(" · ").replaceAll("\u00a0", " ");
}

function aboutPrice({ price }: Card): string | null {
  if (price === null || price.full === 0) return null;
  const { ours, full, warm, model } = price;
  const at = model === null ? "" : `, ${model}`;
  const share = warm === null ? saved(1 - ours / full) : `${saved(1 - ours / full)} (warm cache: ${saved(warm)})`;
  const line = `Example conversation${at}: ${dollars(ours)} instead of ${dollars(full)}, ${share}`;
  return line.replaceAll("\u00a0", " ");
}

function saved(share: number): string {
  return `${percent(Math.abs(share))} ${share < 0 ? "more" : "less"}`;
}

/** All tools, by server. */
function blocksOf(servers: Card["servers"], room: Rect): Shape[] {
  const rects = treemap(
    servers.map(({ tools }) => tools.reduce((sum, one) => sum + one, 0)),
    room,
  );
  const shapes: Shape[] = [];
  const paths: string[] = [];
  for (const [index, { name, tools }] of servers.entries()) {
    const at = rects[index] as Rect;
    const label = shortened(name);
    const top = at.height > 64 && at.width > 12 + 8 * label.length ? LABEL : 0;
    if (top > 0) shapes.push(text(label, at.x + 1, at.y + 14, 16, "soft"));
    // Between servers is some room; none at the edges.
    const gap = (end: number, edge: number) => (end < edge - 1 ? Math.min(4, at.width / 10, at.height / 10) : 0);
    const width = at.width - gap(at.x + at.width, room.x + room.width);
    const height = at.height - top - gap(at.y + at.height, room.y + room.height);
    const inner = { x: at.x, y: at.y + top, width, height };
    for (const one of treemap(tools, inner))
      paths.push(rectangle({ ...one, width: Math.max(0.5, one.width - 1), height: Math.max(0.5, one.height - 1) }));
  }
  return [area("sent", paths.join("")), ...shapes];
}

/** The mark of the project: a sieve, and what falls through it. */
function mark(x: number, y: number): Shape[] {
  const dots = (places: readonly (readonly [number, number])[]) =>
    places.map(([a, b]) => rectangle({ x: x + a * 14, y: y + b * 14, width: 11, height: 11 })).join("");
  const sieve = [0, 1, 2].flatMap((a) => [0, 1].map((b) => [a, b] as const)).filter(([a, b]) => a !== 1 || b !== 1);
  return [
    area("sand", dots(sieve)),
    area(
      "gold",
      dots([
        [1, 1],
        [1, 2],
      ]),
    ),
  ]; // prettier-ignore
}

function shortened(name: string): string {
  return name.length > 22 ? `${name.slice(0, 21)}…` : name;
}

function area(fill: Colour, path: string): Shape {
  return { kind: "area", path, fill: COLOURS[fill] };
}

function outline(stroke: Colour, path: string): Shape {
  return { kind: "outline", path, stroke: COLOURS[stroke] };
}

function text(
  words: string,
  x: number,
  y: number,
  size: number,
  fill: Colour,
  weight: 400 | 700 = 400,
  align: Align = "start",
): Shape {
  return { kind: "text", text: words, x, y, size, weight, fill: COLOURS[fill], align };
}

function rectangle({ x, y, width, height }: Rect): string {
  const [a, b, c, d] = [x, y, width, height].map((value) => Math.round(value * 10) / 10);
  return `M${a} ${b}h${c}v${d}h-${c}z`;
}

/** The picture as SVG. `font` is tried before what a system has. */
export function svgOf(shapes: readonly Shape[], font: string): string {
  const { width, height } = PICTURE;
  const drawn = shapes.map((shape) => {
    if (shape.kind === "area") return `<path fill="${shape.fill}" d="${shape.path}"/>`;
    if (shape.kind === "outline")
      return `<path fill="none" stroke="${shape.stroke}" stroke-dasharray="5 5" d="${shape.path}"/>`;
    const { x, y, size, weight, fill, align } = shape;
    return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" text-anchor="${align === "center" ? "middle" : align}" fill="${fill}">${escaped(shape.text)}</text>`;
  });
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="${font}, system-ui, sans-serif">`;
  return [head, ...drawn, "</svg>\n"].join("\n");
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
