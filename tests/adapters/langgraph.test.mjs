/**
 * Tests the parts for LangGraph: the shared contract in a user's own graph, and that they can replace `ToolNode`.
 * 1. A node of tools accepts the inputs of `ToolNode` (messages, a state, a single call) and passes on commands.
 * 2. LangChain's tools run as `ToolNode` runs them.
 *
 * Threads, and runs that wait for a person, are in langchain-threads.test.mjs: agents and graphs share that code.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { script } from "./lib/calls.mjs";
import { contract } from "./lib/contract.mjs";
import { graphOf, langgraph } from "./lib/drives/langgraph.mjs";
import { add, answersIn, app, call, lc, lg, modelOf, ownTools, plain, siftGraph, ToolSift } from "./lib/langchain.mjs";
import { host, pluck, siftOf } from "./lib/tools.mjs";

contract(langgraph, { variants: [{ stream: false }, { stream: true }] });

const { execute } = host();
const input = (content) => ({ messages: [{ role: "user", content }] });
const reply = (...calls) =>
  new lc.AIMessage({ content: "", tool_calls: calls.map((one, at) => ({ type: "tool_call", id: `${at}`, ...one })) });

async function graph({ sift, script: said, options, ...compiled }) {
  const { model, requests } = await modelOf(said);
  const parts = siftGraph(sift, options);
  return { requests, graph: await graphOf(app, { parts, model, ...compiled }) };
}

test("LangChain's tools run as in a ToolNode, and what they throw is told", async () => {
  const { tools, ran } = ownTools();
  const sink = plain("sink", () => {
    throw new Error("a leak");
  });
  const replies = [
    [add("get_forecast", "draw_chart", "sink")],
    [call("get_forecast", { city: "Oslo" }), call("draw_chart"), call("sink"), call("get_forecast")],
  ];
  const { graph: run } = await graph({
    sift: new ToolSift(),
    script: script(...replies),
    options: { tools: [...tools, sink] },
  });
  const state = await run.invoke(input("Go."), { context: { user: "ada" } });
  const answers = answersIn(state).slice(1);
  assert.deepEqual(answers.slice(0, 2), ["get_forecast did it", "a chart"]);
  assert.match(answers[2], /a leak/);
  assert.match(answers[3], /schema/);
  const [first] = ran;
  assert.deepEqual(
    [first.input, first.config.context, first.config.state.messages.length],
    [{ city: "Oslo", days: 1 }, { user: "ada" }, 4],
  );
  assert.deepEqual(
    state.messages.filter(({ type }) => type === "tool").map(({ status }) => status === "error"),
    [false, false, false, true, true],
  );
});

test("a node takes messages, a state or one call, leaves what is answered, and hands commands on", async () => {
  const { tools } = ownTools();
  const away = plain("go_away", () => new lg.Command({ goto: "elsewhere" }));
  const sift = new ToolSift();
  const { toolNode } = siftGraph(sift, { tools: [...tools, away], session: () => "a" });
  sift.session("a").reveal(["shout", "get_tide", "go_away"]);
  const calls = [call("shout", { input: "a" }), call("get_tide", { harbour: "b" })];
  const human = new lc.HumanMessage("Go.");
  const texts = (messages) => messages.map(({ text, tool_call_id: id }) => `${id} ${text}`);
  const both = ["0 shout did it", "1 get_tide did it"];
  assert.deepEqual(texts(await toolNode([human, reply(...calls)])), both);
  assert.deepEqual(texts((await toolNode({ messages: [human, reply(...calls)] })).messages), both);
  const answered = new lc.ToolMessage({ content: "was", tool_call_id: "0" });
  assert.deepEqual(texts(await toolNode([human, reply(...calls), answered])), both.slice(1));
  const one = reply(...calls).tool_calls[0];
  assert.deepEqual(
    texts((await toolNode({ messages: [human, reply(...calls)], lg_tool_call: one })).messages),
    both.slice(0, 1),
  );
  assert.deepEqual(await toolNode({ messages: [human] }), { messages: [] });

  const mixed = await toolNode({ messages: [human, reply(calls[0], call("go_away"))] });
  assert.deepEqual(texts(mixed[0].messages), both.slice(0, 1));
  assert.deepEqual([lg.isCommand(mixed[1]), mixed[1].goto], [true, ["elsewhere"]]);
});

test("handoffs at once to several agents around a graph all arrive", async () => {
  const hand = (to, command) => {
    const run = (_, { toolCallId: id }) =>
      new lg.Command({ graph: lg.Command.PARENT, ...command(new lc.ToolMessage({ content: to, tool_call_id: id })) });
    return plain(`to_${to}`, run);
  };
  const tools = [
    hand("ada", (told) => ({ goto: "ada", update: { messages: [told] } })),
    hand("bob", (told) => ({ goto: "bob", update: [["messages", [told]]] })),
    hand("eve", (told) => ({ goto: [new lg.Send("eve", { messages: [told] })] })),
  ];
  const arrived = [];
  const arrives =
    (name) =>
    ({ messages }) =>
      void arrived.push([name, ...messages.filter(({ type }) => type === "tool").map(({ text }) => text)]);
  for (const names of [["ada", "bob", "eve"], ["eve"]]) {
    const { toolNode } = siftGraph(new ToolSift({ activation: "off" }), { tools });
    const team = new lg.StateGraph(lg.MessagesAnnotation)
      .addNode("model", () => ({ messages: [reply(...names.map((name) => call(`to_${name}`)))] }))
      .addNode("tools", toolNode)
      .addEdge(lg.START, "model")
      .addEdge("model", "tools");
    const around = new lg.StateGraph(lg.MessagesAnnotation).addNode("team", team.compile(), { ends: ["ada", "bob", "eve"] });
    for (const name of ["ada", "bob", "eve"]) around.addNode(name, arrives(name));
    await around.addEdge(lg.START, "team").compile().invoke(input("Go."));
  }
  assert.deepEqual(arrived.slice(0, 3).toSorted(), [
    ["ada", "ada", "bob"],
    ["bob", "ada", "bob"],
    ["eve", "eve"],
  ]);
  assert.deepEqual(arrived.slice(3), [["eve", "eve"]]);
});

test("the prompt section stands behind the system message, or for itself", async () => {
  const { request } = siftGraph(await siftOf(app), { execute });
  const human = new lc.HumanMessage("Go.");
  const [own, ...others] = request([new lc.SystemMessage("You are an agent."), human]).messages;
  assert.match(own.text, /^You are an agent\.\n\n## Finding tools/);
  assert.deepEqual(others, [human]);
  const { tools, messages } = request([human]);
  assert.match(messages[0].text, /^## Finding tools/);
  assert.deepEqual(pluck(tools, "name"), ["search_tools", "add_tool", "show_all_tools"]);
  const parts = new lc.SystemMessage({ content: [{ type: "text", text: "A", cache_control: { type: "ephemeral" } }] });
  const [{ content }] = request([parts, human]).messages;
  assert.deepEqual([content[0], content.length], [{ type: "text", text: "A", cache_control: { type: "ephemeral" } }, 2]);
});
