/** Drives an agent of LangChain's, with its client for Chat Completions. */

import { startVendor } from "../../../apis/vendor.mjs";
import { compatible as chat } from "../../../apis/chat.mjs";

const PACKAGES = ["langchain", "@langchain/langgraph", "@langchain/core", "@langchain/openai"];

/** What an application of LangChain's has. */
export const LANGCHAIN = Object.fromEntries(PACKAGES.map((name) => [name, name]));

/** A chat model that speaks to the vendor. */
export async function chatModel(app, vendor, options = {}) {
  const { ChatOpenAI } = await app.load("@langchain/openai");
  const configuration = { baseURL: `${vendor.url}/v1`, apiKey: "none" };
  return new ChatOpenAI({ model: "gpt-5.2", apiKey: "none", maxRetries: 0, configuration, ...options });
}

/** Runs an agent or a graph: the state in which it ended, or undefined where its steps were used up. */
export async function ended(app, runnable, input, { stream, ...config }) {
  const { GraphRecursionError } = await app.load("@langchain/langgraph");
  try {
    if (!stream) return await runnable.invoke(input, config);
    let state;
    // Asked for messages, LangGraph makes the model stream its reply.
    for await (const [mode, chunk] of await runnable.stream(input, { ...config, streamMode: ["messages", "values"] })) {
      if (mode === "values") state = chunk;
    }
    return state;
  } catch (error) {
    if (error instanceof GraphRecursionError) return undefined;
    throw error;
  }
}

export const langchain = {
  adapter: "toolsift/langchain",
  road: "agents: what is revealed is appended to the tools of a request",
  versions: [LANGCHAIN],
  without: { own: "LangChain runs the agent's own tools itself" },

  async converse({ app, sift, id, scope, prompt, script, door, stream = false, maxSteps = 20, signal, ...options }) {
    const { createAgent } = await app.load("langchain");
    const { siftMiddleware, toolsift } = await app.load("toolsift/langchain");
    const vendor = await startVendor(chat, script);
    let open;
    try {
      const given = { ...(scope === undefined ? {} : { scope }), ...options };
      const settings = { model: await chatModel(app, vendor), systemPrompt: "You are an agent." };
      open = door ? await toolsift({ sift, ...given }) : undefined;
      const agent = createAgent(open?.with(settings) ?? { ...settings, middleware: [siftMiddleware(sift, given)] });
      const config = { configurable: { thread_id: id }, recursionLimit: 2 * maxSteps, stream, signal };
      const state = await ended(app, agent, { messages: [{ role: "user", content: prompt }] }, config);
      const last = state?.messages.at(-1);
      const finish = last === undefined ? "steps" : (last.response_metadata.toolsift ?? "done");
      const kept = state && { messages: state.messages, format: "langchain" };
      return { requests: vendor.requests, finish, text: last?.text, kept };
    } finally {
      await open?.close();
      await vendor.close();
    }
  },
};
