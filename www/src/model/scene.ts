/** Lays out the map: servers next to each other, with their tools inside, and areas by size. */
import type { Server } from "../core/types.ts";
import { type Rect, treemap } from "./treemap.ts";

export interface Block extends Rect {
  name: string;
  server: string;
  chars: number;
  /** The lines of its name; empty if there is no room. */
  label: string[];
}

export interface Scene {
  blocks: Block[];
  /** The names of servers with their positions. */
  heads: Head[];
}

interface Head extends Rect {
  text: string;
}

interface Size {
  width: number;
  height: number;
}

/** The gaps between servers, and between blocks. */
const SERVER_GAP = 6;
const GAP = 1.5;
/** The height of the line with a server's name, and the number of letters that must fit. */
const HEAD = 18;
const HEAD_LETTERS = 10;
/** The approximate width of a letter of the page's font, in server names and in tool names. */
const HEAD_LETTER = 7.2;
const LETTER = 5.2;
/** The distance between the lines of a tool's name. */
export const LINE = 12;

export function layout(servers: readonly Server[], { width, height }: Size): Scene {
  const scene: Scene = { blocks: [], heads: [] };
  const weights = servers.map(({ tools }) => tools.reduce((sum, { chars }) => sum + chars, 0));
  const areas = treemap(weights, { x: 0, y: 0, width: width + SERVER_GAP, height: height + SERVER_GAP });
  for (const [at, { server, tools }] of servers.entries()) {
    const area = inset(areas[at] as Rect, SERVER_GAP);
    const hasHead = area.height > 2.5 * HEAD && area.width > HEAD_LETTER * Math.min(server.length, HEAD_LETTERS);
    if (hasHead) {
      const text = fitting(server, area.width / HEAD_LETTER) ?? "";
      scene.heads.push({ x: area.x, y: area.y, width: text.length * HEAD_LETTER, height: HEAD - 2, text });
    }
    const top = hasHead ? HEAD : 0;
    const rects = treemap(
      tools.map(({ chars }) => chars),
      { x: area.x, y: area.y + top, width: area.width + GAP, height: area.height - top + GAP },
    );
    for (const [index, { name, chars }] of tools.entries()) {
      const rect = inset(rects[index] as Rect, GAP);
      const label = linesOf(name, (rect.width - 6) / LETTER);
      const fits = label !== null && label.length * LINE + 6 <= rect.height;
      scene.blocks.push({ ...rect, name, server, chars, label: fits ? label : [] });
    }
  }
  return scene;
}

function inset({ x, y, width, height }: Rect, by: number): Rect {
  return { x: round(x), y: round(y), width: round(Math.max(0, width - by)), height: round(Math.max(0, height - by)) };
}

/** Rounds to a quarter of a pixel, which is exact enough for the eye. */
function round(value: number): number {
  return Math.round(value * 4) / 4;
}

/** Returns a text cut to a number of letters; null if too few letters fit. */
function fitting(text: string, letters: number): string | null {
  if (text.length <= letters) return text;
  return letters < 6 ? null : `${text.slice(0, Math.floor(letters) - 1)}…`;
}

/** Returns a name broken into lines after its words; null if a word is too long. */
function linesOf(name: string, letters: number): string[] | null {
  const lines: string[] = [];
  for (const word of name.match(/[^_\-./\s]+[_\-./\s]*|^[_\-./\s]+/g) ?? []) {
    if (word.length > letters) return null;
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length <= letters) lines[lines.length - 1] = line + word;
    else lines.push(word);
  }
  return lines;
}

export interface Tag extends Rect {
  name: string;
  text: string;
  state: "found" | "loaded";
}

const TAG_HEIGHT = 20;
const TAG_LETTER = 7.2;
/** The maximum number of tags. For more tools, the solid blocks are enough. */
const MOST_TAGS = 12;

/** Returns the names of found and loaded tools, each at its block and without overlapping another name. */
export function tagsOf(
  { blocks, heads }: Scene,
  states: ReadonlyMap<string, "found" | "loaded">,
  { width, height }: Size,
): Tag[] {
  const tags: Tag[] = [];
  if (states.size > MOST_TAGS) return tags;
  const byName = new Map(blocks.map((block) => [block.name, block]));
  const order = [...states].toSorted(([, one], [, other]) => (one === other ? 0 : one === "loaded" ? -1 : 1));
  for (const [name, state] of order) {
    const block = byName.get(name);
    if (!block) continue;
    const text = fitting(name, (width - 12) / TAG_LETTER) ?? "";
    const size = { width: Math.round(text.length * TAG_LETTER + 12), height: TAG_HEIGHT };
    const beside = [block.x + 2, block.x + block.width - size.width - 2].map((x) =>
      Math.max(0, Math.min(x, width - size.width)),
    );
    // Takes the nearest free place, because a more distant tag does not show which block it names.
    const free = Array.from({ length: 17 }, (_, at) => block.y + 2 + (at % 2 ? -1 : 1) * Math.ceil(at / 2) * 8)
      .map((y) => Math.max(0, Math.min(y, height - TAG_HEIGHT)))
      .flatMap((y) => beside.map((x) => ({ ...size, x, y })))
      .find((place) => ![...tags, ...heads].some((other) => touch(place, other)));
    if (free) tags.push({ ...free, name, text, state });
  }
  return tags;
}

/** Checks if two areas overlap, or nearly do. */
export function touch(one: Rect, other: Rect): boolean {
  const beside = one.x >= other.x + other.width + 2 || other.x >= one.x + one.width + 2;
  return !beside && one.y < other.y + other.height + 1 && other.y < one.y + one.height + 1;
}
