/**
 * What has `toolsift()` of vendors whose SDK has no loop beside the conversations of the contract? Over real MCP servers:
 * 1. Tools of servers and own ones are found, run, and stay in the session. 2. Own tools are given what their schema makes of
 * the arguments; what does not fit, and what they throw, is told to the model. 3. An own tool keeps its name beside a
 * server's tool of that name, and a server's call never runs it.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { chat } from "../apis/chat.mjs";
import { appWith } from "./lib/app.mjs";
import { add, call, script } from "./lib/calls.mjs";
import { configOf, MCP } from "./lib/doorway.mjs";
import { withVendor } from "./lib/openai.mjs";

const app = await appWith({ openai: "openai", ...MCP });
const { toolsift } = await app.load("toolsift/openai");
const { z } = await app.load("zod");

test("servers and own tools behind one door", async () => {
  const { folder, mcpServers } = configOf("memory", "filesystem");
  const path = `${folder}/note.txt`;
  const ran = [];
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
  const sift = await toolsift({ mcpServers, tools, activation: "on", packs: false });
  const lead = (...replies) =>
    withVendor(app, chat, script(...replies), async ({ client, requests }) => {
      const messages = [{ role: "user", content: "Go on." }];
      return { requests, ...(await sift.run("chat", client, { model: "gpt-5.2", messages })) };
    });
  try {
    const names = ["write_file", "book_table", "lamp", "read_graph", "memory__read_graph"];
    const { requests, text } = await lead(
      [add(...names)],
      [call("write_file", { path, content: "hello" }), call("book_table", { guests: "4" })],
      [call("book_table", { guests: "many" }), call("lamp", { on: true })],
      [call("read_graph"), call("memory__read_graph")],
    );
    assert.equal(text, "All done.");
    assert.equal(readFileSync(path, "utf8"), "hello");
    assert.deepEqual(ran, [[{ guests: 4, at: "noon" }, "string"]]);
    assert.match(requests[2].answers[1], /"booked":true/);
    assert.match(requests[3].answers[0], /book_table failed: the arguments do not fit the schema: guests: /);
    assert.match(requests[3].answers[1], /lamp failed: no current/);
    assert.equal(requests[4].answers[0], "our own graph");
    assert.match(requests[4].answers[1], /"entities": \[\]/);
    assert.deepEqual((await lead()).requests[0].tools.slice(3), names);
  } finally {
    await sift.close();
  }
});
