/** An agent of the AI SDK over real MCP servers, in the few lines that a host writes itself. */

import { dynamicTool, generateText, jsonSchema, stepCountIs, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";

/** A model that follows a script: each entry is what it calls in one step, `[tool, input]` pairs; then it ends. */
export function scripted(script) {
  let step = 0;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const calls = script[step++];
      const content = calls?.map(([toolName, input], i) => ({
        type: "tool-call",
        toolCallId: `call-${step}-${i}`,
        toolName,
        input: JSON.stringify(input),
      }));
      return {
        content: content ?? [{ type: "text", text: "done" }],
        finishReason: { unified: calls ? "tool-calls" : "stop", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

/**
 * Runs the agent's loop for one conversation. `run(server, name, args)` runs a real tool. Answers the names of the tools
 * that the model was sent at each step, the system prompts, and what came of each call.
 */
export async function converse({ sift, session, script, run, prompt = "go" }) {
  const toOutcome = async (name, input) => {
    const outcome = session.call(name, input);
    if (outcome.kind === "dispatch") return run(outcome.server, outcome.name, outcome.arguments);
    if (outcome.kind === "refused") throw new Error(outcome.error.message);
    return outcome.content;
  };
  const tools = {};
  const add = (name, description, schema) => {
    tools[name] = dynamicTool({
      description,
      inputSchema: jsonSchema(schema),
      execute: (input) => toOutcome(name, input),
    });
  };
  for (const tool of session.assemble({ format: "mcp" }).tools) add(tool.name, tool.description, tool.inputSchema);
  // The SDK must know every tool that may come to be called. What the model is sent is decided before each step, and not
  // by `activeTools`: the SDK would refuse a call that comes too early by itself, and the model would not learn the way.
  for (const { name, description } of sift.tools()) tools[name] ?? add(name, description, { type: "object" });

  const model = scripted(script);
  let visible;
  const transformParams = async ({ params }) => ({ ...params, tools: params.tools.filter(({ name }) => visible.has(name)) });
  const result = await generateText({
    model: wrapLanguageModel({ model, middleware: { specificationVersion: "v3", transformParams } }),
    tools,
    prompt,
    stopWhen: stepCountIs(script.length + 1),
    prepareStep: () => {
      const { tools: sent, systemPrompt } = session.assemble({ format: "mcp" });
      visible = new Set(sent.map((tool) => tool.name));
      return { system: systemPrompt };
    },
  });
  return {
    text: result.text,
    sent: model.doGenerateCalls.map((call) => call.tools.map((tool) => tool.name)),
    systems: model.doGenerateCalls.map((call) => call.prompt.find((message) => message.role === "system")?.content),
    outcomes: result.steps.map((step) =>
      step.content.filter((part) => part.type === "tool-result" || part.type === "tool-error"),
    ),
  };
}
