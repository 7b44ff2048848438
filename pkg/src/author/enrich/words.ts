/** Texts as words, for comparisons: lower case, without signs, and camelCase as several words. */

/** Scripts that put no spaces between words. Each of their letters stands by itself. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const PARTS = new RegExp(`[${UNSPACED}]|[^${UNSPACED}]+`, "gu");
const LETTER = new RegExp(`^[${UNSPACED}]$`, "u");

/** Two letters of a script without spaces count as one word. */
const LETTER_WEIGHT = 0.5;

/** The words of a text. */
export function wordsOf(text: string): string[] {
  const words = text
    .normalize("NFKC")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(WORD);
  return (words ?? []).flatMap((word) => word.match(PARTS)!);
}

/** Words as one text, in which runs of words are found as parts. */
export const joined = (words: readonly string[]): string => ` ${words.join(" ")} `;

/** Whether a run of at least so many of the words stands in a joined text. */
export function sharesRun(words: readonly string[], text: string, least: number): boolean {
  return words.some((_, from) => {
    let weight = 0;
    for (let to = from; to < words.length; to++) {
      weight += LETTER.test(words[to]!) ? LETTER_WEIGHT : 1;
      if (weight >= least) return text.includes(joined(words.slice(from, to + 1)));
    }
    return false;
  });
}
