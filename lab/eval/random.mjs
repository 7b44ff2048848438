/** Reproducible random numbers from a seed, which may be any text. */

/** Returns a function that returns numbers in [0, 1), the same ones for the same seed (FNV-1a, then mulberry32). */
export function randomFrom(seed) {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(String(seed))) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the things in a random order that depends only on the seed. */
export function shuffled(things, seed) {
  const random = randomFrom(seed);
  const order = [...things];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
