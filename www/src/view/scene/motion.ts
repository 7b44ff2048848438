/**
 * What moves in the scene. A canvas over the picture draws it, and the picture below is what it will be: so every frame can be
 * read by itself. What is sent drains behind a straight edge that stands as high as the number beside it says, and what flies
 * across is see-through.
 */
import { LOOKS, type Look } from "../../model/parts.ts";
import { type Block, pathsOf, type Scene, seenOf } from "../../model/scene.ts";
import type { Rect } from "../../model/treemap.ts";
import { appearedOf, follow, wayOf } from "./clock.ts";

type Colours = Record<Look | "ground", string>;

/** Draws one frame; `share` goes from 0 to 1. */
export type Motion = (context: CanvasRenderingContext2D, share: number, colours: Colours) => void;

/** What moves from one picture to the next, if anything does. */
export function motionOf(before: Scene, after: Scene, switched: boolean): Motion | null {
  if (switched) {
    if (before.same === after.same) return null;
    return after.same ? rising(before, after) : draining(before, after);
  }
  const had = new Set(seenOf(before).map(({ key }) => key));
  const places = new Map(after.shelf.map((block) => [block.key, block]));
  const flights = seenOf(after).flatMap((to): [Block, Block][] => {
    const from = places.get(to.key);
    return had.has(to.key) || from === undefined ? [] : [[from, to]];
  });
  const was = new Set(before.shelf.filter(({ look }) => look === "found").map(({ key }) => key));
  const hits = after.shelf.filter(({ look, key }) => look === "found" && !was.has(key));
  if (flights.length + hits.length === 0) return null;
  return finding(before, after, flights, [...hits, ...flights.map(([from]) => from)].slice(0, 40));
}

/** On both sides the level of what is sent falls to that of the new request, which then appears. */
function draining(full: Scene, few: Scene): Motion {
  const sent = pathOf(full.shelf);
  const { x, y, width, height } = few.frame;
  const falls = fallOf(few);
  return (context, share, colours) => {
    const level = falls * wayOf(share);
    context.globalAlpha = 1 - appearedOf(share);
    context.fillStyle = colours.ground;
    fill(context, inside(few.frame));
    fill(context, { x, y: y + falls, width, height: height - falls });
    context.fillStyle = colours.sent;
    for (const [left, top] of [
      [0, 0],
      [x, y],
    ] as const)
      within(context, { x: left, y: top + level, width, height: height - level }, () => {
        context.translate(left, top);
        context.fill(sent);
      });
  };
}

/** On both sides the level of what is sent rises until everything is. */
function rising(few: Scene, full: Scene): Motion {
  const shelf = pathsOf(few.shelf).map(([look, path]) => [look, new Path2D(path)] as const);
  const falls = fallOf(few);
  const { width } = full.frame;
  const room = inside(full.frame);
  return (context, share, colours) => {
    const level = falls * (1 - wayOf(share));
    context.fillStyle = context.strokeStyle = colours.ground;
    fill(context, { ...room, height: Math.min(level, room.height) });
    within(context, { x: 0, y: 0, width, height: level }, () => {
      for (const [look, path] of shelf) {
        // Nothing of the same block below is seen at its edges.
        context.stroke(path);
        context.fillStyle = colours[look];
        context.fill(path);
      }
    });
  };
}

/** A ripple over what a search found, and what it reveals flies into the request, which then is the new one. */
function finding(before: Scene, after: Scene, flights: readonly [from: Block, to: Block][], hits: readonly Block[]): Motion {
  const { x, y, width, height } = after.frame;
  const floor = y + Math.min(fallOf(before), fallOf(after));
  const covered =
    before.zoom && after.zoom ? [after.zoom.at, { x, y: floor, width, height: y + height - floor }] : [inside(after.frame)];
  const requests = pathsOf([...before.request, ...(before.zoom?.blocks ?? [])]);
  const was = requests.map(([look, path]) => [look, new Path2D(path)] as const);
  return (context, share, colours) => {
    const at = wayOf(share);
    const mix = (a: number, b: number) => a + (b - a) * at;
    const leaves = 1 - appearedOf(share);
    if (flights.length > 0) {
      context.globalAlpha = leaves;
      context.fillStyle = colours.ground;
      for (const rect of covered) fill(context, rect);
      for (const [look, path] of was) {
        context.fillStyle = colours[look];
        context.fill(path);
      }
    }
    context.fillStyle = context.strokeStyle = colours.revealed;
    context.lineWidth = 2;
    for (const [{ at: from }, { at: to }] of flights) {
      const place = [mix(from.x, to.x), mix(from.y, to.y), mix(from.width, to.width), mix(from.height, to.height)] as const;
      context.globalAlpha = 0.2 * leaves;
      context.fillRect(...place);
      context.globalAlpha = leaves;
      context.strokeRect(...place);
    }
    context.strokeStyle = colours.found;
    context.globalAlpha = 1 - at;
    for (const { at: hit } of hits) {
      context.beginPath();
      context.arc(hit.x + hit.width / 2, hit.y + hit.height / 2, 6 + 34 * at, 0, 2 * Math.PI);
      context.stroke();
    }
  };
}

/** Plays a motion once; `then` follows when it has come to its end. The function that is returned ends it early. */
export function play(canvas: HTMLCanvasElement, motion: Motion, then: () => void): () => void {
  const context = canvas.getContext("2d");
  if (context === null) {
    then();
    return () => undefined;
  }
  const { width, height } = canvas.getBoundingClientRect();
  const scale = Math.min(2, devicePixelRatio);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  // The picture may be drawn smaller than it was laid out.
  const ratio = canvas.width / Math.max(1, Number(canvas.dataset["width"]));
  const colours = coloursIn(canvas);
  canvas.dataset["moving"] = "";
  const draw = (share: number) => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (share === 1) {
      delete canvas.dataset["moving"];
      return then();
    }
    context.save();
    context.scale(ratio, ratio);
    motion(context, share, colours);
    context.restore();
  };
  // Nothing of what comes is seen before the first frame.
  draw(0);
  const stop = follow(draw);
  return () => {
    stop();
    context.clearRect(0, 0, canvas.width, canvas.height);
    delete canvas.dataset["moving"];
  };
}

/** The colours of the style, in the theme that the page has now. */
function coloursIn(canvas: HTMLCanvasElement): Colours {
  const swatch = canvas.appendChild(document.createElement("i"));
  const colourOf = (look: string): string => {
    swatch.className = `swatch ${look}`;
    return getComputedStyle(swatch).getPropertyValue("--look");
  };
  const looks = Object.fromEntries(Object.keys(LOOKS).map((look) => [look, colourOf(look)])) as Record<Look, string>;
  swatch.remove();
  return { ...looks, ground: getComputedStyle(canvas).getPropertyValue("--ground") };
}

/** How far the level of a request is below that of everything. */
function fallOf({ request, frame }: Scene): number {
  return Math.min(...request.map(({ at }) => at.y)) - frame.y;
}

/** A room without its border. */
function inside({ x, y, width, height }: Rect): Rect {
  return { x: x + 2, y: y + 2, width: width - 4, height: height - 4 };
}

function fill(context: CanvasRenderingContext2D, { x, y, width, height }: Rect): void {
  context.fillRect(x, y, width, height);
}

/** Draws what is seen within an area. */
function within(context: CanvasRenderingContext2D, { x, y, width, height }: Rect, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  draw();
  context.restore();
}

function pathOf(blocks: readonly Block[]): Path2D {
  return new Path2D(
    pathsOf(blocks)
      .map(([, path]) => path)
      .join(""),
  );
}
