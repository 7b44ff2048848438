/** Draws the page's map as an SVG image, in the size of link previews: for the README and for social media. */
import type { Opening } from "../core/types.ts";
import { about, inWords } from "./numbers.ts";
import { layout, tagsOf } from "./scene.ts";

const WIDTH = 1200;
const HEIGHT = 630;
const MAP = { width: 1104, height: 330 };
const LEFT = 48;
const TOP = 214;

/** The colours of the page's dark theme. */
const COLOURS = {
  ground: "#101316",
  ink: "#eceef0",
  soft: "#a3acb7",
  deferred: "#2b323a",
  found: "#5a3416",
  loaded: "#cc4208",
};

export function pictureOf({ catalog, play }: Opening, font: string): string {
  const { servers, full } = catalog;
  const loaded = new Set(play.loaded);
  const all = servers.reduce((sum, { tools }) => sum + tools.length, 0);
  const now = play.tokens.at(-1) ?? full;
  const scene = layout(servers, MAP);
  const { blocks, heads } = scene;
  const states = new Map(play.loaded.map((name) => [name, "loaded" as const]));
  const rect = (x: number, y: number, width: number, height: number, fill: string, rx = 0) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" rx="${rx}"/>`;
  const text = (x: number, y: number, size: number, fill: string, words: string, more = "") =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" ${more}>${escaped(words)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${font}, system-ui, sans-serif">`,
    rect(0, 0, WIDTH, HEIGHT, COLOURS.ground),
    text(LEFT, 82, 39, COLOURS.ink, `Your agent sends ${all} tool definitions with every request.`, 'font-weight="700"'),
    text(LEFT, 134, 39, "#ff8a4c", `It needs ${inWords(loaded.size)}.`, 'font-weight="700"'),
    text(LEFT, 184, 26, COLOURS.soft, `“${play.query}”: ${about(now)} tokens of tools, instead of ${about(full)}`),
    `<g transform="translate(${LEFT} ${TOP})">`,
    ...blocks.map((one) =>
      rect(one.x, one.y, one.width, one.height, loaded.has(one.name) ? COLOURS.loaded : COLOURS.deferred, 1.5),
    ),
    ...heads.map(({ x, y, text: name }) => text(x, y + 12, 14, COLOURS.soft, name)),
    ...tagsOf(scene, states, MAP).map(
      ({ x, y, width, height, text: name }) =>
        `<g transform="translate(${x} ${y})">${rect(0, 0, width, height, COLOURS.loaded, 4)}${text(6, 14.5, 12, "#fff", name, 'font-weight="700"')}</g>`,
    ),
    "</g>",
    rect(LEFT, 566, MAP.width, 12, COLOURS.deferred, 2),
    rect(LEFT, 566, Math.round((MAP.width * now) / full), 12, COLOURS.loaded, 2),
    text(LEFT, 606, 20, COLOURS.soft, "orange: what a request sends with toolsift; grey: what it leaves out"),
    text(WIDTH - LEFT, 606, 20, COLOURS.ink, "toolsift", 'font-weight="700" text-anchor="end"'),
    "</svg>",
    "",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
