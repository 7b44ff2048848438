/** Finds names that look like other names, or mix scripts so that they could. */

import { ToolSiftError } from "../base/errors.js";
import { kind } from "../base/values.js";
import { neutralised, withoutHidden } from "./hidden.js";
import { LATIN_LIKE, mixedWord } from "./mixed-scripts.js";

/** A name that can be taken for another one. */
export interface LookAlike {
  name: string;
  /** The name of the catalog that it looks like. Missing where it only mixes scripts. */
  like?: string;
  reason: string;
}

/** Letters of other scripts that look like a Latin letter. Compatibility forms (fullwidth, mathematical) need no entry. */
const CONFUSABLES = new Map(
  [
    ["аαɑ", "a"],
    ["АΑ", "A"],
    ["ВΒ", "B"],
    ["сϲ", "c"],
    ["СϹ", "C"],
    ["ԁ", "d"],
    ["еҽ", "e"],
    ["ЕΕ", "E"],
    ["ɡց", "g"],
    ["һհ", "h"],
    ["НΗ", "H"],
    ["іιı", "i"],
    ["ІΙӀI1|", "l"],
    ["ј", "j"],
    ["Ј", "J"],
    ["κ", "k"],
    ["КΚ", "K"],
    ["МΜ", "M"],
    ["ոռ", "n"],
    ["Ν", "N"],
    ["оοօО0OΟ", "o"],
    ["рρ", "p"],
    ["РΡ", "P"],
    ["ԛ", "q"],
    ["ѕ", "s"],
    ["Ѕ", "S"],
    ["тτ", "t"],
    ["ТΤ", "T"],
    ["սυ", "u"],
    ["νѵ", "v"],
    ["ԝ", "w"],
    ["хχ", "x"],
    ["ХΧ", "X"],
    ["уγ", "y"],
    ["УΥҮ", "Y"],
    ["Ζ", "Z"],
  ].flatMap(([others, letter]) => [...others!].map((other) => [other, letter!] as const)),
);

/** A digit that a reader takes for a letter stands beside a letter: `paypa1`, but not `list_1` or `v10`. */
const BESIDE_LETTER = /(?<=\p{L})[01]+(?![0-9])|(?<![0-9])[01]+(?=\p{L})/gu;

/** As many as several catalogs may hold. */
const MOST_NAMES = 1_000_000;

/** Names longer than this are compared by their beginning. */
const COMPARED = 1000;

/**
 * The names that look like another of the names, and those that mix scripts within a word: also names that differ only in
 * case, or in what stands around their letters. Of two names that look alike, the one with the stranger letters is reported.
 */
export function lookAlikes(names: Iterable<string>): LookAlike[] {
  const unique = [...namesIn(names)];
  const groups = new Map<string, string[]>();
  for (const name of unique) {
    const key = skeleton(name);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const found = new Map<string, LookAlike>();
  for (const group of groups.values()) {
    const [plain, ...others] = [...group].sort((a, b) => strangeness(a) - strangeness(b));
    for (const name of others) {
      const reason = looksLike(name, plain!);
      found.set(name, { name, like: plain!, reason });
    }
  }
  return unique.flatMap((name) => {
    const alike = found.get(name);
    if (alike !== undefined) return [alike];
    const word = mixedWord(name);
    if (word === undefined) return [];
    return [{ name, reason: `"${shown(word)}" mixes Latin letters with letters that look like them` }];
  });
}

/** The names without those that come twice. */
function namesIn(names: Iterable<string>): Set<string> {
  const unique = new Set<string>();
  let count = 0;
  for (const name of names) {
    if (typeof name !== "string") throw new ToolSiftError("option_invalid", `a name is ${kind(name)}; it must be a string`);
    if (++count > MOST_NAMES)
      throw new ToolSiftError("option_invalid", `there are more than ${MOST_NAMES} names, the limit`);
    unique.add(name);
  }
  return unique;
}

/** Letters of Cyrillic and Armenian. Greek ones stand in ordinary words of texts, such as NFκB. */
const DISGUISES = /[\u0400-\u058f]/;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;

/**
 * The first word of a text that reads as a Latin one and has Cyrillic letters before its end, with these letters named.
 * Endings that Russian gives to foreign words are ordinary.
 */
export function disguisedWord(text: string): string | undefined {
  if (!DISGUISES.test(text)) return undefined;
  for (const [word] of text.matchAll(WORDS)) {
    const first = word.search(DISGUISES);
    if (first < 0 || !LATIN.test(word.slice(first))) continue;
    const letters = word.slice(0, COMPARED);
    if (!LATIN_LIKE.test(skeleton(letters))) return shown(letters);
  }
  return undefined;
}

/** How one name looks like another, in words. */
export const looksLike = (name: string, like: string): string => `"${shown(name)}" looks like "${shown(like)}"`;

/** Names of these letters alone look like no other such name. */
const UNLIKE = /^[a-zA-HJ-NP-Z2-9_.\-/]*$/;

/** What stands around the letters and digits of a name. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * What a name looks like: names that look alike have the same skeleton. Case is ignored, because a capital *I* looks like an *l*.
 * Characters before the first letter or digit and after the last one are ignored too.
 */
export function skeleton(name: string): string {
  const plain = latin(name).toLowerCase().replaceAll("i", "l");
  return plain.replace(EDGES, "") || plain;
}

/** A name with each letter as the Latin one that it looks like. */
function latin(name: string): string {
  if (name.length <= COMPARED && UNLIKE.test(name)) return name;
  const plain = withoutHidden(name.slice(0, COMPARED)).normalize("NFKC");
  const digits = plain.replace(BESIDE_LETTER, (run) => run.replaceAll("0", "o").replaceAll("1", "l"));
  return [...digits].map((char) => (char === "0" || char === "1" ? char : (CONFUSABLES.get(char) ?? char))).join("");
}

/** How many characters are not plain ASCII, then how many are digits, capitals or at its edges: the plainest is the original. */
function strangeness(name: string): number {
  const foreign = name.replace(/[\0-\x7f]+/g, "").length;
  const edges = name.length - name.replace(EDGES, "").length;
  return foreign * COMPARED + name.replace(/[^0-9A-Z|]+/g, "").length + edges;
}

const shown = (name: string): string => {
  const points = [...neutralised(name.slice(0, 100))];
  // A letter that looks like a Latin one is named, since a reader could not tell it.
  return points.map((char) => (LATIN_LIKE.test(char) ? `${char} (U+${hex(char)})` : char)).join("");
};

const hex = (char: string): string => char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
