/** Decides which of the model's texts are kept. */

import { ordersIn } from "../../trust/orders.js";
import { hiddenIn } from "../../trust/hidden.js";
import { mixedWord } from "../../trust/names.js";
import { isList } from "../../base/values.js";
import type { Subject } from "./subjects.js";

/** The maximum length of a query. In 726 tools enriched by a model, no query has more than 69 characters. */
export const QUERY_CHARS = 160;
/** The maximum length of a keyword, which is a word or a short phrase. */
export const KEYWORD_CHARS = 60;
/** The number of words in a row from which a text counts as copied from the definition. */
const COPIED_WORDS = 8;
/** The number of queries from which a second request is not worth its cost. */
const ENOUGH_QUERIES = 3;
/** The maximum number of texts of one kind that are read. A model that writes more does not follow the task. */
const MOST_READ = 100;
const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\.|\b[a-z0-9-]+\.[a-z]{2,}\/\S/i;
/**
 * Matches orders to a model in search words. The check is stricter than for definitions: definitions use such phrases about
 * themselves, but requests of people hardly do.
 */
const ORDER =
  /\b(?:always|never|must|first|instead)\b.*\b(?:call|choose|invoke|pick|prefer|select|use)\b|\b(?:call|choose|invoke|pick|prefer|select|use)\b.*\b(?:tools?|functions?)\b|\bas an? (?:ai|assistant|language model)\b/i;
/** Matches identifiers of programs, such as `list_alarms`, which people do not say. */
const IDENTIFIER = /[\p{L}\p{N}]_[\p{L}\p{N}]/u;
const MARKUP = /<\/?[a-z!][^>]*>/i;

/** The number of texts that are requested for a tool, in one language. */
export interface Wanted {
  queries: number;
  keywords: number;
}

/** The texts that are kept. */
export interface Texts {
  queries: string[];
  keywords: string[];
}

/** The model's texts for a tool, unchecked. */
export interface Offer {
  queries: unknown;
  keywords: unknown;
}

/** Keeps the texts of one tool in one language. */
export class Keeper {
  readonly texts: Texts = { queries: [], keywords: [] };
  readonly #wanted: Wanted;
  /** All words of the definition. */
  readonly #definition: string;
  readonly #seen = new Set<string>();

  constructor(subject: Subject, wanted: Wanted) {
    const { name, title, description, parameters } = subject;
    const texts = [name, title ?? "", description, ...parameters.flatMap((one) => [one.name, one.description])];
    // A `|` separates two texts, so that no run of words continues from one to the next.
    this.#definition = texts.map((text) => joined(wordsOf(text))).join("|");
    this.#wanted = wanted;
  }

  /** Keeps the valid texts. @returns the problems of the others, for people and for the model */
  take({ queries, keywords }: Offer): string[] {
    const problems = new Set<string>();
    this.#keep("queries", queries, QUERY_CHARS, problems);
    this.#keep("keywords", keywords, KEYWORD_CHARS, problems);
    return [...problems];
  }

  /** True if there are enough queries, so that no second request is needed. */
  get isEnough(): boolean {
    return this.texts.queries.length >= Math.min(ENOUGH_QUERIES, this.#wanted.queries / 2);
  }

  get isEmpty(): boolean {
    return this.texts.queries.length + this.texts.keywords.length === 0;
  }

  #keep(what: "queries" | "keywords", given: unknown, most: number, problems: Set<string>): void {
    const kept = this.texts[what];
    if (!isList(given)) return void problems.add(`${what} is no list of texts`);
    for (const one of given.slice(0, MOST_READ)) {
      if (kept.length === this.#wanted[what]) return;
      if (typeof one !== "string") {
        problems.add(`${what} holds what is no text`);
        continue;
      }
      // Cut before it is processed. Normalizing can shorten a text, so more than `most` characters are kept here.
      const text = one
        .slice(0, 4 * most)
        .normalize("NFC")
        .replace(/\s+/g, " ")
        .trim();
      const words = wordsOf(text);
      const key = `${what}${joined(words)}`;
      if (words.length === 0 || this.#seen.has(key)) continue;
      // The search finds words of the definition anyway.
      if (what === "keywords" && this.#definition.includes(joined(words))) continue;
      const problem = this.#problemOf(text, words, most);
      if (problem !== undefined) problems.add(`${what}: ${problem}`);
      else {
        this.#seen.add(key);
        kept.push(text);
      }
    }
    if (kept.length === 0 && what === "queries") problems.add("there are no queries");
  }

  #problemOf(text: string, words: readonly string[], most: number): string | undefined {
    if ([...text].length > most) return `a text is longer than ${most} characters`;
    if (hiddenIn(text).length > 0) return "a text holds control or invisible characters";
    if (mixedWord(text) !== undefined) return "a word mixes scripts that look alike";
    if (ADDRESS.test(text)) return "a text holds a URL";
    if (IDENTIFIER.test(text)) return "a text names a tool";
    if (MARKUP.test(text)) return "a text holds markup";
    if (ordersIn(text).length > 0 || ORDER.test(text)) return "a text gives orders to a model";
    if (sharesRun(words, this.#definition, COPIED_WORDS)) return "a text copies the definition";
    return undefined;
  }
}

/** Scripts without spaces between words. Each of their letters counts separately. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const PARTS = new RegExp(`[${UNSPACED}]|[^${UNSPACED}]+`, "gu");
const LETTER = new RegExp(`^[${UNSPACED}]$`, "u");

/** Two letters of a script without spaces count as one word. */
const LETTER_WEIGHT = 0.5;

function wordsOf(text: string): string[] {
  const words = text
    .normalize("NFKC")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(WORD);
  return (words ?? []).flatMap((word) => word.match(PARTS)!);
}

/** Returns words as one text, in which a run of words is a substring. */
const joined = (words: readonly string[]): string => ` ${words.join(" ")} `;

/** Checks if a run of at least `least` words occurs in a joined text. */
function sharesRun(words: readonly string[], text: string, least: number): boolean {
  return words.some((_, from) => {
    let weight = 0;
    for (let to = from; to < words.length; to++) {
      weight += LETTER.test(words[to]!) ? LETTER_WEIGHT : 1;
      if (weight >= least) return text.includes(joined(words.slice(from, to + 1)));
    }
    return false;
  });
}
