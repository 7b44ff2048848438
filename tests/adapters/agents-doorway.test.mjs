/**
 * Is `toolsift()` of LangChain one call that does it all, with a real agent and real MCP servers over stdio?
 * 1. An agent of `with` finds and runs tools of servers and own tools; its thread is the session.
 * 2. The host's own middlewares and tools hold beside ours.
 * 3. Ours may stand among the host's own, and is not added twice.
 * 4. A tool of the settings never mixes with another one of its name; settings that are none are refused.
 */

import assert from "node:assert/strict";
import { afterAll, test } from "vitest";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { appWith } from "./lib/app.mjs";
import { call, DISCOVERY, script } from "./lib/calls.mjs";
import { configOf, MCP } from "./lib/doorway.mjs";
import { chatModel, LANGCHAIN } from "./lib/drives/langchain.mjs";

/** A vendor of one test. */
async function vendorOf(...replies) {
  const vendor = await startVendor(chat, script(...replies));
  afterAll(() => vendor.close());
  return vendor;
}

async function langchain() {
  const app = await appWith({ ...LANGCHAIN, ...MCP });
  const { toolsift } = await app.load("toolsift/langchain");
  const lc = await app.load("langchain");
  const { z } = await app.load("zod");
  const { folder, mcpServers } = configOf("memory", "filesystem");
  const ran = [];
  const own = (name) =>
    lc.tool(({ city }) => (ran.push([name, city]), `${name} in ${city}`), {
      name,
      description: `The ${name}`,
      schema: z.object({ city: z.string() }),
    });
  const weather = own("weather");
  const sift = await toolsift({ mcpServers, tools: [weather], activation: "on", packs: false });
  return { app, lc, sift, folder, ran, own, weather };
}

// All is there before the first test is: a file's tests begin while the file still waits.
const world = await langchain();
afterAll(() => world.sift.close());

/** One run of an agent of LangChain's in a thread. */
async function runIn(thread, settings, replies) {
  const vendor = await vendorOf(...replies);
  const model = await chatModel(world.app, vendor);
  const agent = world.lc.createAgent(world.sift.with({ model, ...settings }));
  const state = await agent.invoke(
    { messages: [{ role: "user", content: "Go on." }] },
    { configurable: { thread_id: thread } },
  );
  return { requests: vendor.requests, text: state.messages.at(-1).text };
}

test("LangChain: the host's middlewares and tools hold beside ours", async () => {
  const lamp = world.own("lamp");
  const seen = [];
  const watch = world.lc.createMiddleware({
    name: "Watch",
    wrapModelCall: (request, handler) => {
      seen.push(request.tools.map(({ name }) => name));
      return handler(request);
    },
  });
  const settings = { tools: [lamp, world.weather], middleware: [watch], systemPrompt: "Be kind." };
  const { requests } = await runIn("two", settings, [[call("lamp", { city: "Bonn" })]]);
  assert.deepEqual(world.ran.splice(0), [["lamp", "Bonn"]]);
  assert.deepEqual(
    requests[0].tools,
    ["lamp", ...DISCOVERY],
    "a tool of toolsift({ tools }) is searched, also where it is passed again",
  );
  assert.deepEqual(seen[0], ["lamp", ...DISCOVERY], "our middleware stands first");
  assert.match(requests[0].system, /^Be kind\.\n\n/);
  const placed = world.sift.with({ model: "x", middleware: [watch, world.sift.middleware] });
  assert.deepEqual(placed.middleware, [watch, world.sift.middleware]);
});

test("LangChain: what is wrong is refused", () => {
  const { sift, own } = world;
  assert.throws(() => sift.with({ model: "x", tools: [own("weather")] }), {
    code: "option_conflict",
    message: /weather has the name of another tool/,
  });
  assert.throws(() => sift.with({ model: "x", tools: [own("read_graph")] }), {
    code: "option_conflict",
    message: /one of the server memory/,
  });
});
