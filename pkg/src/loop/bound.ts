/** Bounds what the model reads of one answer. A longer answer is cut, and the model is told how to get the rest. */

import { whole } from "../checks.js";

/** About 25,000 tokens: they fit into every current context window beside a conversation. */
const ANSWER_CHARS = 100_000;
/** A lower bound would leave room for little more than the text that says how much was cut. */
const LEAST = 500;
/** The longest text that some engines can hold. */
const MOST = 2 ** 29;

/** Options of everything that lets the model read answers of tools. */
export interface AnswerOptions {
  /**
   * Characters that the model reads of one tool's answer. A longer answer is cut, and its end tells the model how much there
   * is and to ask for less at once; the host keeps the whole answer. Default 100,000; `false` for no bound.
   */
  maxAnswerChars?: number | false | undefined;
}

/** The bound in force. */
export function answerBound({ maxAnswerChars = ANSWER_CHARS }: AnswerOptions): number {
  return maxAnswerChars === false ? Infinity : whole("maxAnswerChars", maxAnswerChars, LEAST, MOST);
}

/** The text, or its beginning and a note on how much was cut; never more than `most` characters. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = (kept: number) =>
    `\n\n[Cut: these are the first ${kept} of ${text.length} characters. ` +
    "To read the rest, call the tool again for less at once: with a filter, a page, a range, or fewer fields.]";
  const room = most - note(most).length;
  // A character must not be cut in two.
  const kept = /[\uD800-\uDBFF]/.test(text.charAt(room - 1)) ? room - 1 : room;
  return `${text.slice(0, kept)}${note(kept)}`;
}
