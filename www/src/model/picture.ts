/** The scene as one picture, for places that run no script: the README, and what is shown of a link. */
import type { Snapshot } from "../core/types.ts";
import { count, plural } from "./numbers.ts";
import { layoutScene, pathsOf, type Block } from "./scene.ts";

/** The size that a link's picture has everywhere. */
export const PICTURE = { width: 1200, height: 630 };

export const COLOURS = { ground: "#101316", ink: "#f2f4f6", soft: "#a3acb7", block: "#39424c", sent: "#f0b32e" };

/** What toolsift adds itself, beside the tools that are sent. */
const OWN = "#6aabf2";

const LEFT = 48;
const TOP = 196;

/** The scene of the conversation as it stands, as SVG. `font` is tried before what a system has. */
export function pictureOf({ tools, sources, current }: Snapshot, font: string): string {
  const { width, height } = PICTURE;
  const shown = { tools, size: current.size, found: current.found, without: false };
  const { shelf, frame, request, zoom } = layoutScene(shown, width - 2 * LEFT, 336);
  const text = (x: number, y: number, size: number, colour: string, words: string, weight = 400) =>
    `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}">${escaped(words)}</text>`;
  const blocks = (all: readonly Block[], colours: Record<string, string>, other: string) =>
    pathsOf(all).map(([look, path]) => `<path fill="${colours[look] ?? other}" d="${path}"/>`);
  const own = { discovery: OWN, prompt: OWN, listing: OWN, stubs: OWN };
  const query = current.lastSearch?.query ?? null;
  const found = query === null ? "" : ` Gold: ${current.revealed.join(", ")}, found by “${query}”.`;
  const told = `Blue: the tools that the model searches with.${found}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="${font}, system-ui, sans-serif">`,
    `<rect width="${width}" height="${height}" fill="${COLOURS.ground}"/>`,
    text(LEFT, 92, 46, COLOURS.ink, "Carry every tool.", 700),
    text(LEFT + 400, 92, 46, COLOURS.soft, "Pay for the few you use."),
    text(
      LEFT,
      162,
      26,
      COLOURS.ink,
      `${plural(tools.length, "tool")} of ${plural(sources.length, "server")}: ${count(current.size.full.tokens)} tokens`,
    ),
    text(LEFT + frame.x, 162, 26, COLOURS.sent, `This request: ${count(current.size.request.tokens)} tokens`, 700),
    `<g transform="translate(${LEFT} ${TOP})">`,
    ...blocks(shelf, { revealed: COLOURS.sent }, COLOURS.block),
    `<rect x="${frame.x}" y="${frame.y}" width="${frame.width}" height="${frame.height}" fill="none" stroke="${COLOURS.soft}" stroke-dasharray="5 5"/>`,
    ...blocks(request, own, COLOURS.sent),
    ...(zoom === null
      ? []
      : [
          ...blocks(zoom.blocks, own, COLOURS.sent),
          text(zoom.at.x, zoom.at.y - 12, 22, COLOURS.soft, `enlarged × ${Math.round(zoom.factor)}`),
        ]),
    "</g>",
    text(LEFT, 586, 24, COLOURS.soft, told),
    "</svg>\n",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
