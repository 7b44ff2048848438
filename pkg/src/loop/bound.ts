/** Bounds what the model reads of one answer. A longer answer is cut, and the model is told how to get the rest. */

import { whole } from "../base/checks.js";

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
  /**
   * Whether the model can read on in an answer that was cut: the session keeps the answer in memory (8 million characters for
   * each session, the oldest answers go first), and the requests that follow offer the tool `read_cut_answer`. Default true.
   */
  readOn?: boolean | undefined;
}

/** The bound in force. */
export function answerBound({ maxAnswerChars = ANSWER_CHARS }: AnswerOptions): number {
  return maxAnswerChars === false ? Infinity : whole("maxAnswerChars", maxAnswerChars, LEAST, MOST);
}
