/** Walks over the strings of a definition and copies it, however deep it is. */

/** What is nested deeper than this is neither shown nor pinned. */
export const MAX_DEPTH = 256;

/** Calls `visit` with every string of a JSON value: its texts and the keys of its objects. */
export function eachString(value: unknown, visit: (text: string) => void): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") visit(next);
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (typeof next === "object" && next !== null) {
      for (const key of Object.keys(next)) {
        visit(key);
        open.push((next as Record<string, unknown>)[key]);
      }
    }
  }
}

/**
 * A copy of a JSON value with `text` applied to every string and `key` to every key. `text` is told the key under which
 * the string stands. Objects and lists deeper than `MAX_DEPTH` are copied as empty ones.
 */
export function mapped(value: unknown, text: (text: string, key: string) => string, key: (key: string) => string): unknown {
  const copy = (one: unknown, under: string, depth: number): unknown => {
    if (typeof one === "string") return text(one, under);
    if (typeof one !== "object" || one === null) return one;
    if (Array.isArray(one)) return depth < MAX_DEPTH ? one.map((item) => copy(item, under, depth + 1)) : [];
    const copied: Record<string, unknown> = {};
    if (depth >= MAX_DEPTH) return copied;
    for (const name of Object.keys(one)) {
      const [as, item] = [key(name), copy((one as Record<string, unknown>)[name], name, depth + 1)];
      if (as !== "__proto__") copied[as] = item;
      else Object.defineProperty(copied, as, { value: item, configurable: true, enumerable: true, writable: true });
    }
    return copied;
  };
  return copy(value, "", 0);
}
