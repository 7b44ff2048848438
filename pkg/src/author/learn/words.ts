/**
 * Reads the words and short phrases of a query that may be kept: what people ask for, without what they ask it of. Numbers,
 * addresses, ids, paths, quoted texts, placeholders, names and whatever looks like a secret are passed over, and so is a
 * word next to which they would be recognised as a phrase.
 */

import { stems } from "./stem.js";
import { isStopWord } from "./stop-words.js";

/** What is read of a query: a longer one is a text, in which a word says little. */
const CHARS = 1_000;
/** Words and phrases of one search. */
const TERMS = 48;
/** Letters of a word. What is longer is an id, or words written together. */
const LONGEST = 24;
const SHORTEST = 3;
/** Words of scripts that are written without blanks are shorter. */
const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** What is cut out before sentences are read. Each stands for a break, so that no phrase spans it. */
const HIDDEN = [
  // What follows such a word is a value, often a secret, whatever it looks like.
  /\b(?:pass(?:word|phrase|code)?|pwd|passwort|secret|token|credentials?|key|pin|bearer|authorization)\b\s*(?:(?:is|was|are|=|:)[^\n.!?]*|\S+)/giu,
  /\b(?:called|named|titled|labell?ed|name is|name's|call me|i am|i'm)\s+\S+/giu,
  // Texts in quotes, also where the second one is missing, and what stands in brackets as a placeholder or as data.
  /(["`])[^"`]*(?:\1|$)/gu,
  /[“”„«»][^“”„«»]*(?:[“”«»]|$)/gu,
  /(?<![\p{L}\p{M}\p{N}])['‘’][^'‘’]*(?:['‘’](?![\p{L}\p{M}])|$)/gu,
  /<[^>]*(?:>|$)|\{[^}]*(?:\}|$)|\[[^\]]*(?:\]|$)/gu,
];

/** The words and phrases of a query by what their forms have in common, each as it was written first. */
export function termsOf(query: string, capitalised: boolean): Map<string, string> {
  let text = query.slice(0, CHARS).normalize("NFC");
  for (const hidden of HIDDEN) text = text.replace(hidden, "\n");
  const terms = new Map<string, string>();
  const add = (term: string) => {
    const key = stems(term);
    if (terms.size < TERMS && !terms.has(key)) terms.set(key, term);
  };
  for (const sentence of text.split(/[.!?;:,()|…。！？、，]+(?=\s|$|[^\x00-\x7f])|\n/u)) {
    for (const run of runsOf(sentence, capitalised)) {
      run.forEach((word, at) => {
        add(word);
        if (at > 0) add(`${run[at - 1]} ${word}`);
      });
    }
  }
  return terms;
}

/** The words of a sentence that may be kept; those that stand side by side together. */
function runsOf(sentence: string, capitalised: boolean): string[][] {
  const runs: string[][] = [[]];
  const chunks = sentence.split(/\s+/u).filter((chunk) => chunk !== "");
  chunks.forEach((chunk, place) => {
    const written = wordOf(chunk, place === 0 || capitalised);
    const words = written === undefined ? [undefined] : split(written);
    for (const word of words) {
      if (word === undefined || isStopWord(word) || word.length < (DENSE.test(word) ? 1 : SHORTEST)) runs.push([]);
      else runs.at(-1)!.push(word);
    }
  });
  return runs.filter((run) => run.length > 0);
}

/** The word of a chunk between two blanks in small letters; undefined where it holds anything but a word. */
function wordOf(chunk: string, mayBeCapitalised: boolean): string | undefined {
  const bare = chunk.replace(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, "").replace(/['’]s$/u, "");
  // An address keeps its signs at the edges, too: `/etc`, `@ada`, `#general`, `--force`.
  if (/[@#/\\_=$%&*+~^]|--/u.test(chunk) || !/^[\p{L}\p{M}]+(?:-[\p{L}\p{M}]{3,12})?$/u.test(bare)) return undefined;
  // Keys of vendors begin with a few letters: `sk-`, `pk-`.
  if (/^.{1,2}-/u.test(bare)) return undefined;
  if (/^\p{Lu}\p{Ll}/u.test(bare) && !mayBeCapitalised) return undefined;
  // An acronym is a word; longer capitals, and capitals inside a word, are ids.
  if (/\p{Ll}\p{M}*\p{Lu}/u.test(bare) || /\p{Lu}{2}.*\p{Ll}/u.test(bare) || /\p{Lu}{7}/u.test(bare)) return undefined;
  const word = bare.toLowerCase();
  return word.length > LONGEST || isRandom(word) ? undefined : word;
}

/** Letters that nobody can say are no word. */
function isRandom(word: string): boolean {
  return /[bcdfghj-np-tv-xz]{6}|[aeiou]{5}|(.)\1\1/.test(word);
}

/** The parts of a word that is written without blanks or with a hyphen. */
function split(word: string): string[] {
  if (!DENSE.test(word)) return word.split("-");
  const { Segmenter } = Intl as { Segmenter?: typeof Intl.Segmenter };
  if (Segmenter === undefined) return [word];
  return [...new Segmenter(undefined, { granularity: "word" }).segment(word)].map(({ segment }) => segment);
}
