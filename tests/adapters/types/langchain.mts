import { tool } from "@langchain/core/tools";
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { END, type LangGraphRunnableConfig, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { ToolSift } from "toolsift";
import { type AnswerMark, type LangChainOptions, siftMiddleware, siftGraph } from "toolsift/langchain";
import { z } from "zod";

const sift = new ToolSift();
const weather = tool(async ({ city }) => city, {
  name: "weather",
  description: "Weather.",
  schema: z.object({ city: z.string() }),
});
const tide = tool(async () => "low", { name: "tide", description: "Tide.", schema: { type: "object", properties: {} } });
const params = { name: "plain", description: "Only a definition.", schema: z.object({}) };

const options: LangChainOptions = {
  tools: [weather, tide, params],
  execute: async ({ server, name, arguments: args, signal }) => [server, name, args, signal?.aborted],
  session: ({ configurable, context }) => configurable?.thread_id ?? String(context),
  scope: ({ configurable }) => (configurable?.["admin"] === true ? "all" : { servers: ["github"] }),
  patience: 3,
  onEvent: (event) => event.type === "search" && event.query,
  handleToolErrors: true,
};

const model = new ChatOpenAI({ model: "gpt-5.2" });
const agent = createAgent({
  model,
  tools: [weather],
  responseFormat: z.object({ answer: z.string() }),
  contextSchema: z.object({ user: z.string() }),
  middleware: [siftMiddleware(sift, options), humanInTheLoopMiddleware({ interruptOn: { tide: true } })],
  checkpointer: new MemorySaver(),
});
const state = await agent.invoke({ messages: "Hi" }, { configurable: { thread_id: "a" }, context: { user: "ada" } });
state.structuredResponse.answer satisfies string;
const messages: BaseMessage[] = state.messages;
const marks = messages
  .filter((one) => ToolMessage.isInstance(one))
  .map((one) => one.response_metadata as { toolsift: AnswerMark });
export const codes = marks.map(({ toolsift }) => toolsift.code);

const { request, toolNode, stuck } = siftGraph(sift, options);
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async (state: typeof MessagesAnnotation.State, config: LangGraphRunnableConfig) => {
    const { tools, messages } = request(state.messages, config);
    return { messages: [await model.bindTools(tools).invoke(messages, config)] };
  })
  .addNode("tools", toolNode)
  .addEdge(START, "model")
  .addConditionalEdges("model", toolsCondition, ["tools", END])
  .addConditionalEdges("tools", (state) => (stuck(state) ? END : "model"), ["model", END])
  .compile({ checkpointer: new MemorySaver() });
(await graph.invoke({ messages: "Hi" })).messages satisfies BaseMessage[];

// @ts-expect-error there is no such option
siftMiddleware(sift, { tool: [weather] });
// @ts-expect-error what a provider runs itself is no tool to be found
siftMiddleware(sift, { tools: [{ type: "web_search" }] });
