/**
 * The script of the conversation: ten turns of a user that need new tools, earlier tools, several tools together, and a tool
 * that does not exist.
 */

import { sentenceOf } from "../simulate/line.mjs";

/**
 * The turns by kind. `needs` are indexes of the script's six needs, first in order and later again. The turn without needs
 * asks for something that no tool does.
 */
export const TURNS = [
  { kind: "new", needs: [0] },
  { kind: "new", needs: [1] },
  { kind: "again", needs: [0] },
  { kind: "several", needs: [2, 3] },
  { kind: "again", needs: [2] },
  { kind: "miss", needs: [] },
  { kind: "new", needs: [4] },
  { kind: "again", needs: [1] },
  { kind: "new", needs: [5] },
  { kind: "again", needs: [4] },
];

/** The query of the model in the turn for which no tool exists. */
export const MISS = "order tulips from a florist";

/** The script for the captured servers: six needs, each with the query of a model, and ten user requests. */
const WRITTEN = {
  needs: [
    { server: "filesystem", tool: "read_text_file", words: "read a text file" },
    { server: "github", tool: "create_issue", words: "open an issue in a repository" },
    { server: "slack", tool: "slack_list_channels", words: "list the channels of the workspace" },
    { server: "slack", tool: "slack_post_message", words: "post a message to a channel" },
    { server: "cloudflare", tool: "d1_query", words: "run a SQL query on a database" },
    { server: "memory", tool: "create_entities", words: "remember something as an entity in the knowledge graph" },
  ],
  requests: [
    "What do my notes say about the slow report? They are in notes/report.md.",
    "Open an issue for that in the repository of the shop, with what the notes say.",
    "There is a second file beside it, notes/report-2.md. Does it say the same?",
    "Find the channel of the shop's team and tell them about the issue.",
    "Is there a channel for the people on call, too?",
    "Then order a bunch of tulips for whoever finds the reason.",
    "Look into the database of the shop: how many orders came in last week?",
    "Open a second issue, for the missing index on the table of orders.",
    "Remember that the slow report and the missing index belong together.",
    "And how many orders were there in the week before that?",
  ],
};

/**
 * Returns the script for some tools, `{ name, originalName, server, description }`; `name` is the name for the model. The
 * written script is used if it is requested and all of its tools exist. Otherwise six tools, spread over the catalog, are
 * searched by their first sentence. Returns `{ written, turns }`; a turn is `{ user, kind, needs, miss }`, and a need is
 * `{ name, words, pattern }`.
 */
export function scriptFor(tools, { written }) {
  const own = written ? WRITTEN.needs.map(({ server, tool, words }) => need(find(tools, server, tool), words)) : [];
  const complete = written && own.every(Boolean);
  const needs = complete ? own : spread(tools).map((tool) => need(tool, wordsOf(tool)));
  const turns = TURNS.map(({ kind, needs: places }, at) => {
    const wanted = [...new Set(places.map((place) => needs[place % needs.length]))];
    const asked = wanted.length > 0 ? wanted.map(({ words }) => words).join(", and ") : MISS;
    const user = complete ? WRITTEN.requests[at] : `Please do this for me: ${asked}.`;
    return { user, kind, needs: wanted, ...(wanted.length === 0 && { miss: MISS }) };
  });
  return { written: complete, turns };
}

const find = (tools, server, name) => tools.find((tool) => tool.server === server && tool.originalName === name);

/** Returns a need for a tool: its name, and the queries by words and by pattern. */
const need = (tool, words) => tool && { name: tool.name, words, pattern: patternOf(tool.originalName) };

/** Returns the tools for the script, spread over the catalog. There may be fewer. */
function spread(tools) {
  const count = Math.min(WRITTEN.needs.length, tools.length);
  return Array.from({ length: count }, (_, at) => tools[Math.floor(((at + 0.5) * tools.length) / count)]);
}

/** The most words of a query. Agents write 3 to 15 words. */
const MOST_WORDS = 10;
/** The most characters of a query, for texts without spaces. */
const MOST_CHARACTERS = 80;

/** Returns the words of a tool's first sentence, or of its name if it has no description. */
function wordsOf({ originalName, description }) {
  const words = plain(sentenceOf(description)).slice(0, MOST_WORDS);
  const text = (words.length > 0 ? words : plain(originalName)).join(" ");
  return [...text].slice(0, MOST_CHARACTERS).join("") || originalName;
}

/** Returns only letters and digits: a minus, a plus or a slash would be query syntax. */
const plain = (text) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the pattern of a model that guesses well: the last two words of the name. */
const patternOf = (name) => plain(name).slice(-2).join(".*") || name;
