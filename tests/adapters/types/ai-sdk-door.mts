import { createOpenAI } from "@ai-sdk/openai";
import { generateText, Output, stepCountIs, tool, ToolLoopAgent, type InferAgentUIMessage } from "ai";
import { toolsift, type AiSdkSift } from "toolsift/ai-sdk";
import { z } from "zod";

const model = createOpenAI({ apiKey: "none" }).chat("gpt-5.2");
const weather = tool({
  description: "Get the weather",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, degrees: 3 }),
});
const lamp = tool({
  description: "Switch the lamp",
  inputSchema: z.object({ on: z.boolean() }),
  execute: async () => "done",
});

const url: string = "https://example.com/mcp";
const args: string[] = ["-y", "server"];
const sift = await toolsift({
  mcpServers: {
    github: { url, headers: { authorization: "Bearer ${TOKEN}" } },
    files: { command: "npx", args, env: { A: "b" }, disabled: true },
    events: { type: "sse", url },
  },
  env: { TOKEN: "x" },
  tools: { weather },
  contextWindow: 200_000,
  needsApproval: ({ name }) => name.startsWith("delete"),
  onStatus: ({ name, state, error }) => console.log(name.length, state === "failed", error?.length),
  onEvent: (event) => void (event.type === "search" && event.query),
});
sift satisfies AiSdkSift<{ weather: typeof weather }>;

const one = await generateText(sift.with("chat-42", { model, prompt: "Go on.", stopWhen: stepCountIs(20) }));
one.text satisfies string;
for (const found of one.toolResults) {
  if (!found.dynamic && found.toolName === "weather") found.output.degrees satisfies number;
  // @ts-expect-error results of a tool of the host's own have its type
  if (!found.dynamic && found.toolName === "weather") found.output.town;
}

const two = await generateText(
  sift.with("chat-42", {
    model,
    messages: [{ role: "user", content: "Go on." }],
    system: "Be kind.",
    tools: { lamp },
    output: Output.object({ schema: z.object({ answer: z.number() }) }),
    activeTools: ["lamp", "read_graph"],
    toolChoice: "auto",
    temperature: 0,
    prepareStep: async ({ stepNumber, steps }) => (stepNumber > steps.length ? { toolChoice: "none" } : {}),
    stopWhen: [stepCountIs(9), ({ steps }) => steps.length > 8],
    onStepFinish: ({ text, usage }) => console.log(text.length, usage.inputTokens),
  }),
);
two.output.answer satisfies number;
for (const call of two.toolCalls) {
  if (!call.dynamic && call.toolName === "lamp") call.input.on satisfies boolean;
  if (!call.dynamic && call.toolName === "weather") call.input.city satisfies string;
}

const agent = new ToolLoopAgent(sift.with("chat-42", { model, instructions: "Be kind.", tools: { lamp } }));
(await agent.generate({ prompt: "Go on." })).text satisfies string;
const many = new ToolLoopAgent({
  model,
  callOptionsSchema: z.object({ chat: z.string() }),
  prepareCall: ({ options, ...settings }) => sift.with(options.chat, settings),
});
await many.generate({ prompt: "Go on.", options: { chat: "one" } });

await generateText(sift.with(sift.session("scoped", { scope: { servers: ["github"] } }), { model, prompt: "Go on." }));
sift.status().map(({ name, state }) => [name, state]);
await sift.servers.refresh("github");
await sift.close();

// @ts-expect-error there is no such option
await toolsift({ mcpServer: {} });
// @ts-expect-error a server has no such key
await toolsift({ mcpServers: { files: { command: "npx", arg: [] } } });
// @ts-expect-error a server has a command or a URL
await toolsift({ mcpServers: { files: { command: "npx", url } } });
// @ts-expect-error there is no such setting
sift.with("chat", { model, prompt: "Go on.", stopWhn: stepCountIs(2) });
