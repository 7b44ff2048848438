/**
 * Tests AI SDK's middleware in an agent of Mastra.
 * 1. Both Mastra's router and a provider of AI SDK can be wrapped.
 * 2. Loaded tools stay in the thread that the memory keeps.
 * 3. A call that waits for approval continues in another process.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { compatible as chat } from "../apis/chat.mjs";
import { startVendor } from "../apis/vendor.mjs";
import { appWith } from "./lib/app.mjs";
import { add, call, DISCOVERY, script, search } from "./lib/calls.mjs";
import { toolsOf } from "./lib/tools.mjs";

// Nobody is told of these tests.
process.env.MASTRA_TELEMETRY_DISABLED = "1";

const app = await appWith({ "@mastra/core": "@mastra/core", "@ai-sdk/openai": "@ai-sdk/openai", ai: "ai" });
const core = ["agent", "llm", "mastra", "memory", "storage", "tools"].map((name) => `@mastra/core/${name}`);
const others = ["ai", "@ai-sdk/openai", "toolsift/ai-sdk-middleware"];
const loaded = await Promise.all([...core, ...others].map((name) => app.load(name)));
const { Agent, ModelRouterLanguageModel, Mastra, MockMemory, InMemoryStore, createTool, wrapLanguageModel } = Object.assign(
  {},
  ...loaded,
);
const { createOpenAI, siftModelMiddleware } = Object.assign({}, ...loaded);

const MODELS = {
  "Mastra's router": (url) => new ModelRouterLanguageModel({ id: "openai/gpt-5.2", url, apiKey: "none" }),
  "a provider of AI SDK": (baseURL) => createOpenAI({ baseURL, apiKey: "none" }).chat("gpt-5.2"),
};

for (const [name, modelAt] of Object.entries(MODELS)) {
  for (const stream of [false, true]) {
    test(`${name}, ${stream ? "as a stream" : "whole"}: finds, remembers, and waits for an approval`, async () => {
      const ran = [];
      const tools = toolsOf("memory").map(({ name: id, description, inputSchema }) => {
        const execute = async (input) => (ran.push([id, input]), `${id} did it`);
        return [id, createTool({ id, description, inputSchema, requireApproval: id === "delete_entities", execute })];
      });
      const gone = { entityNames: ["Ada"] };
      const replies = [
        ...[[search("read the whole knowledge graph")], [call("read_graph")], []],
        ...[[add("delete_entities")], [call("delete_entities", gone)], []],
      ];
      const said = script(...replies);
      const vendor = await startVendor(chat, (request, step) =>
        replies[step - 1]?.length === 0 ? { text: "Done." } : said(request, step),
      );
      try {
        const middleware = siftModelMiddleware({ sift: { activation: "on" }, prefetch: false });
        const model = wrapLanguageModel({ model: modelAt(`${vendor.url}/v1`), middleware });
        const storage = new InMemoryStore();
        const memory = new MockMemory({ storage, enableMessageHistory: true });
        const about = { id: "agent", name: "agent", instructions: "You are an agent.", model, maxRetries: 0, memory };
        const opened = () => {
          const agent = new Agent({ ...about, tools: Object.fromEntries(tools) });
          return new Mastra({ agents: { agent }, storage, logger: false }).getAgent("agent");
        };
        const run = async (prompt) => {
          const options = { maxSteps: 10, memory: { thread: "t", resource: "r" } };
          return stream ? (await opened().stream(prompt, options)).getFullOutput() : opened().generate(prompt, options);
        };
        assert.equal((await run("Go.")).text, "Done.");
        const { finishReason, runId, suspendPayload } = await run("And now?");
        assert.deepEqual([finishReason, ran], ["suspended", [["read_graph", {}]]]);
        const waiting = { runId, toolCallId: suspendPayload.toolCallId };
        const { text } = stream
          ? await (await opened().approveToolCall(waiting)).getFullOutput()
          : await opened().approveToolCallGenerate(waiting);
        assert.deepEqual([text, ran[1]], ["Done.", ["delete_entities", gone]]);
        const found = vendor.requests.map((request) => request.tools.slice(DISCOVERY.length).join());
        const both = "read_graph,delete_entities";
        assert.deepEqual(found, ["", "read_graph", "read_graph", "read_graph", both, both]);
      } finally {
        await vendor.close();
      }
    });
  }
}
