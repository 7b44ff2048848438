/**
 * Is `toolsift()` of OpenAI, Anthropic and Google one call that does it all? With the real SDKs, a vendor on this machine, and
 * real MCP servers over stdio:
 * 1. `run` finds and runs tools of servers and own tools, and what was revealed is there in the next run.
 * 2. Own tools are given what their schema makes of the arguments; what does not fit is told to the model and not run.
 * 3. An own tool keeps its name beside a server's tool of that name, and a server's call never runs it.
 * 4. What is wrong with own tools, sessions, clients and options is refused with a stable code.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterAll, test } from "vitest";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { gemini as google } from "../apis/gemini.mjs";
import { appWith } from "./lib/app.mjs";
import { configOf, MCP } from "./lib/doorway.mjs";
import { anthropic } from "../apis/messages.mjs";
import { responses } from "../apis/responses.mjs";

const user = (content) => [{ role: "user", content }];
const openaiOf = ({ default: OpenAI }, url) => new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 });

const ROADS = [
  {
    label: "Chat Completions",
    adapter: "openai",
    sdk: "openai",
    wire: chat,
    client: openaiOf,
    run: (sift, id, client, more) => sift.run(id, client, { model: "gpt-5.2", messages: user("Go on.") }, more),
  },
  {
    label: "Responses",
    adapter: "openai",
    sdk: "openai",
    wire: responses,
    client: openaiOf,
    run: (sift, id, client, more) => sift.runResponses(id, client, { model: "gpt-5.2", input: user("Go on.") }, more),
  },
  {
    label: "Anthropic",
    adapter: "anthropic",
    sdk: "@anthropic-ai/sdk",
    wire: anthropic,
    client: ({ default: Anthropic }, url) => new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0 }),
    run: (sift, id, client, more) =>
      sift.run(id, client, { model: "claude-opus-5-5", max_tokens: 99, messages: user("Go on.") }, more),
  },
  {
    label: "Google",
    adapter: "google",
    sdk: "@google/genai",
    wire: google,
    client: ({ GoogleGenAI }, url) => new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } }),
    run: (sift, id, client, more) => {
      const contents = [{ role: "user", parts: [{ text: "Go on." }] }];
      return sift.run(id, client, { model: "gemini-3.8-flash", contents }, more);
    },
  },
];

const call = (name, args = {}) => ({ calls: [{ name, args }] });
const script =
  (...replies) =>
  (_, step) =>
    replies[step - 1] ?? { text: "All done." };

/** What the tests of one road share. */
async function worldOf({ adapter, sdk, wire, client, run }) {
  const app = await appWith({ [sdk]: sdk, ...MCP });
  const { toolsift } = await app.load(`toolsift/${adapter}`);
  const { z } = await app.load("zod");
  const { folder, mcpServers } = configOf("memory", "filesystem");
  const ran = [];
  const events = [];
  const tools = {
    book_table: {
      description: "Books a table in a restaurant",
      inputSchema: z.object({ guests: z.coerce.number().int(), at: z.string().default("noon") }),
      execute: (input, { id }) => (ran.push([input, typeof id]), { booked: true }),
    },
    lamp: {
      description: "Switches the lamp of the room",
      inputSchema: { type: "object", properties: { on: { type: "boolean" } } },
      execute: () => {
        throw new Error("no current");
      },
    },
    // The memory server has a tool of this name.
    read_graph: {
      description: "Reads the graph of this house",
      inputSchema: { type: "object" },
      execute: () => "our own graph",
    },
  };
  const sift = await toolsift({
    mcpServers,
    tools,
    activation: "on",
    onEvent: ({ type, tool }) => events.push(`${type} ${tool}`),
  });
  const lead = async (id, replies, more) => {
    const vendor = await startVendor(wire, script(...replies));
    try {
      return { requests: vendor.requests, ...(await run(sift, id, client(await app.load(sdk), vendor.url), more)) };
    } finally {
      await vendor.close();
    }
  };
  return { toolsift, folder, mcpServers, tools, ran, events, sift, lead };
}

// All are there before the first test is: a file's tests begin while the file still waits.
const worlds = await Promise.all(ROADS.map(worldOf));
afterAll(() => Promise.all(worlds.map(({ sift }) => sift.close())));

for (const [at, { label, run }] of ROADS.entries()) {
  const { toolsift, folder, mcpServers, tools, ran, events, sift, lead } = worlds[at];
  const refused = (work, code, message) => assert.rejects(work, { name: "ToolSiftError", code, message });

  test(`${label}: tools of servers and own ones are found and run, and stay in the session`, async () => {
    const path = `${folder}/note.txt`;
    const reveal = call("add_tool", { tool_names: ["write_file", "book_table"] });
    const done = await lead("one", [
      reveal,
      call("write_file", { path, content: "hello" }),
      call("book_table", { guests: "4" }),
    ]);
    assert.deepEqual([done.text, done.finish, done.steps], ["All done.", "done", 4]);
    assert.equal(readFileSync(path, "utf8"), "hello");
    assert.deepEqual(ran.splice(0), [[{ guests: 4, at: "noon" }, "string"]]);
    assert.match(done.requests[3].answers[0], /"booked":true/);
    assert.ok(events.includes("dispatch book_table"));
    const next = await lead("one", []);
    assert.deepEqual(next.requests[0].tools.slice(-2), ["write_file", "book_table"]);
  });

  test(`${label}: arguments that do not fit, and a tool that throws, are told to the model`, async () => {
    const reveal = call("add_tool", { tool_names: ["lamp", "book_table"] });
    const { requests } = await lead("two", [reveal, call("book_table", { guests: "many" }), call("lamp", { on: true })]);
    assert.match(requests[2].answers[0], /book_table failed: the arguments do not fit the schema: guests: /);
    assert.match(requests[3].answers[0], /lamp failed: no current/);
    assert.deepEqual(ran, []);
  });

  test(`${label}: an own tool and a server's tool of one name`, async () => {
    const reveal = call("add_tool", { tool_names: ["read_graph", "memory__read_graph"] });
    const { requests } = await lead("three", [reveal, call("read_graph"), call("memory__read_graph")]);
    assert.equal(requests[2].answers[0], "our own graph");
    assert.match(requests[3].answers[0], /"entities": \[\]/);
  });

  test(`${label}: a run has its bounds, and a scope`, async () => {
    const search = call("search_tools", { query: "write a file" });
    const few = await lead("four", [search, search, search], { maxSteps: 2 });
    assert.deepEqual([few.finish, few.steps, few.text], ["steps", 2, ""]);
    const ended = AbortSignal.abort(new Error("enough"));
    await assert.rejects(lead("four", [], { signal: ended }), /enough/);
    const scoped = await lead(sift.session("five", { scope: { servers: ["memory"] } }), [search]);
    assert.ok(!scoped.requests.flatMap(({ tools }) => tools).includes("write_file"));
  });

  test(`${label}: what is wrong is refused`, async () => {
    const lamp = tools.lamp;
    const open = (more) => () => toolsift({ mcpServers, tools: more });
    await refused(open([lamp]), "option_invalid", /options\.tools must be an object, got a list/);
    await refused(open({ lamp: null }), "option_invalid", /options\.tools\.lamp must be an object/);
    await refused(open({ lamp: { ...lamp, descripton: "x" } }), "option_unknown", /did you mean description\?/);
    await refused(open({ lamp: { ...lamp, execute: 1 } }), "option_invalid", /tools\.lamp\.execute is number 1/);
    await refused(
      open({ lamp: { ...lamp, description: undefined } }),
      "option_invalid",
      /tools\.lamp\.description is undefined/,
    );
    await refused(open({ lamp: { ...lamp, inputSchema: "none" } }), "schema_invalid", /tools\.lamp\.inputSchema/);
    await refused(open({ lamp: { ...lamp, inputSchema: { type: "array" } } }), "schema_invalid", /lamp/);
    await refused(open({ search_tools: lamp }), "name_reserved", /search_tools/);
    await refused(run(sift, "x", null), "option_invalid", /client/);
    await refused(run(sift, 7, {}), "option_invalid", /session/);
    await refused(lead("x", [], null), "option_invalid", /options/);
    await refused(lead("x", [], { maxStep: 2 }), "option_unknown", /did you mean maxSteps/);
    await refused(lead("x", [], { maxSteps: 0 }), "limit_out_of_range", /maxSteps/);
  });
}
