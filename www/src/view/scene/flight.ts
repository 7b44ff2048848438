/**
 * What moves in the scene: blocks that fly from one surface to the other, and a ripple over what a search found. A canvas over
 * the picture draws it, since thousands of blocks move at once; the picture below is still.
 */
import type { Rect } from "../../model/treemap.ts";

export interface Flight {
  from: Rect;
  to: Rect;
  /** A variable of the style, such as `--revealed`. */
  colour: string;
  /** Whether it fades as it arrives: it goes back to where it stands already. */
  fades: boolean;
}

export interface Motion {
  flights: readonly Flight[];
  ripples: readonly Rect[];
  /** Milliseconds that one block takes, and that pass between the first and the last start. */
  takes: number;
  spread: number;
}

/** Whether whoever looks wants things to move. */
export function movesWanted(): boolean {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches === false;
}

/** Draws a motion once; `done` is called at its end, also where it is ended early by the function that is returned. */
export function play(canvas: HTMLCanvasElement, { flights, ripples, takes, spread }: Motion, done: () => void): () => void {
  const context = canvas.getContext("2d");
  if (context === null) {
    done();
    return () => undefined;
  }
  const { width, height } = canvas.getBoundingClientRect();
  const scale = Math.min(2, devicePixelRatio);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  // The picture may be drawn smaller than it was laid out.
  const ratio = canvas.width / Math.max(1, Number(canvas.dataset["width"]));
  const style = getComputedStyle(canvas);
  const named = new Set([...flights.map(({ colour }) => colour), "--found"]);
  const colours = new Map([...named].map((name) => [name, style.getPropertyValue(name)]));
  const begin = performance.now();
  let frame = 0;
  canvas.dataset["moving"] = String(flights.length);
  const end = () => {
    cancelAnimationFrame(frame);
    context.clearRect(0, 0, canvas.width, canvas.height);
    delete canvas.dataset["moving"];
    done();
  };
  const draw = (now: number) => {
    const past = now - begin;
    if (past >= takes + spread) return end();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    let filled = "";
    for (const [index, flight] of flights.entries()) {
      const at = eased((past - (spread * index) / flights.length) / takes);
      if (at <= 0 && flight.fades === false) continue;
      if (at >= 1 && flight.fades) continue;
      context.globalAlpha = flight.fades ? 1 - at * at : 1;
      if (flight.colour !== filled) context.fillStyle = colours.get((filled = flight.colour)) ?? "";
      const { from, to } = flight;
      const mix = (a: number, b: number) => a + (b - a) * at;
      const [w, h] = [mix(from.width, to.width), mix(from.height, to.height)];
      context.fillRect(mix(from.x, to.x), mix(from.y, to.y), Math.max(0.5, w - 1), Math.max(0.5, h - 1));
    }
    context.strokeStyle = colours.get("--found") ?? "";
    for (const [index, { x, y, width: w, height: h }] of ripples.entries()) {
      const at = eased((past - (spread * index) / ripples.length) / takes);
      if (at <= 0 || at >= 1) continue;
      context.globalAlpha = 1 - at;
      context.lineWidth = 3 * (1 - at) + 0.5;
      context.beginPath();
      context.arc(x + w / 2, y + h / 2, 6 + 34 * at, 0, 2 * Math.PI);
      context.stroke();
    }
    frame = requestAnimationFrame(draw);
  };
  frame = requestAnimationFrame(draw);
  return end;
}

/** Slow at both ends. */
function eased(share: number): number {
  const at = Math.min(1, Math.max(0, share));
  return at * at * (3 - 2 * at);
}
