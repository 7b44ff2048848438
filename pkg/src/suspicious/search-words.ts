/** What a definition says beside what a person reads of the tool: words for the search, and whether it is always sent. */

/** Where a definition says it. */
export const SEARCH_FIELDS = ["searchHint", "search_hint", "searchKeywords", "searchQueries", "tags", "category"] as const;
/** Where a server's `_meta` says it. */
const META = ["anthropic/searchHint", "toolsift/search"] as const;
/** Where it asks for its tool to be sent with every request. */
const ALWAYS = "anthropic/alwaysLoad";

/** Of `_meta`, only the words for the search. */
export function searchMeta(meta: unknown): unknown[] {
  return META.map((key) => (Object(meta) as Record<string, unknown>)[key]);
}

/**
 * What of `_meta` is pinned: everything, since clients read it too, such as the page that a tool opens. A server that does not
 * ask for its tool to be sent always says the same as one that is silent.
 */
export function pinnedMeta(meta: unknown): Record<string, unknown> | undefined {
  if (typeof meta !== "object" || meta === null) return undefined;
  const entries = Object.entries(meta).filter(([key, value]) => value !== undefined && (key !== ALWAYS || value === true));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
