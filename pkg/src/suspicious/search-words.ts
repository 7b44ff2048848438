/** What a definition says beside what a person reads of the tool: words for the search, and whether it is always sent. */

/** Where a definition says it. */
export const SEARCH_FIELDS = ["searchHint", "search_hint", "searchKeywords", "searchQueries", "tags", "category"] as const;
/** The key of words for the search in a server's `_meta`. */
const META = ["anthropic/searchHint", "toolsift/search", "anthropic/alwaysLoad"] as const;

/** Of `_meta`, only what decides what is found and sent; undefined where it says nothing. */
export function searchMeta(meta: unknown): Record<string, unknown> | undefined {
  if (typeof meta !== "object" || meta === null) return undefined;
  const said = META.filter((key) => (meta as Record<string, unknown>)[key] !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said.map((key) => [key, (meta as Record<string, unknown>)[key]]));
}
