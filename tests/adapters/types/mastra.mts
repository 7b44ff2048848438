import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { type Execute, ToolSift, ToolSiftError } from "toolsift";
import { type AboutRun, threadSessionId, siftProcessor } from "toolsift/mastra";
import { z } from "zod";

const ring = createTool({
  id: "ring",
  description: "Ring the bell.",
  inputSchema: z.object({ times: z.number() }),
  outputSchema: z.object({ rung: z.boolean() }),
  suspendSchema: z.object({ why: z.string() }),
  resumeSchema: z.object({ go: z.boolean() }),
  requireApproval: ({ times }) => times > 3,
  execute: async ({ times }, { agent }) => ({ rung: times > 0 && agent?.resumeData?.go !== false }),
});
const wait = createTool({ id: "wait", description: "Wait.", execute: async () => {} });
const execute: Execute = ({ server, name, arguments: args }) => `${server}/${name} ${JSON.stringify(args)}`;
const sift = new ToolSift();
const processor = siftProcessor(sift, {
  tools: { ring, wait },
  execute,
  session: ({ requestContext, threadId }: AboutRun) => (threadId === undefined ? requestContext?.get("chat") : undefined),
  scope: () => ({ servers: ["github"] }),
  patience: 3,
  onEvent: ({ type, attributes }) => console.log(type, attributes["gen_ai.tool.name"]),
});
export const agent = new Agent({
  id: "a",
  name: "A",
  instructions: "",
  model: "openai/gpt-5.4",
  inputProcessors: [processor],
});
export const id: string = threadSessionId("thread", "resource");
export const wrong = (error: unknown) => ToolSiftError.is(error) && error.code;
// @ts-expect-error a number is no tool
siftProcessor(sift, { tools: { ring: 5 } });
// @ts-expect-error there is no such option
siftProcessor(sift, { tool: {} });
