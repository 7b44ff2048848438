/** Drives an agent over AI SDK with its own provider for OpenAI: by `generateText`, `streamText`, or an agent. */

import { startVendor } from "../../../apis/vendor.mjs";
import { compatible as chat } from "../../../apis/chat.mjs";
import { responses } from "../../../apis/responses.mjs";
import { ordered } from "./openai-agents.mjs";
import { sessionOf } from "./run.mjs";

/** Runs the loop to its end: `{ steps, text }`. */
const ROADS = {
  generate: ({ generateText }, { system, prompt, ...options }) => generateText({ ...options, system, prompt }),
  async stream({ streamText }, { system, prompt, ...options }) {
    const failures = [];
    const result = streamText({ ...options, system, prompt, onError: ({ error }) => failures.push(error) });
    await result.consumeStream();
    if (failures.length > 0) throw failures[0];
    return { steps: await result.steps, text: await result.text };
  },
  agent: ({ ToolLoopAgent }, { system, prompt, abortSignal, ...options }) =>
    new ToolLoopAgent({ ...options, instructions: system }).generate({ prompt, abortSignal }),
};

export const aiSdk = {
  adapter: "toolsift/ai-sdk",
  road: "`tools` and `prepareStep`: what is revealed is appended to the tools",
  versions: [
    { ai: "ai", "@ai-sdk/openai": "@ai-sdk/openai" },
    { ai: "ai-7", "@ai-sdk/openai": "@ai-sdk/openai-4" },
  ],

  without: { own: "AI SDK runs the host's own tools itself" },

  async converse({
    app,
    sift,
    id,
    scope,
    prompt,
    script,
    execute,
    by = "generate",
    api = "chat",
    door,
    maxSteps,
    ...given
  }) {
    const { maxAnswerChars, readOn, maxTools, prefetch, signal: abortSignal, ...options } = given;
    const ai = await app.load("ai");
    const { createOpenAI } = await app.load("@ai-sdk/openai");
    const { siftTools, toolsift } = await app.load("toolsift/ai-sdk");
    const vendor = await startVendor(api === "chat" ? chat : responses, script);
    try {
      const openai = createOpenAI({ baseURL: `${vendor.url}/v1`, apiKey: "none" });
      const session = sessionOf({ sift, id, scope });
      const stopWhen = maxSteps === undefined ? {} : { stopWhen: ai.stepCountIs(maxSteps) };
      const about = {
        model: openai[api]("gpt-5.2"),
        maxRetries: 0,
        system: "You are an agent.",
        prompt,
        abortSignal,
        ...stopWhen,
      };
      const shared = { execute, maxAnswerChars, readOn, maxTools };
      if (door) {
        const open = await toolsift({ sift, ...shared, prefetch, ...options });
        const { steps, text } = await ROADS[by](ai, open.with(session, about)).finally(() => open.close());
        return { ...toldOf(vendor, steps, maxSteps), text };
      }
      const conversation = (await siftTools(sift, shared)).for(session, { ...options, ...stopWhen });
      const { steps, text } = await ROADS[by](ai, { ...about, ...conversation });
      // In ai 6, the messages of a step are those of all steps before it, too.
      const last = app.version("ai").startsWith("6.") ? steps.slice(-1) : steps;
      const messages = JSON.parse(JSON.stringify(last.flatMap(({ response }) => response.messages)));
      return { ...toldOf(vendor, steps, maxSteps), text, kept: { messages, format: "ai-sdk" } };
    } finally {
      await vendor.close();
    }
  },
};

/**
 * The first releases of ai 7 answer streamed calls in the order in which their tools end. From ai 7 on, the provider writes
 * what went wrong as `{ "error": text }`.
 */
function unwrapped({ answers, ...request }) {
  const textOf = (answer) => (answer.startsWith('{"error":') ? JSON.parse(answer).error : answer);
  return { ...request, answers: answers.map(textOf) };
}

const toldOf = (vendor, steps, maxSteps) => ({
  requests: vendor.requests.map((request) => unwrapped(ordered(request))),
  finish: finishOf(steps, maxSteps),
});

function finishOf(steps, maxSteps) {
  if (steps.at(-1).finishReason !== "tool-calls") return "done";
  return steps.length === maxSteps ? "steps" : "refused";
}
