/** How do two agents work in one graph of LangGraph? Each is a node with a session of its own, the first with a child's. */

import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { siftGraph, toolsift } from "toolsift/langchain";
import { mcpServers } from "./servers.mjs";

const sift = await toolsift({ mcpServers, activation: "on", ready: "all" });
const session = sift.session("chat");
const child = session.child("chat/archivist", { scope: { servers: ["memory"] } });
const model = new ChatOpenAI({ model: "gpt-5.4" });

/** An agent that has the tools of a session. */
function agent(/** @type {import("toolsift").Session} */ own) {
  const { request, toolNode, stuck } = siftGraph(sift, { execute: sift.servers.execute, session: () => own });
  return new StateGraph(MessagesAnnotation)
    .addNode("model", async (state, config) => {
      const { tools, messages } = request(state.messages, config);
      return { messages: [await model.bindTools(tools).invoke(messages, config)] };
    })
    .addNode("tools", toolNode)
    .addEdge(START, "model")
    .addConditionalEdges("model", toolsCondition, ["tools", END])
    .addConditionalEdges("tools", (state) => (stuck(state) ? END : "model"), ["model", END])
    .compile();
}

const graph = new StateGraph(MessagesAnnotation)
  .addNode("archivist", agent(child))
  .addNode("back", () => void child.handBack())
  .addNode("helper", agent(session))
  .addEdge(START, "archivist")
  .addEdge("archivist", "back")
  .addEdge("back", "helper")
  .addEdge("helper", END);
const { messages } = await graph.compile().invoke({ messages: "Note that Ada likes engines." });
console.log(messages.at(-1)?.text, session.revealed);
await sift.close();
