/** How far a search can be trusted, as far as the page can see it: high only where the best hit fits most of the query. */
import type { Confidence, SearchResult } from "toolsift";

export interface Trust {
  confidence: Confidence;
  /** Words of the query that the best hit fits, where the library's own measure is higher than what is shown. */
  fits: string[];
  /** Words that other hits fit and the best one does not. */
  lacks: string[];
}

/** Null where the ranker cannot tell. */
export function trustIn({ confidence, hits, unknownWords = [] }: SearchResult): Trust | null {
  if (confidence === undefined) return null;
  const termsOf = (parts: readonly { term: string }[]) => parts.map(({ term }) => term).filter((term) => term !== "");
  const fits = [...new Set(termsOf(hits[0]?.parts ?? []))];
  const asked = new Set([...hits.flatMap(({ parts }) => termsOf(parts)), ...unknownWords]);
  const lacks = [...asked].filter((term) => !fits.includes(term));
  const partial = confidence === "high" && fits.length > 0 && fits.length < lacks.length;
  return partial ? { confidence: "low", fits, lacks } : { confidence, fits: [], lacks: [] };
}
