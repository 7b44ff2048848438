/** Scores documents (lists of terms) by BM25 for a query of terms. */

/** Makes an index of documents. `score` returns `[position, score]` for documents that share a term with the query. */
export function bm25(documents, { k1, b }) {
  const postings = new Map();
  documents.forEach((terms, at) => {
    const counts = new Map();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      if (!postings.has(term)) postings.set(term, []);
      postings.get(term).push([at, count]);
    }
  });
  const average = documents.reduce((sum, terms) => sum + terms.length, 0) / Math.max(documents.length, 1);
  const lengths = documents.map((terms) => k1 * (1 - b + (b * terms.length) / (average || 1)));
  return {
    score(terms) {
      const scores = new Map();
      for (const term of terms) {
        const holders = postings.get(term) ?? [];
        const idf = Math.log(1 + (documents.length - holders.length + 0.5) / (holders.length + 0.5));
        for (const [at, count] of holders) {
          scores.set(at, (scores.get(at) ?? 0) + (idf * (count * (k1 + 1))) / (count + lengths[at]));
        }
      }
      return [...scores];
    },
  };
}

/** Returns the best positions with a score above zero, highest first. Equal scores are in the order of the positions. */
export function best(scored, count) {
  const positive = scored.filter(([, score]) => score > 0);
  return positive.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, count);
}
