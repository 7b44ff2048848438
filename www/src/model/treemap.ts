/** A squarified treemap: rectangles whose areas are proportional to weights, with cells that are as square as possible. */

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns one rectangle per weight, in the order of the weights. A weight of 0 gets an empty rectangle. */
export function treemap(weights: readonly number[], area: Rect): Rect[] {
  const result: Rect[] = weights.map(() => ({ x: area.x, y: area.y, width: 0, height: 0 }));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= 0 || area.width <= 0 || area.height <= 0) return result;
  const scale = (area.width * area.height) / total;
  const order = weights.map((_, index) => index).filter((index) => (weights[index] ?? 0) > 0);
  order.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  const sizes = order.map((index) => (weights[index] ?? 0) * scale);

  let free = { ...area };
  let start = 0;
  while (start < sizes.length) {
    const side = Math.min(free.width, free.height);
    let end = start + 1;
    let sum = sizes[start] ?? 0;
    while (end < sizes.length) {
      const next = sum + (sizes[end] ?? 0);
      // The first cell of a row is the largest and the last the smallest, so these two have the most elongated shapes.
      const largest = sizes[start] ?? 0;
      if (longest(largest, sizes[end] ?? 0, next, side) > longest(largest, sizes[end - 1] ?? 0, sum, side)) break;
      sum = next;
      end += 1;
    }
    free = placeRow(order, sizes, start, end, sum, free, result);
    start = end;
  }
  return result;
}

function longest(largest: number, smallest: number, sum: number, side: number): number {
  const square = sum * sum;
  return Math.max((side * side * largest) / square, square / (side * side * smallest));
}

/** Fills the shorter side of `free` with one row, and returns the remaining area. */
function placeRow(
  order: readonly number[],
  sizes: readonly number[],
  start: number,
  end: number,
  sum: number,
  free: Rect,
  result: Rect[],
): Rect {
  const upright = free.width >= free.height;
  const depth = sum / (upright ? free.height : free.width);
  let at = upright ? free.y : free.x;
  for (let index = start; index < end; index += 1) {
    const length = (sizes[index] ?? 0) / depth;
    result[order[index] as number] = upright
      ? { x: free.x, y: at, width: depth, height: length }
      : { x: at, y: free.y, width: length, height: depth };
    at += length;
  }
  return upright
    ? { x: free.x + depth, y: free.y, width: Math.max(0, free.width - depth), height: free.height }
    : { x: free.x, y: free.y + depth, width: free.width, height: Math.max(0, free.height - depth) };
}
