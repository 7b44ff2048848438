/** What a definition says for the search alone: a person who reads the tool does not see it, and it decides what is found. */

/** Where a definition says it. */
export const SEARCH_FIELDS = ["searchHint", "search_hint", "searchKeywords", "searchQueries", "tags", "category"] as const;
/** The same in a server's `_meta`. */
const META = ["anthropic/searchHint", "toolsift/search"] as const;

/** Of `_meta`, only what it says for the search; undefined where it says nothing. */
export function searchMeta(meta: unknown): Record<string, unknown> | undefined {
  if (typeof meta !== "object" || meta === null) return undefined;
  const said = META.filter((key) => (meta as Record<string, unknown>)[key] !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said.map((key) => [key, (meta as Record<string, unknown>)[key]]));
}
