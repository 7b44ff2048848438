/**
 * Our reimplementation of the tool search of Codex, which is written in Rust. It follows its description: BM25 (k1 1.2, b
 * .75) of the `bm25` crate, with its English stemmer and stop words, over name, server, description and the text of the
 * schema at every depth. Known differences: words are split by a regular expression and not at Unicode word boundaries;
 * accents are removed, but other scripts are not converted to Latin letters; the list of stop words is ours. The product
 * returns at most eight tools.
 */

import stem from "wink-porter2-stemmer";
import { best, bm25 } from "./bm25.mjs";
import { deepTexts } from "./schema-text.mjs";

const STOP_WORDS = new Set(
  (
    "a about above after again against all am an and any are as at be because been before being below between both but by " +
    "can did do does doing don down during each few for from further had has have having he her here hers herself him " +
    "himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or " +
    "other our ours ourselves out over own same she should so some such than that the their theirs them themselves then " +
    "there these they this those through to too under until up very was we were what when where which while who whom why " +
    "will with you your yours yourself yourselves"
  ).split(" "),
);

const stems = new Map();

/** Returns the stem of a word. A cache stems each word only once. */
function stemOf(word) {
  if (!stems.has(word)) stems.set(word, stem(word));
  return stems.get(word);
}

function wordsOf(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}_]+(?:'[\p{L}\p{N}_]+)*/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map(stemOf);
}

/** Returns the text of a tool. It has the name twice, also split into words, because an underscore does not end a word. */
const textOf = ({ name, server, description, parameters }) =>
  [name, name.replaceAll("_", " "), server ?? "", description, ...deepTexts(parameters)].join(" ");

export function index(tools) {
  const scores = bm25(
    tools.map((tool) => wordsOf(textOf(tool))),
    { k1: 1.2, b: 0.75 },
  );
  return { search: (query, count) => best(scores.score(wordsOf(query)), count).map(([at]) => tools[at].name) };
}
