/** The mock models of AI SDK for these tests, with the same interface for ai 6 and ai 7. */

import { appWith } from "./app.mjs";
import { aiSdk } from "./drives/ai-sdk.mjs";

export { call } from "./calls.mjs";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The majors: `{ label, major, packages }`. */
export const MAJORS = aiSdk.versions.map((packages, at) => ({ label: packages.ai, major: 6 + at, packages }));

/**
 * What an application of a major has: `{ app, ai, siftTools, ToolSift, ToolSiftError, z, model, go }`. `go` is one call of
 * `generateText` whose model makes these replies: the model, and the result.
 */
export async function sdk({ packages, major }) {
  const app = await appWith(packages);
  const ai = await app.load("ai");
  const mocks = await app.load("ai/test");
  const { siftTools } = await app.load("toolsift/ai-sdk");
  const { ToolSift, ToolSiftError } = await app.load("toolsift");
  const { z } = await app.load("zod");
  const Model = major === 6 ? mocks.MockLanguageModelV3 : mocks.MockLanguageModelV4;
  const model = (...replies) => scripted(Model, replies);
  const go = async (replies, conversation, input = { prompt: "Go on." }) => {
    const asked = model(...replies);
    return [asked, await ai.generateText({ model: asked, ...input, ...conversation })];
  };
  return { app, ai, siftTools, ToolSift, ToolSiftError, z, model, go };
}

/** A model that makes these replies, each a list of calls, and then says that it is done. The script may be a function. */
function scripted(Model, replies) {
  let step = 0;
  const next = () => {
    step += 1;
    const reply = typeof replies[0] === "function" ? replies[0](step) : replies[step - 1];
    const calls = (reply ?? []).map(({ name, args }, at) => ({
      type: "tool-call",
      toolCallId: `call-${step}-${at}-${Math.random().toString(36).slice(2, 8)}`,
      toolName: name,
      input: typeof args === "string" ? args : JSON.stringify(args),
    }));
    return { calls, finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: undefined } };
  };
  return new Model({
    doGenerate: async () => {
      const { calls, finishReason } = next();
      return {
        content: calls.length > 0 ? calls : [{ type: "text", text: "done" }],
        finishReason,
        usage: USAGE,
        warnings: [],
      };
    },
    doStream: async () => {
      const { calls, finishReason } = next();
      const said = [
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "done" },
        { type: "text-end", id: "t" },
      ];
      const called = calls.flatMap((one) => [
        { type: "tool-input-start", id: one.toolCallId, toolName: one.toolName },
        { type: "tool-input-delta", id: one.toolCallId, delta: one.input },
        { type: "tool-input-end", id: one.toolCallId },
        one,
      ]);
      const parts = [
        { type: "stream-start", warnings: [] },
        ...(calls.length > 0 ? called : said),
        { type: "finish", finishReason, usage: USAGE },
      ];
      return { stream: streamOf(parts) };
    },
  });
}

function streamOf(parts) {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** The names of the tools that a model was sent at each step. */
export function sent(model) {
  const calls = model.doGenerateCalls.length > 0 ? model.doGenerateCalls : model.doStreamCalls;
  return calls.map(({ tools = [] }) => tools.map(({ name }) => name));
}

/** The answers to calls that stand in the last prompt, by the names of the tools. */
export function answers(model) {
  const calls = model.doGenerateCalls.length > 0 ? model.doGenerateCalls : model.doStreamCalls;
  const parts = calls
    .at(-1)
    .prompt.filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content);
  return parts.filter(({ type }) => type === "tool-result").map(({ toolName, output }) => [toolName, output]);
}

/** The system prompts of a step, one after the other. */
export function system(model, step = 0) {
  return model.doGenerateCalls[step].prompt.filter(({ role }) => role === "system").map(({ content }) => content);
}
