/** Walks over the strings of a definition and copies it, however deep it is, up to a number of values. */

/** What is nested deeper than this is neither shown nor pinned. */
export const MAX_DEPTH = 256;

/** Values of one definition. Far more than a catalog takes; a cyclic value has no end. */
const MAX_VALUES = 1_000_000;

/** Counts values that are about to be looked at: whether they are still few enough. */
export function counter(): (items: number) => boolean {
  let left = MAX_VALUES;
  return (items) => (left -= items) >= 0;
}

/**
 * Calls `visit` with every string of a JSON value: its texts and the keys of its objects. What has more than a million values
 * is not looked through: it has no hash, so that no guard takes it.
 */
export function eachString(value: unknown, visit: (text: string) => void): void {
  const fits = counter();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") visit(next);
    else if (Array.isArray(next)) {
      // Before the walk: a list may be empty and as long as an array can be.
      if (!fits(next.length)) return;
      for (const item of next) open.push(item);
    } else if (typeof next === "object" && next !== null) {
      const keys = Object.keys(next);
      if (!fits(keys.length)) return;
      for (const key of keys) {
        visit(key);
        open.push((next as Record<string, unknown>)[key]);
      }
    }
  }
}

/**
 * A copy of a JSON value with `text` applied to every string and `key` to every key. `text` is told the key under which
 * the string stands. Objects and lists deeper than `MAX_DEPTH`, and those after a million values, are copied as empty ones.
 */
export function mapped(value: unknown, text: (text: string, key: string) => string, key: (key: string) => string): unknown {
  const fits = counter();
  const copy = (one: unknown, under: string, depth: number): unknown => {
    if (typeof one === "string") return text(one, under);
    if (typeof one !== "object" || one === null) return one;
    if (Array.isArray(one)) {
      return depth < MAX_DEPTH && fits(one.length) ? Array.from(one, (item: unknown) => copy(item, under, depth + 1)) : [];
    }
    const copied: Record<string, unknown> = {};
    const names = depth < MAX_DEPTH ? Object.keys(one) : [];
    if (!fits(names.length)) return copied;
    for (const name of names) {
      const [as, item] = [key(name), copy((one as Record<string, unknown>)[name], name, depth + 1)];
      if (as !== "__proto__") copied[as] = item;
      else Object.defineProperty(copied, as, { value: item, configurable: true, enumerable: true, writable: true });
    }
    return copied;
  };
  return copy(value, "", 0);
}
