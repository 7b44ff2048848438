/**
 * Search by meaning, with an embedding model beside the words: `node search.mjs "is it raining in Lisbon?"`.
 *
 * toolsift matches words. The hook `rank.scores` adds scores of yours, from 0 to 1, to every search of the model. Here they
 * are similarities of vectors. The words alone decide how confident toolsift is and which tools it loads, so a poor model
 * does little harm: a tool that only its vector speaks for is listed, and the model loads it with `add_tool`.
 */

import { ToolSift } from "toolsift";

/** Texts of one request: most vendors have such a limit. */
const BATCH = 64;

/**
 * Returns one vector for each text. **Your model goes here**: a pipeline of Transformers.js in this process, or a request to
 * `/v1/embeddings` of a vendor. This stand-in counts topics, and is the same on every machine.
 *
 * @param {readonly string[]} texts
 * @param {AbortSignal} signal ends with the run, or when `rankTimeoutMs` is over
 * @returns {Promise<number[][]>}
 */
async function embed(texts, signal) {
  signal.throwIfAborted();
  const topics = [/rain|forecast|precipitation|umbrella/gi, /mail|letter/gi, /event|calendar|meeting/gi, /ticket|bug/gi];
  return texts.map((text) => [...topics.map((words) => text.match(words)?.length ?? 0), 0.1]);
}

/**
 * The vectors of tools by their texts, so that each text is embedded once. Keep them in a file or a database to keep them
 * over a restart. Vectors of another model are of no use: note its name and version beside them.
 */
const vectors = new Map();

const unit = (vector) => vector.map((one) => one / Math.hypot(...vector));
/** Of vectors of length 1. */
const cosine = (a, b) => a.reduce((sum, one, at) => sum + one * b[at], 0);

/** What the model reads of a tool. */
const textOf = ({ server, originalName, title, description }) =>
  [server, originalName.replace(/[_-]+/g, " "), title, description].filter(Boolean).join("\n");

/** @type {import("toolsift").FusedRanker} */
export const rank = {
  async scores(query, session, { signal }) {
    // Read before anything is awaited: the session may be closed meanwhile. A hidden tool is outside of the session's scope.
    const found = session.tools().filter(({ state }) => state !== "hidden");
    const tools = found.map((tool) => ({ name: tool.name, text: textOf(tool) }));
    const missing = [...new Set(tools.map(({ text }) => text))].filter((text) => !vectors.has(text));
    for (let at = 0; at < missing.length; at += BATCH) {
      const batch = missing.slice(at, at + BATCH);
      for (const [place, vector] of (await embed(batch, signal)).entries()) vectors.set(batch[place], unit(vector));
    }
    const [asked] = await embed([query], signal);
    const similarities = tools.map(({ text }) => cosine(vectors.get(text), unit(asked)));
    // Every query is close to some tool. The average tool gets 0 and the closest one 1, whatever the scale of the model.
    const mean = similarities.reduce((sum, one) => sum + one, 0) / tools.length;
    const range = Math.max(...similarities) - mean;
    const scores = tools.map(({ name }, at) => [name, (similarities[at] - mean) / range]);
    return range > 1e-9 ? Object.fromEntries(scores.filter(([, score]) => score > 0)) : {};
  },
};

const tool = (name, description) => ({ name, description });
const sift = new ToolSift({ activation: "on" });
sift.register([tool("get_forecast", "Returns wind and precipitation."), tool("get_air", "Returns dust.")], {
  server: "weather",
});
sift.register([tool("send_mail", "Sends a mail."), tool("create_event", "Creates an event.")], { server: "office" });

const session = sift.session("chat-42");
const query = process.argv[2] ?? "is it raining in Lisbon?";
// If the model fails or takes too long, the search is answered by words alone, and this says so.
const onProblem = (message) => console.error(`searched by words alone: ${message}`);
const outcome = await session.callAsync("search_tools", { query }, { rank, rankTimeoutMs: 3_000, onProblem });
console.log(outcome.kind === "result" ? outcome.content : outcome);
