/** The arithmetic of an axis. */

/** Maps 0 to `most` onto 0 to `length`. */
export function scaleTo(most: number, length: number): (value: number) => number {
  return (value) => (value / most) * length;
}

/** Round numbers from 0 up to `most`, about four of them. */
export function ticksOf(most: number): number[] {
  const rough = most / 4;
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((size) => size >= rough) ?? rough;
  const ticks: number[] = [];
  for (let tick = 0; tick <= most; tick += Math.max(1, step)) ticks.push(tick);
  return ticks;
}
