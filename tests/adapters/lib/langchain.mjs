/** Helpers for the tests of LangChain's adapter: agents and graphs with a scripted vendor, and tools of LangChain. */

import { afterAll } from "vitest";
import { startVendor } from "../../apis/vendor.mjs";
import { chat } from "../../apis/chat.mjs";
import { appWith } from "./app.mjs";
import { chatModel, LANGCHAIN } from "./drives/langchain.mjs";

export { add, call, search } from "./calls.mjs";

export const app = await appWith(LANGCHAIN);
export const lc = await app.load("langchain");
export const lg = await app.load("@langchain/langgraph");
export const { siftMiddleware, siftGraph } = await app.load("toolsift/langchain");
export const { ToolSift } = await app.load("toolsift");
const { z } = await app.load("zod");

let vendors = 0;

/**
 * A vendor of one test, and a model that speaks to it. Each has ids of its own, as LangGraph takes a message of the same id
 * for the same message.
 */
export async function modelOf(script) {
  const own = `v${(vendors += 1)}`;
  const wire = { ...chat, reply: (reply, body) => ({ ...chat.reply(reply, body), id: `chatcmpl-${own}-${reply.step}` }) };
  const vendor = await startVendor(wire, async (request, step) => {
    const { calls = [], ...others } = await script(request, step);
    return { ...others, calls: calls.map((one, at) => ({ id: `call_${own}_${step}_${at}`, ...one })) };
  });
  afterAll(() => vendor.close());
  return { requests: vendor.requests, model: await chatModel(app, vendor) };
}

/** An agent: `{ agent, requests, ask }`, where `ask` is one run of it. */
export async function agentOf({ sift, script, options, before = [], behind = [], ...others }) {
  const { model, requests } = await modelOf(script);
  const middleware = [...before, siftMiddleware(sift, options), ...behind];
  const agent = lc.createAgent({ model, middleware, ...others });
  const ask = (text, config = {}) => agent.invoke({ messages: [{ role: "user", content: text }] }, config);
  return { agent, requests, ask };
}

/** In the thread of this id. */
export const thread = (id) => ({ configurable: { thread_id: id } });

/** A tool of LangChain's without parameters. */
export const plain = (name, run = () => `${name} did it`, more = {}) =>
  lc.tool(run, { name, description: `The tool ${name}.`, schema: { type: "object", properties: {} }, ...more });

/** LangChain's own tools, of each kind, and what they were given: `{ tools, ran }`. */
export function ownTools() {
  const ran = [];
  const note = (name) => (input, config) => {
    ran.push({ name, input, config });
    return `${name} did it`;
  };
  const forecast = lc.tool(note("get_forecast"), {
    name: "get_forecast",
    description: "Weather forecast for a city on the coming days.",
    schema: z.object({ city: z.string().describe("The city"), days: z.number().int().default(1) }),
  });
  const tide = lc.tool(note("get_tide"), {
    name: "get_tide",
    description: "High and low tide times of a harbour.",
    schema: { type: "object", properties: { harbour: { type: "string" } }, required: ["harbour"] },
  });
  const shout = new lc.DynamicTool({ name: "shout", description: "Says a text in capitals.", func: note("shout") });
  const chart = lc.tool(() => ["a chart", { points: [1, 2] }], {
    name: "draw_chart",
    description: "Draws a chart of numbers.",
    schema: z.object({}),
    responseFormat: "content_and_artifact",
  });
  const fax = lc.tool(note("send_fax"), {
    name: "send_fax",
    description: "Sends a fax and ends.",
    schema: z.object({}),
    returnDirect: true,
  });
  return { tools: [forecast, tide, shout, chart, fax], ran };
}

/** The text of each answer in a state, in their order. */
export const answersIn = ({ messages }) => messages.filter(({ type }) => type === "tool").map(({ text }) => text);
