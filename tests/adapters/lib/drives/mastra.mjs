/** Drives a Mastra agent, whose model speaks Chat Completions through AI SDK's provider. */

import { startVendor } from "../../../apis/vendor.mjs";
import { compatible as chat } from "../../../apis/chat.mjs";

// Nobody is told of these tests.
process.env.MASTRA_TELEMETRY_DISABLED = "1";

/** What an agent of Mastra's is made of, with a model at this address. */
export async function agentOf(app, url, options) {
  const { Agent } = await app.load("@mastra/core/agent");
  const { createOpenAI } = await app.load("@ai-sdk/openai");
  const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: "none" }).chat("gpt-5.2");
  return new Agent({ id: "agent", name: "agent", instructions: "You are an agent.", model, maxRetries: 0, ...options });
}

/** One run of an agent: its result, whether it was streamed or not. */
export async function runOf(agent, prompt, { stream = false, ...options }) {
  if (!stream) return agent.generate(prompt, options);
  const output = await agent.stream(prompt, options);
  for await (const _ of output.fullStream);
  return output.getFullOutput();
}

export const mastra = {
  adapter: "toolsift/mastra",
  road: "a processor: what is revealed is appended to the step's tools",
  versions: [{ "@mastra/core": "@mastra/core", "@ai-sdk/openai": "@ai-sdk/openai" }],

  without: {
    own: "Mastra runs the agent's own tools itself",
    toString: "Mastra itself takes a name that every object has for a tool, and ends the run",
  },

  async converse({ app, sift, id, scope, prompt, script, execute, door, maxSteps = 20, ...given }) {
    const { stream, signal: abortSignal, ...options } = given;
    const { siftProcessor, toolsift } = await app.load("toolsift/mastra");
    const vendor = await startVendor(chat, script);
    let open;
    try {
      const about = { execute, session: () => id, ...(scope === undefined ? {} : { scope }), ...options };
      open = door ? await toolsift({ sift, ...about }) : undefined;
      const settings = { inputProcessors: [open?.processor ?? siftProcessor(sift, about)] };
      const agent = await agentOf(app, vendor.url, open?.with(settings) ?? settings);
      const { text, tripwire, finishReason, error } = await runOf(agent, prompt, { maxSteps, stream, abortSignal });
      if (error) throw error;
      abortSignal?.throwIfAborted();
      const finish = tripwire ? "refused" : finishReason === "tool-calls" ? "steps" : "done";
      return { requests: vendor.requests, finish, text };
    } finally {
      await open?.close();
      await vendor.close();
    }
  },
};
