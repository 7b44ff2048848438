/** The instructions for the author of a pack's words. */

import { AMOUNTS } from "../rules.mjs";

/** The tools in one prompt. Similar tools are in the same prompt, so that the author can distinguish them. */
const BATCH = 50;

/** The number of texts that `enrich` requests from one author. */
export const WANTED = { queries: 8, keywords: AMOUNTS.keywords.most };

/**
 * What a model or a person needs who writes the words: what `npx toolsift enrich` asks a model, and the narrower rules of
 * packs.
 *
 * @param enrich of `toolsift/author`
 * @param previous entries of tools that have words
 */
export async function wordsPrompt(enrich, tools, previous, server) {
  const asked = [];
  const complete = ({ system, prompt, attempt }) => {
    if (attempt === 1) asked.push({ system, prompt });
    return '{"tools":[]}';
  };
  await enrich(tools, { complete, previous, server, ...WANTED, batch: BATCH, concurrency: 1 });
  const { queries, keywords } = AMOUNTS;
  return `${asked[0].system}

For a pack, a query has at most ${queries.chars} characters and ${queries.words} words, and a keyword at most ${keywords.chars} and ${keywords.words}. No two tools have
the same query. Read what you wrote against the other tools of the server before you answer. If the tools come in several
lists, answer each on a line of its own.

${asked.map(({ prompt }) => prompt).join("\n\n")}
`;
}
