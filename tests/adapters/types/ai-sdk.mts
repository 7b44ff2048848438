import { createOpenAI } from "@ai-sdk/openai";
import {
  generateText,
  jsonSchema,
  stepCountIs,
  tool,
  ToolLoopAgent,
  dynamicTool,
  type InferAgentUIMessage,
  type ToolSet,
} from "ai";
import { ToolSift } from "toolsift";
import { siftTools, type Conversation, type ConversationOptions, type SiftedTools } from "toolsift/ai-sdk";
import { z } from "zod";

const openai = createOpenAI({ apiKey: "none" });
const model = openai.chat("gpt-5.2");
const sift = new ToolSift();
const tools = {
  weather: tool({
    description: "Get the weather",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => ({ city, degrees: 3 }),
  }),
  ask: tool({ description: "Ask the user", inputSchema: z.object({ question: z.string() }), outputSchema: z.string() }),
  loose: dynamicTool({ description: "Anything", inputSchema: jsonSchema({}), execute: async () => 1 }),
};

const sifted: SiftedTools<typeof tools> = await siftTools(sift, {
  tools,
  execute: ({ server, name, arguments: args, signal }, { toolCallId, messages }) => [
    server,
    name,
    args,
    signal,
    toolCallId,
    messages.length,
  ],
  needsApproval: ({ name }) => name.startsWith("delete"),
});
const session = sift.session("chat", { scope: { servers: ["github"] } });
const conversation: Conversation<typeof tools> = sifted.for(session, {
  prepareStep: ({ stepNumber, steps, messages }) =>
    stepNumber > steps.length + messages.length ? { toolChoice: "none" } : undefined,
  stopWhen: [stepCountIs(9), ({ steps }) => steps.length > 8],
  repairToolCall: async ({ toolCall }) => ({ ...toolCall, toolName: toolCall.toolName.toLowerCase() }),
  system: [{ role: "system", content: "Be kind." }],
  activeTools: ["weather", "read_graph"],
  patience: 3,
  onEvent: (event) => event.type === "search" && event.query,
});

const result = await generateText({ model, prompt: "Go on.", ...conversation });
for (const call of result.toolCalls) {
  if (call.dynamic) continue;
  if (call.toolName === "weather") call.input.city satisfies string;
  // @ts-expect-error a tool of the host's own has the arguments of its schema
  if (call.toolName === "weather") call.input.town;
}
for (const found of result.toolResults) {
  if (!found.dynamic && found.toolName === "weather") found.output.degrees satisfies number;
}

const many = new ToolLoopAgent({
  model,
  tools: sifted.for(session).tools,
  callOptionsSchema: z.object({ chat: z.string() }),
  prepareCall: ({ options, ...settings }) => ({ ...settings, ...sifted.for(sift.session(options.chat)) }),
});
await many.generate({ prompt: "Go on.", options: { chat: "one" } });
declare const message: InferAgentUIMessage<typeof many>;
for (const part of message.parts) {
  if (part.type === "tool-weather" && part.state === "output-available") part.output.degrees satisfies number;
}

const any: ToolSet = tools;
await generateText({ model, prompt: "Go on.", ...(await siftTools(sift, { tools: any })).for(session) });
// Hooks know the host's tools, and none of them is `any`.
type IsAny<T> = 0 extends 1 & T ? true : false;
type Options = Required<ConversationOptions<typeof tools>>;
const anys: IsAny<
  | Parameters<Extract<Options["prepareStep"], Function>>[0]
  | Parameters<Extract<Options["repairToolCall"], Function>>[0]
  | Parameters<Typed["prepareStep"]>[0]
  | Awaited<ReturnType<Typed["prepareStep"]>>
  | Parameters<Typed["stopWhen"][number]>[0]
  | Parameters<Typed["experimental_repairToolCall"]>[0]
> = false;
type Typed = Conversation<typeof tools>;
sifted.for(session, {
  prepareStep: ({ steps }) => {
    for (const call of steps.flatMap((step) => step.toolCalls)) {
      if (!call.dynamic && call.toolName === "weather") call.input.city satisfies string;
    }
    return { activeTools: ["weather"], toolChoice: { type: "tool", toolName: "ask" } };
  },
  stopWhen: ({ steps }) =>
    steps.at(-1)?.toolResults.some((one) => !one.dynamic && one.toolName === "weather" && one.output.degrees > 3) ?? false,
  repairToolCall: async ({ tools, toolCall }) => (tools.weather.description === toolCall.toolName ? null : toolCall),
});
sifted.for(session, {
  // @ts-expect-error a setting that a step does not have
  prepareStep: () => ({ toolChoise: "none" as const }),
  // @ts-expect-error what is told has no such key
  stopWhen: ({ step }) => step > 3,
});
// @ts-expect-error there is no such option
await siftTools(sift, { tool: tools });
