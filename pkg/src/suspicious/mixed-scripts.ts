/** Finds words that mix letters of Latin with letters of other scripts that look like them. */

/** Scripts whose letters look like Latin ones. Words of Han, Kana or Hangul with Latin letters are ordinary. */
export const LATIN_LIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;
const LATIN = /\p{Script=Latin}/u;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** A longer text is read up to here. */
const READ = 1000;

/** The first word of a name or a short text that has letters of Latin and of a script that looks like Latin. */
export function mixedWord(text: string): string | undefined {
  return text
    .slice(0, READ)
    .match(WORDS)
    ?.find((word) => LATIN.test(word) && LATIN_LIKE.test(word));
}
