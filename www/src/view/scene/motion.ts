/**
 * What moves in the scene. A canvas over the picture draws it, and the picture below is what it will be: so every frame can be
 * read by itself. A request that gets smaller drains behind a straight edge, and what flies across is see-through.
 */
import { type Block, pathsOf, type Scene, seenOf } from "../../model/scene.ts";

/** How long things move, and numbers beside them roll, in milliseconds. */
const MOVES_MS = 400;
/** When the level of what is sent has fallen, what it fell to appears. */
const DRAINED = 0.75;

/** Draws one frame; `share` goes from 0 to 1. Colours are variables of the style, such as `--revealed`. */
type Frame = (context: CanvasRenderingContext2D, share: number, colour: (name: string) => string) => void;

export interface Motion {
  takes: number;
  frame: Frame;
}

/** Whether whoever looks wants things to move. */
export function movesWanted(): boolean {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches === false;
}

/** What moves from one picture to the next, if anything does. */
export function motionOf(before: Scene, after: Scene, switched: boolean): Motion | null {
  if (switched) {
    if (before.same === after.same) return null;
    return after.same
      ? { takes: MOVES_MS, frame: rising(after) }
      : { takes: MOVES_MS / DRAINED, frame: draining(before, after) };
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
  return { takes: MOVES_MS, frame: finding(flights, [...hits, ...flights.map(([from]) => from)].slice(0, 40)) };
}

/** The level of what is sent falls down to the new request, which then appears; what stays behind turns pale. */
function draining(full: Scene, few: Scene): Frame {
  const blocks = pathOf(full.shelf);
  const { x, y, width } = few.frame;
  const floor = Math.min(...few.request.map(({ at }) => at.y));
  return (context, share, colour) => {
    const level = y + (floor - y) * eased(share / DRAINED);
    context.fillStyle = colour("--sent");
    context.globalAlpha = 1 - eased(share);
    context.fill(blocks);
    context.fillStyle = colour("--ground");
    context.globalAlpha = 1 - eased((share - DRAINED) / (1 - DRAINED));
    // Inside of its border, also where the picture is drawn a little larger.
    context.fillRect(x + 2, y + 2, width - 4, floor - y - 2);
    context.fillStyle = colour("--sent");
    context.globalAlpha = 1;
    context.beginPath();
    context.rect(x, level, width, floor - level);
    context.clip();
    context.translate(x, y);
    context.fill(blocks);
  };
}

/** What is sent rises over the room. */
function rising({ shelf, frame: { x, y, width, height } }: Scene): Frame {
  const blocks = pathOf(shelf);
  return (context, share, colour) => {
    context.fillStyle = colour("--sand");
    context.globalAlpha = 1 - eased(share);
    context.fill(blocks);
    context.fillStyle = colour("--ground");
    context.globalAlpha = 1;
    context.fillRect(x + 2, y + 2, width - 4, (height - 4) * (1 - eased(share)));
  };
}

/** A ripple over what a search found, and what it reveals flies into the request. */
function finding(flights: readonly [from: Block, to: Block][], hits: readonly Block[]): Frame {
  return (context, share, colour) => {
    const at = eased(share);
    const mix = (a: number, b: number) => a + (b - a) * at;
    context.fillStyle = context.strokeStyle = colour("--revealed");
    context.lineWidth = 2;
    for (const [{ at: from }, { at: to }] of flights) {
      const place = [mix(from.x, to.x), mix(from.y, to.y), mix(from.width, to.width), mix(from.height, to.height)] as const;
      context.globalAlpha = 0.2;
      context.fillRect(...place);
      context.globalAlpha = 1;
      context.strokeRect(...place);
    }
    context.strokeStyle = colour("--found");
    context.globalAlpha = 1 - at;
    for (const { at: hit } of hits) {
      context.beginPath();
      context.arc(hit.x + hit.width / 2, hit.y + hit.height / 2, 6 + 34 * at, 0, 2 * Math.PI);
      context.stroke();
    }
  };
}

/** Plays a motion once, and then says so. The function that is returned ends it early. */
export function play(canvas: HTMLCanvasElement, { takes, frame }: Motion, ended: () => void): () => void {
  const context = canvas.getContext("2d");
  if (context === null) return () => undefined;
  const { width, height } = canvas.getBoundingClientRect();
  const scale = Math.min(2, devicePixelRatio);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  // The picture may be drawn smaller than it was laid out.
  const ratio = canvas.width / Math.max(1, Number(canvas.dataset["width"]));
  const style = getComputedStyle(canvas);
  const begin = performance.now();
  let next = 0;
  canvas.dataset["moving"] = "";
  const end = () => {
    cancelAnimationFrame(next);
    context.clearRect(0, 0, canvas.width, canvas.height);
    delete canvas.dataset["moving"];
    ended();
  };
  const draw = (now: number) => {
    const share = Math.max(0, now - begin) / takes;
    if (share >= 1) return end();
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.save();
    context.scale(ratio, ratio);
    frame(context, share, (name) => style.getPropertyValue(name));
    context.restore();
    next = requestAnimationFrame(draw);
  };
  // Nothing of what comes is seen before the first frame.
  draw(begin);
  return end;
}

function pathOf(blocks: readonly Block[]): Path2D {
  return new Path2D(
    pathsOf(blocks)
      .map(([, path]) => path)
      .join(""),
  );
}

/** A number that has been rolling for that long, from one value to another; it is as far as a level that falls or rises beside it. */
export function rolledAt(ms: number, from: number, to: number): number {
  return ms >= MOVES_MS ? to : from + (to - from) * eased(ms / MOVES_MS);
}

/** Slow at both ends. */
function eased(share: number): number {
  const at = Math.min(1, Math.max(0, share));
  return at * at * (3 - 2 * at);
}
