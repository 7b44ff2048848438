/** Counts tokens as everywhere in toolsift: characters / 4. */

import type { Wanted } from "./accept.js";

/** What an answer takes for a tool: its name and JSON, and each text. 726 tools have 42 characters a query, 10 a keyword. */
const TOOL = 16;
const QUERY = 12;
const KEYWORD = 4;
/** So many times what an answer takes is more than any answer needs, in any script. */
const ROOM = 4;

export const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** The expected tokens of the answer for some tools. */
export function answerTokens(tools: number, { queries, keywords }: Wanted): number {
  return tools * (TOOL + queries * QUERY + keywords * KEYWORD);
}

/** A bound that no useful answer reaches. */
export const mostTokens = (tools: number, wanted: Wanted): number => 256 + ROOM * answerTokens(tools, wanted);
