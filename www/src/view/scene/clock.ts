/**
 * One clock for all that moves. What one change moves begins with the same frame, and is as far in each that follows: so the
 * picture, the numbers and the words of a frame tell one moment.
 */

/** How long everything moves. */
export const MOVES_MS = 800;

/** At this share of the time everything is where it goes to. What is new there appears in the rest. */
const ARRIVES = 0.8;

/** Whether whoever looks wants things to move. */
export function movesWanted(): boolean {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches === false;
}

/** Calls `each` in every frame with the share of the time that is past; the last is 1. The function that is returned ends it. */
export function follow(each: (share: number) => void): () => void {
  let begin: number | null = null;
  const tick = (now: number) => {
    begin ??= now;
    const share = Math.min(1, (now - begin) / MOVES_MS);
    if (share < 1) next = requestAnimationFrame(tick);
    each(share);
  };
  let next = requestAnimationFrame(tick);
  return () => cancelAnimationFrame(next);
}

/** How much of its way is behind what moves. */
export function wayOf(share: number): number {
  return eased(share / ARRIVES);
}

/** How much there is of what appears. */
export function appearedOf(share: number): number {
  return eased((share - ARRIVES) / (1 - ARRIVES));
}

/** Slow at both ends. */
function eased(share: number): number {
  const at = Math.min(1, Math.max(0, share));
  return at * at * (3 - 2 * at);
}
