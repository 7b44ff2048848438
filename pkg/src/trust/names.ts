/** Compares names as a reader sees them: finds names that a person or a model could confuse with others. */

import { neutralised, readable, withoutHidden } from "./hidden.js";

/** A tool's server, and its name at that server. */
export interface Tool {
  server: string;
  name: string;
}

/** A name that can be confused with another one. */
export interface LookAlike {
  name: string;
  /** The name that it looks like. */
  like: string;
  reason: string;
}

/** Each word is a Latin letter, then its look-alikes. Compatibility forms (fullwidth, mathematical) need no entry. */
const CONFUSABLE =
  "aаαɑ AАΑ BВΒ cсϲ CСϹ dԁ eеҽ EЕΕ gɡց hһհ HНΗ iіιı lІΙӀI1| jј JЈ kκ KКΚ MМΜ nոռ NΝ oоοօО0OΟ pрρ PРΡ qԛ sѕ SЅ tтτ TТΤ uսυ " +
  "vνѵ wԝ xхχ XХΧ yуγ YУΥҮ ZΖ";
const CONFUSABLES = new Map(
  CONFUSABLE.split(" ").flatMap(([letter, ...others]) => others.map((other) => [other, letter!] as const)),
);

/** The scripts with letters that look like Latin ones. Words of Han, Kana or Hangul with Latin letters are ordinary. */
const LATIN_LIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;
const LATIN = /\p{Script=Latin}/u;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Cyrillic and Armenian letters. Greek letters occur in ordinary words of texts, such as NFκB. */
const DISGUISES = /[\u0400-\u058f]/;
/** A digit that a reader takes for a letter is next to a letter: `paypa1`, but not `list_1` or `v10`. */
const BESIDE_LETTER = /(?<=\p{L})[01]+(?![0-9])|(?<![0-9])[01]+(?=\p{L})/gu;
/** Names that have only these characters look like no other such name. */
const UNLIKE = /^[a-zA-HJ-NP-Z2-9_.\-/]*$/;
/** Matches the characters before and after the letters and digits of a name. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** The maximum length that is compared of a name, and searched for words, in characters. */
const COMPARED = 1000;
/** The maximum number of stored spellings: as many as there may be pins. */
const MOST_SPELLINGS = 200_000;

/**
 * Returns the names that look like another of the names. Names that differ only in case, or in characters around their
 * letters, look alike. Of two names that look alike, the one with stranger letters is returned.
 */
export function lookAlikes(names: Iterable<string>): LookAlike[] {
  const groups = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const key = skeleton(name);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()].flatMap((group) => {
    const [like = "", ...others] = group.sort((a, b) => strangeness(a) - strangeness(b));
    return others.map((name) => ({ name, like, reason: looksLike(name, like) }));
  });
}

/** Returns the first word of a text that has both Latin letters and letters of a script that looks like Latin. */
export function mixedWord(text: string): string | undefined {
  const words = text.slice(0, COMPARED).match(WORDS);
  return words?.find((word) => LATIN.test(word) && LATIN_LIKE.test(word));
}

/**
 * Returns the first word of a text that looks like a Latin word and has Cyrillic letters before its end; the result names
 * these letters. Russian endings of foreign words are ordinary.
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

/** Returns the message for a word that mixes scripts. */
export const mixes = (word: string): string => `"${word}" mixes Latin letters with letters that look like them`;

const looksLike = (name: string, like: string): string => `"${shown(name)}" looks like "${shown(like)}"`;

/** Returns a name's letters and digits only, because models vary capitals, dots, dashes and underscores in names. */
export const spelling = (name: string): string => skeleton(name).replace(/[^\p{L}\p{N}]+/gu, "") || name;

/** The known tools by the spellings of their names, with and without their servers: at most two, of different servers. */
export class Names {
  readonly #alike = new Map<string, Tool[]>();

  constructor(tools: Iterable<Tool> = []) {
    for (const tool of tools) this.add(tool);
  }

  /** Returns the known name of the same server that a new name could be confused with. */
  like({ server, name }: Tool): string | undefined {
    return this.#read({ server, name }).find((known) => known.server === server && known.name !== name)?.name;
  }

  /** Returns the reason why a tool's name looks like another known name of another server; undefined if it does not. */
  likeAnother(tool: Tool): string | undefined {
    const known = this.#read(tool).find(({ server, name }) => name === tool.name || server !== tool.server);
    if (known === undefined || known.name === tool.name) return undefined;
    return `${looksLike(tool.name, known.name)} of the server "${readable(known.server)}"`;
  }

  /** Adds a name. Names above the maximum are compared, but not stored. */
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

/** Returns the spellings under which clients may see a tool: its name alone, and after its server's name. */
const seenAs = ({ server, name }: Tool): string[] => [spelling(name), spelling(`${server}__${name}`)];

/**
 * Converts a name so that names that look alike become equal. Case is ignored, because a capital *I* looks like an *l*.
 * Characters before the first letter or digit and after the last one are ignored too.
 */
function skeleton(name: string): string {
  const plain = latin(name).toLowerCase().replaceAll("i", "l");
  return plain.replace(EDGES, "") || plain;
}

/** Replaces each letter of a name by the Latin letter that it looks like. */
function latin(name: string): string {
  if (name.length <= COMPARED && UNLIKE.test(name)) return name;
  const plain = withoutHidden(name.slice(0, COMPARED)).normalize("NFKC");
  const digits = plain.replace(BESIDE_LETTER, (run) => run.replaceAll("0", "o").replaceAll("1", "l"));
  return [...digits].map((char) => (char === "0" || char === "1" ? char : (CONFUSABLES.get(char) ?? char))).join("");
}

/** Rates how unusual a name is: non-ASCII characters, then digits, capitals and edges. The plainest name is the original. */
function strangeness(name: string): number {
  const foreign = name.replace(/[\0-\x7f]+/g, "").length;
  const edges = name.length - name.replace(EDGES, "").length;
  return foreign * COMPARED + name.replace(/[^0-9A-Z|]+/g, "").length + edges;
}

/** Returns a name for a message. Letters that look like Latin ones get their code, because a reader cannot see it. */
const shown = (name: string): string =>
  [...neutralised(name.slice(0, 100))].map((char) => (LATIN_LIKE.test(char) ? `${char} (U+${hex(char)})` : char)).join("");

const hex = (char: string): string => char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
