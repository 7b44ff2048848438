/** The arithmetic of an axis. */

/** Maps 0 to `most` onto 0 to `length`. */
export function scaleTo(most: number, length: number): (value: number) => number {
  return (value) => (value / most) * length;
}

/** Round numbers from 0 up to `most`, about four of them, at least `least` apart. */
export function ticksOf(most: number, least = 1): number[] {
  const rough = Math.max(least, most / 4);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}
