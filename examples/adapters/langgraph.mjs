/** A graph of one's own with LangGraph that has the tools of two MCP servers, and finds the ones that it needs. */

import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { siftGraph } from "toolsift/langchain";
import { servers, sift } from "./servers.mjs";

const model = new ChatOpenAI({ model: "gpt-5.4" });
const { request, toolNode, stuck } = siftGraph(sift, { execute: servers.execute });
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async (state, config) => {
    const { tools, messages } = request(state.messages, config);
    return { messages: [await model.bindTools(tools).invoke(messages, config)] };
  })
  .addNode("tools", toolNode)
  .addEdge(START, "model")
  .addConditionalEdges("model", toolsCondition, ["tools", END])
  .addConditionalEdges("tools", (state) => (stuck(state) ? END : "model"), ["model", END]);
const { messages } = await graph.compile().invoke({ messages: "Remember that Ada likes engines." });
console.log(messages.at(-1)?.text);
await servers.close();
