/** Computes recall, nDCG and reciprocal rank of ranked lists from labels, and their means. */

/** The depths of recall. */
export const DEPTHS = [1, 3, 5, 10];
/** The depth of nDCG. */
const NDCG_DEPTH = 10;

/** The keys of all measures, in the order of the output. */
export const QUALITIES = [...DEPTHS.map((depth) => `recall@${depth}`), `ndcg@${NDCG_DEPTH}`, "mrr"];

/**
 * Returns the needs of a query, as groups of alternatives: any tool of a group meets the need. `match: any` is one need that
 * every relevant tool meets, and `match: all` is one need for each relevant tool.
 */
export function needsOf({ relevant, match, groups }) {
  const needs = groups ?? (match === "all" ? [...new Set(relevant)].map((name) => [name]) : [relevant]);
  return needs.filter((group) => group.length > 0);
}

/** Returns the measures of one ranked list of names, or null if the query has no relevant tool. */
export function measure(ranked, query) {
  const needs = needsOf(query);
  if (needs.length === 0) return null;
  const places = new Map(ranked.map((name, at) => [name, at + 1]));
  // The first rank at which each need is met; Infinity if no listed tool meets it.
  const met = needs.map((group) => Math.min(...group.map((name) => places.get(name) ?? Infinity)));
  const quality = {};
  for (const depth of DEPTHS) quality[`recall@${depth}`] = met.filter((place) => place <= depth).length / needs.length;
  quality[`ndcg@${NDCG_DEPTH}`] = ndcg(met);
  quality.mrr = 1 / Math.min(...met);
  return quality;
}

/**
 * Computes the binary nDCG. Each need counts at the first rank at which it is met. A tool that meets two needs could give
 * more than the ideal list of one tool per need, so the result is at most 1.
 */
function ndcg(met) {
  const discount = (place) => 1 / Math.log2(place + 1);
  const sum = (places) =>
    places
      .filter((place) => place <= NDCG_DEPTH)
      .map(discount)
      .reduce((a, b) => a + b, 0);
  return Math.min(1, sum(met) / sum(met.map((_, at) => at + 1)));
}

/** Returns the mean of numbers; 0 for an empty list. */
export const mean = (numbers) => (numbers.length === 0 ? 0 : numbers.reduce((a, b) => a + b, 0) / numbers.length);

/** Returns the mean of every measure over queries. Queries without measures are left out. */
export function meanQualities(measured) {
  const counted = measured.filter((quality) => quality !== null);
  return Object.fromEntries(QUALITIES.map((key) => [key, mean(counted.map((quality) => quality[key]))]));
}

/** Returns the value below which a share of the numbers lies. */
export function percentile(numbers, share) {
  const sorted = Float64Array.from(numbers).sort();
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
