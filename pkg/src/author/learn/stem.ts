/**
 * What two forms of a word have in common: endings of the plural and of verbs in English are taken off. The ranker stems
 * better; here it only decides which words count as one, and which ones a definition has already.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  let left = word;
  if (/(?:s|x|z|ch|sh)es$/.test(left)) left = left.slice(0, -2);
  else if (/[^s]s$/.test(left)) left = left.slice(0, -1);
  if (left.length > 6 && left.endsWith("ing")) left = undoubled(left.slice(0, -3));
  else if (left.length > 5 && left.endsWith("ed")) left = undoubled(left.slice(0, -2));
  return left.length > 4 && left.endsWith("e") ? left.slice(0, -1) : left;
}

/** `planning` is of `plan`; `calling` is of `call`. */
const undoubled = (word: string): string => (/([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word);

/** A phrase, each word by its stem. */
export const stems = (text: string): string => text.split(" ").map(stem).join(" ");
