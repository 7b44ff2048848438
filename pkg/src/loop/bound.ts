/** Limits the length of one tool's answer. A longer answer is cut, and the model is told how to get the rest. */

import { whole } from "../base/checks.js";

/** The default limit. About 25,000 tokens fit into every current context window in addition to a conversation. */
const ANSWER_CHARS = 100_000;
/** The lowest limit. Below it, there would be room for little more than the text about the cut. */
const MIN_CHARS = 500;
/** The highest limit: the longest text in some JavaScript engines. */
const MAX_CHARS = 2 ** 29;

/** Options of all functions that pass tools' answers to the model. */
export interface AnswerOptions {
  /**
   * The maximum number of characters of one tool's answer. A longer answer is cut; its end states the full length and asks
   * the model to request less. Your program gets the whole answer. Default 100,000; `false` for no limit. It does not apply
   * to skills: their texts and files have at most 20,000 characters.
   */
  maxAnswerChars?: number | false | undefined;
  /**
   * Lets the model read on in a cut answer. The session keeps the answer (at most 8 million characters per session; the
   * oldest answers go first), and the following requests offer the tool `read_cut_answer`. Default true.
   */
  readOn?: boolean | undefined;
}

/** Returns the limit in force. */
export function answerBound({ maxAnswerChars = ANSWER_CHARS }: AnswerOptions): number {
  return maxAnswerChars === false ? Infinity : whole("maxAnswerChars", maxAnswerChars, MIN_CHARS, MAX_CHARS);
}
