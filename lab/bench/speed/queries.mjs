/** Makes queries of every kind from the tools of a catalog. The same catalog always gives the same queries. */

import { deepTexts } from "../../eval/peers/schema-text.mjs";
import { randomFrom } from "../../eval/random.mjs";
import { mistyped } from "../../eval/typo.mjs";
import { spaced } from "./documents.mjs";
import { FUNCTION_WORDS } from "./words.mjs";

/** The number of different queries of each kind. */
export const QUERIES = 60;
const STORY_WORDS = 60;
/** The share of function words in a story. */
const STORY_FUNCTION_SHARE = 0.45;
/** The number of tools in one `select:` query. */
const SELECTED = 3;

/** The kinds of queries, with their titles. The last three use query syntax that only toolsift has. */
export const KINDS = {
  "3-words": "3 words",
  "12-words": "12 words",
  story: "story",
  typo: "typo",
  pattern: "pattern",
  select: "select",
  filter: "filter",
};
export const OWN_KINDS = ["pattern", "select", "filter"];

/**
 * Returns queries by kind. They are texts; for `select` they are lists of `[server, name]`, because a tool's name for the
 * model is known only after registration. `tools` are some tools of the catalog, as `{ server, tool }`.
 */
export function queriesFrom(tools) {
  const subjects = tools.map(({ server, tool }) => ({ server, name: tool.name, words: wordsOf(tool) }));
  const three = (random) => wordsFrom(any(subjects, random), 3, random).join(" ");
  const makers = {
    "3-words": three,
    "12-words": (random) => sentenceOf(wordsFrom(any(subjects, random), 8, random), 12, random),
    story: (random) => storyOf([any(subjects, random), any(subjects, random)], random),
    typo: (random) => mistyped(three(random), random),
    pattern: (random) => patternOf(any(subjects, random), random),
    select: (random) => Array.from({ length: SELECTED }, () => identityOf(any(subjects, random))),
    filter: (random) => `+${three(random)}`,
  };
  return Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, differentOf(kind, makers[kind])]));
}

const identityOf = ({ server, name }) => [server, name];
const any = (list, random) => list[Math.floor(random() * list.length)];

function differentOf(kind, make) {
  const random = randomFrom(`queries ${kind}`);
  const made = new Map();
  // A very small catalog has fewer different queries, so the attempts are limited.
  for (let tried = 0; made.size < QUERIES && tried < 100 * QUERIES; tried++) {
    const query = make(random);
    made.set(JSON.stringify(query), query);
  }
  return [...made.values()];
}

/** Returns the different words of a tool: first those of its name, then those of its texts. */
function wordsOf({ name, description, inputSchema }) {
  const words = (text) =>
    spaced(text)
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  const content = (list) => [...new Set(list)].filter((word) => !FUNCTION_WORDS.includes(word));
  const named = content(words(name));
  const texts = [description ?? "", ...deepTexts(inputSchema)].join(" ");
  return { name: named, all: content([...named, ...words(texts)]) };
}

/** Draws words for a query: one or two from the tool's name, then from its texts, then function words. */
function wordsFrom({ words }, count, random) {
  const chosen = words.name.slice(0, 2);
  while (chosen.length < Math.min(count, words.all.length)) {
    const word = any(words.all, random);
    if (!chosen.includes(word)) chosen.push(word);
  }
  while (chosen.length < count) chosen.push(any(FUNCTION_WORDS, random));
  return chosen.slice(0, count);
}

/** Returns a sentence of `count` words: the given words with function words between them. */
function sentenceOf(words, count, random) {
  const sentence = [...words];
  while (sentence.length < count) {
    sentence.splice(1 + Math.floor(random() * sentence.length), 0, any(FUNCTION_WORDS, random));
  }
  return sentence.join(" ");
}

function storyOf(subjects, random) {
  const word = () => {
    const { words } = any(subjects, random);
    return any(random() < STORY_FUNCTION_SHARE ? FUNCTION_WORDS : words.all, random);
  };
  return Array.from({ length: STORY_WORDS }, (_, at) => (at % 15 === 14 ? `${word()}.` : word())).join(" ");
}

/** Returns a regular expression as models write them: with alternatives, gaps, or only a prefix. */
function patternOf({ words }, random) {
  const [first, second = first] = words.name;
  const other = any(words.all, random);
  const gap = `/${first}.*${second}/`;
  const either = `/(${first}|${other}).*${second}/`;
  return any([gap, either, `/^${first}[_-]?\\w+/`, `/${other}s? .*${first}/`], random);
}
