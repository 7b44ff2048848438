/** Names by how they are read: which ones a person or a model could take for others. */

import { neutralised, readable, withoutHidden } from "./hidden.js";

/** A tool by its server and the name that it has there. */
export interface Tool {
  server: string;
  name: string;
}

/** A name that can be taken for another one. */
export interface LookAlike {
  name: string;
  /** The name that it looks like. Missing where it only mixes scripts. */
  like?: string;
  reason: string;
}

/** A Latin letter, and behind it those that look like it. Compatibility forms (fullwidth, mathematical) need no entry. */
const CONFUSABLE =
  "aаαɑ AАΑ BВΒ cсϲ CСϹ dԁ eеҽ EЕΕ gɡց hһհ HНΗ iіιı lІΙӀI1| jј JЈ kκ KКΚ MМΜ nոռ NΝ oоοօО0OΟ pрρ PРΡ qԛ sѕ SЅ tтτ TТΤ uսυ " +
  "vνѵ wԝ xхχ XХΧ yуγ YУΥҮ ZΖ";
const CONFUSABLES = new Map(
  CONFUSABLE.split(" ").flatMap(([letter, ...others]) => others.map((other) => [other, letter!] as const)),
);

/** Scripts whose letters look like Latin ones. Words of Han, Kana or Hangul with Latin letters are ordinary. */
const LATIN_LIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;
const LATIN = /\p{Script=Latin}/u;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Letters of Cyrillic and Armenian. Greek ones stand in ordinary words of texts, such as NFκB. */
const DISGUISES = /[\u0400-\u058f]/;
/** A digit that a reader takes for a letter stands beside a letter: `paypa1`, but not `list_1` or `v10`. */
const BESIDE_LETTER = /(?<=\p{L})[01]+(?![0-9])|(?<![0-9])[01]+(?=\p{L})/gu;
/** Names of these letters alone look like no other such name. */
const UNLIKE = /^[a-zA-HJ-NP-Z2-9_.\-/]*$/;
/** What stands around the letters and digits of a name. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** Names longer than this are compared by their beginning, and words are looked for in it. */
const COMPARED = 1000;
/** Spellings that are known: as many as there may be pins. */
const MOST_SPELLINGS = 200_000;

/**
 * The names that look like another of the names, and those that mix scripts within a word: also names that differ only in
 * case, or in what stands around their letters. Of two names that look alike, the one with the stranger letters is reported.
 */
export function lookAlikes(names: Iterable<string>): LookAlike[] {
  const unique = [...new Set(names)];
  const groups = new Map<string, string[]>();
  for (const name of unique) {
    const key = skeleton(name);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const like = new Map<string, string>();
  for (const group of groups.values()) {
    const [plain, ...others] = group.sort((a, b) => strangeness(a) - strangeness(b));
    for (const name of others) like.set(name, plain!);
  }
  return unique.flatMap((name): LookAlike[] => {
    const other = like.get(name);
    if (other !== undefined) return [{ name, like: other, reason: looksLike(name, other) }];
    const word = mixedWord(name);
    return word === undefined ? [] : [{ name, reason: mixes(shown(word)) }];
  });
}

/** The first word of a name or a short text that has letters of Latin and of a script that looks like Latin. */
export function mixedWord(text: string): string | undefined {
  const words = text.slice(0, COMPARED).match(WORDS);
  return words?.find((word) => LATIN.test(word) && LATIN_LIKE.test(word));
}

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

/** That a word mixes scripts. */
export const mixes = (word: string): string => `"${word}" mixes Latin letters with letters that look like them`;

const looksLike = (name: string, like: string): string => `"${shown(name)}" looks like "${shown(like)}"`;

/** A name by its letters and digits: models write the same name with and without capitals, dots, dashes and underscores. */
export const spelling = (name: string): string => skeleton(name).replace(/[^\p{L}\p{N}]+/gu, "") || name;

/** Tools by the spellings of their names, alone and behind their server's: the first one, and the first one of another server. */
export class Names {
  readonly #alike = new Map<string, Tool[]>();

  constructor(tools: Iterable<Tool> = []) {
    for (const tool of tools) this.add(tool);
  }

  /** The known name of the same server that a new one could be taken for. */
  like({ server, name }: Tool): string | undefined {
    return this.#read({ server, name }).find((known) => known.server === server && known.name !== name)?.name;
  }

  /** How a tool looks like one of another server that was known before it; undefined where its name is that one's. */
  likeAnother(tool: Tool): string | undefined {
    const known = this.#read(tool).find(({ server, name }) => name === tool.name || server !== tool.server);
    if (known === undefined || known.name === tool.name) return undefined;
    return `${looksLike(tool.name, known.name)} of the server "${readable(known.server)}"`;
  }

  /** Names beyond the bound are compared, and not kept. */
  add({ server, name }: Tool): void {
    for (const key of seenAs({ server, name })) {
      const alike = this.#alike.get(key);
      if (alike === undefined && this.#alike.size < MOST_SPELLINGS) this.#alike.set(key, [{ server, name }]);
      if (alike?.length === 1 && alike[0]!.server !== server) alike.push({ server, name });
    }
  }

  forget(server: string): void {
    for (const [key, alike] of this.#alike) {
      const left = alike.filter((tool) => tool.server !== server);
      if (left.length === 0) this.#alike.delete(key);
      else this.#alike.set(key, left);
    }
  }

  #read(tool: Tool): Tool[] {
    return seenAs(tool).flatMap((key) => this.#alike.get(key) ?? []);
  }
}

/** A tool is seen by its own name, or with its server's in front where another server has that name. */
const seenAs = ({ server, name }: Tool): string[] => [spelling(name), spelling(`${server}__${name}`)];

/**
 * What a name looks like: names that look alike have the same skeleton. Case is ignored, because a capital *I* looks like an *l*.
 * Characters before the first letter or digit and after the last one are ignored too.
 */
function skeleton(name: string): string {
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

/** A name in a message. A letter that looks like a Latin one is named, since a reader could not tell it. */
const shown = (name: string): string =>
  [...neutralised(name.slice(0, 100))].map((char) => (LATIN_LIKE.test(char) ? `${char} (U+${hex(char)})` : char)).join("");

const hex = (char: string): string => char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
