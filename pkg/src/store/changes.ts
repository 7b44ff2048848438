/** Finds the changes of a session in memory by comparing its reveals with its earlier reveals. */

import { keyOf } from "./state.js";
import type { Tool } from "./state.js";

/**
 * Tools that were revealed since, in their order, and those whose earlier reveals count no more: they were concealed, or
 * revealed anew at another place. `isSame` says whether it is the same session still: in one that was closed or forgotten
 * and opened anew, nothing was concealed by being absent.
 */
export function changesOf(
  before: readonly Tool[],
  now: readonly Tool[],
  isSame: boolean,
): { fresh: Tool[]; gone: Set<string> } {
  const places = new Map(before.map((tool, place) => [keyOf(tool), place]));
  const gone = new Set(isSame ? places.keys() : []);
  const fresh: Tool[] = [];
  let last = -1;
  for (const tool of now) {
    const place = places.get(keyOf(tool));
    // Reveals are only ever appended. A tool behind a new one, or behind one that used to follow it, was revealed again.
    const stayed = place !== undefined && (!isSame || (place > last && fresh.length === 0));
    if (stayed) {
      gone.delete(keyOf(tool));
    } else {
      gone.add(keyOf(tool));
      fresh.push(tool);
    }
    last = Math.max(last, place ?? last);
  }
  return { fresh, gone };
}
