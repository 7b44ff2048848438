/** Counts tokens as characters / 4, as everywhere in toolsift. */

import type { Wanted } from "./accept.js";

/** Tokens in an answer: of a tool's name and JSON, a query and a keyword. In 726 tools these had 42 and 10 characters. */
const TOOL = 16;
const QUERY = 12;
const KEYWORD = 4;
/** The factor from the expected tokens to a limit that is high enough for any script. */
const ROOM = 4;

export const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** Returns the expected tokens of the answer for some tools. */
export function answerTokens(tools: number, { queries, keywords }: Wanted): number {
  return tools * (TOOL + queries * QUERY + keywords * KEYWORD);
}

/** Returns a token limit above every useful answer. */
export const mostTokens = (tools: number, wanted: Wanted): number => 256 + ROOM * answerTokens(tools, wanted);
