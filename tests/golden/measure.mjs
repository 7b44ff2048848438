/** Measures search quality for each class of queries in a set, and compares two measurements. Higher figures are better. */

import { Problem } from "../../scripts/lib/run.mjs";
import { NOTHING } from "./sets.mjs";

/** Hits that are asked for: no figure looks further. */
export const HITS = 5;

/** How far a figure may fall: what adding in another order changes. */
const SLACK = 1e-9;

const CONFIDENCES = ["high", "low", "none"];

/**
 * Asks every query of a set, and answers for each class `{ queries, <figure>…, below }`. A figure is the mean over the
 * queries; `below` has for each figure the queries that did not get all of it, with what they got.
 */
export function measure({ queries }, search) {
  const byClass = new Map();
  for (const one of queries) {
    const scores = scoresOf(one, search(one.query));
    byClass.set(one.class, [...(byClass.get(one.class) ?? []), { id: one.id, scores }]);
  }
  return Object.fromEntries([...byClass].map(([kind, list]) => [kind, summary(list)]));
}

/**
 * What one answer gets, from 0 to 1. For a query that nothing fits: whether it was declined. For any other: what of the
 * relevant is the first hit, what is among the first five, and whether it was answered instead of declined.
 */
function scoresOf({ relevant, match, class: kind }, { hits, confidence }) {
  if (!CONFIDENCES.includes(confidence)) throw new Problem(`an answer has the confidence ${confidence}`);
  const declined = confidence === "none";
  if (kind === NOTHING) return { declined: Number(declined) };
  const names = hits.map(({ name }) => name);
  // Several names in one query: any of them may stand first, but only one can.
  const first = kind === "exact" ? "any" : match;
  return {
    recall1: recall(relevant, first, names.slice(0, 1)),
    recall5: recall(relevant, match, names.slice(0, HITS)),
    answered: Number(!declined),
  };
}

function recall(relevant, match, names) {
  const found = relevant.filter((name) => names.includes(name)).length;
  return match === "any" ? Number(found > 0) : found / relevant.length;
}

function summary(list) {
  const figures = Object.keys(list[0].scores);
  const total = (figure) => list.reduce((sum, { scores }) => sum + scores[figure], 0);
  const short = (figure) => list.filter(({ scores }) => scores[figure] < 1);
  return {
    queries: list.length,
    ...Object.fromEntries(figures.map((figure) => [figure, total(figure) / list.length])),
    below: Object.fromEntries(
      figures.map((figure) => [figure, Object.fromEntries(short(figure).map(({ id, scores }) => [id, scores[figure]]))]),
    ),
  };
}

/** The figures of a class by name. */
export const figuresOf = ({ queries, below, ...figures }) => figures;

/** What got worse in a class: for each figure that fell a text with what it was, what it is, and the queries lost. */
export function fallen(set, kind, committed, now) {
  const place = `${set.name}, ${kind}`;
  if (committed === undefined) return [`${place}: no figures are committed`];
  if (committed.queries !== now.queries) {
    return [`${place}: the committed figures are of ${committed.queries} queries, there are ${now.queries}`];
  }
  const texts = new Map(set.queries.map(({ id, query }) => [id, query]));
  return Object.entries(figuresOf(now)).flatMap(([figure, value]) => {
    // Written so that a figure that is missing or no number counts as fallen.
    if (value >= committed[figure] - SLACK) return [];
    const before = (id) => committed.below?.[figure]?.[id] ?? 1;
    const lost = Object.entries(now.below[figure]).filter(([id, score]) => score < before(id));
    const lines = lost.map(([id, score]) => `  ${id} ${JSON.stringify(texts.get(id))}: ${before(id)} → ${score}`);
    return [[`${place}: ${figure} was ${committed[figure]}, is ${value}; lost:`, ...lines].join("\n")];
  });
}
