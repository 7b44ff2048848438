/**
 * A second opinion where the words are not sure: `node search.mjs "let my contacts know about the rain"`.
 *
 * Vendors serve decisions: a choice among options, with a probability for each. `rerank` asks for one only where the confidence
 * of a search is not high, since a decision costs a request and about 0.4 s. The options are the 20 best tools by words.
 */

import { ToolSift } from "toolsift";

/** Below this probability the model is asked to decide by itself. */
const SURE = 0.6;

/**
 * Returns a probability for each option, and for none of them as the last one. **Your vendor's call goes here**, with the
 * question and the options as they are. This stand-in counts the topics of both, and is the same on every machine.
 *
 * @param {string} question
 * @param {readonly string[]} options
 * @param {AbortSignal} signal ends with the run, or when `rankTimeoutMs` is over
 * @returns {Promise<number[]>}
 */
async function decide(question, options, signal) {
  signal.throwIfAborted();
  const topics = [/\b(tell|know|mail|letter)\b/i, /forecast|umbrella/i, /event|calendar|meet/i];
  const agree = (option) => topics.filter((topic) => topic.test(question) && topic.test(option)).length;
  const counts = [...options.map(agree), 0.25];
  const sum = counts.reduce((total, count) => total + count, 0);
  return counts.map((count) => count / sum);
}

/** @type {import("toolsift").FusedRanker} */
export const rank = {
  async rerank(query, tools, { signal }) {
    const options = tools.map(({ name, description }) => `${name}: ${description}`);
    const probabilities = await decide(`Which tool does what this asks for? ${query}`, options, signal);
    const best = probabilities.indexOf(Math.max(...probabilities));
    // Names are loaded, and no name says that nothing fits. Scores only change the order in which the model reads the tools.
    if (probabilities[best] >= SURE) return best < tools.length ? [tools[best].name] : [];
    return Object.fromEntries(tools.map(({ name }, at) => [name, probabilities[at]]));
  },
};

const tool = (name, description) => ({ name, description });
const sift = new ToolSift({ activation: "on" });
sift.register([tool("get_forecast", "Returns rain and wind."), tool("get_tides", "Returns when the water is low.")], {
  server: "weather",
});
sift.register([tool("send_mail", "Sends a letter to my contacts."), tool("create_event", "Creates an event.")], {
  server: "office",
});

const session = sift.session("chat-42");
const query = process.argv[2] ?? "let my contacts know about the rain";
// If the decision fails or takes too long, the search is answered by words alone, and this says so.
const onProblem = (message) => console.error(`searched by words alone: ${message}`);
const outcome = await session.callAsync("search_tools", { query }, { rank, rankTimeoutMs: 3_000, onProblem });
console.log(outcome.kind === "result" ? outcome.content : outcome);
