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
 * What of `_meta` is pinned: the words for the search, and whether the tool asks to be sent with every request. A server that
 * does not ask for that says the same as one that is silent. Whatever else stands there tells a model nothing.
 */
export function pinnedMeta(meta: unknown): Record<string, unknown> | undefined {
  const fields = Object(meta) as Record<string, unknown>;
  const kept = [...META, ALWAYS].filter((key) => (key === ALWAYS ? fields[key] === true : fields[key] !== undefined));
  return kept.length === 0 ? undefined : Object.fromEntries(kept.map((key) => [key, fields[key]]));
}
