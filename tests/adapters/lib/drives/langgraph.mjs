/** Drives a user's own graph with LangGraph, and LangChain's client for Chat Completions. */

import { startVendor } from "../../../apis/vendor.mjs";
import { compatible as chat } from "../../../apis/chat.mjs";
import { chatModel, ended, LANGCHAIN } from "./langchain.mjs";

/** What an application has that does not have `langchain` itself. */
export const { langchain: _, ...LANGGRAPH } = LANGCHAIN;

/** A graph of a model and its tools, over `siftGraph`. */
export async function graphOf(app, { parts: { request, toolNode, stuck }, model, ...compiled }) {
  const { END, MessagesAnnotation, START, StateGraph } = await app.load("@langchain/langgraph");
  const { toolsCondition } = await app.load("@langchain/langgraph/prebuilt");
  return new StateGraph(MessagesAnnotation)
    .addNode("model", async (state, config) => {
      const { tools, messages } = request(state.messages, config);
      return { messages: [await model.bindTools(tools).invoke(messages, config)] };
    })
    .addNode("tools", toolNode)
    .addEdge(START, "model")
    .addConditionalEdges("model", toolsCondition, ["tools", END])
    .addConditionalEdges("tools", (state) => (stuck(state) ? END : "model"), ["model", END])
    .compile(compiled);
}

export const langgraph = {
  adapter: "toolsift/langchain",
  road: "LangGraph: what is revealed is appended to the tools that a node binds",
  versions: [LANGGRAPH],
  without: {
    own: "LangGraph runs the graph's own tools itself",
    limit: "the model is the graph's: only the host knows its vendor",
  },

  async converse({ app, sift, id, scope, prompt, script, stream = false, maxSteps = 20, signal, ...options }) {
    const { siftGraph } = await app.load("toolsift/langchain");
    const vendor = await startVendor(chat, script);
    try {
      const parts = siftGraph(sift, { ...(scope === undefined ? {} : { scope }), ...options });
      const model = await chatModel(app, vendor);
      const graph = await graphOf(app, { parts, model });
      const messages = [
        { role: "system", content: "You are an agent." },
        { role: "user", content: prompt },
      ];
      const config = { configurable: { thread_id: id }, recursionLimit: 2 * maxSteps, stream, signal };
      const state = await ended(app, graph, { messages }, config);
      const last = state?.messages.at(-1);
      const refused = state !== undefined && parts.stuck(state);
      return {
        requests: vendor.requests,
        finish: refused ? "refused" : last === undefined ? "steps" : "done",
        text: last?.text,
      };
    } finally {
      await vendor.close();
    }
  },
};
