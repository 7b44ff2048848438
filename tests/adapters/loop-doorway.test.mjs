/**
 * Tests `toolsift()` of vendors whose SDK has no loop, in addition to the shared contract, with real MCP servers.
 * 1. Tools of servers and of the program are found, run, and stay loaded in the session.
 * 2. The program's tools get arguments as their schema reads them. Wrong arguments and thrown errors are reported to the
 *    model.
 * 3. A tool of the program keeps its name next to a server's tool of the same name, and a call of the server's tool never
 *    runs it.
 * 4. Skills belong to all users or to one user, with their `read` functions.
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

test("skills of all users, and of one", async () => {
  const skill = (name, of) => ({
    name,
    description: `How ${of} book tables in restaurants.`,
    text: `Ask ${of}.`,
    tools: ["book_table"],
    read: async (path) => `${path} of ${of}`,
  });
  const tools = { book_table: { description: "Books.", inputSchema: { type: "object" }, execute: () => "booked" } };
  const sift = await toolsift({ tools, skills: [skill("book-a-table", "guests")], activation: "on" });
  const read = (name) => call("read_skill", { skill: name, path: "a.md" });
  const lead = (session, ...replies) =>
    withVendor(app, chat, script(...replies), async ({ client, requests }) => {
      await sift.run(session, client, { model: "gpt-5.2", messages: [{ role: "user", content: "Go on." }] });
      return requests;
    });
  try {
    const ada = await sift.user("ada", { skills: [skill("ask-ada", "ada")] });
    const requests = await lead(
      ada.session,
      [add("book-a-table", "ask-ada")],
      [read("book-a-table"), read("ask-ada"), call("book_table")],
    );
    assert.match(requests[1].answers[0], /^Added: book-a-table, ask-ada, book_table\n/);
    assert.deepEqual(
      requests[2].answers.map((answer) => answer.split("\n")[1] ?? answer),
      ["a.md of guests", "a.md of ada", "booked"],
    );
    const others = await lead("bob", [add("ask-ada")], [read("ask-ada")]);
    assert.match(others[1].answers[0], /^Not found: ask-ada/);
    assert.match(others[2].answers[0], /There is no skill named/);
    for (const [skills, code, message] of [
      [[{ name: "a" }], "skill_invalid", /options\.skills\.a: a skill needs a text/],
      [[{ name: "a", text: "x", read: "a.md" }], "skill_invalid", /read of a skill must be a function/],
      [{ a: "x" }, "option_invalid", /options\.skills must be a list/],
    ]) {
      await assert.rejects(toolsift({ skills }), { code, message });
    }
    await assert.rejects(toolsift({ skills: [skill("a", "b")], profile: "bridge" }), { code: "skills_full" });
  } finally {
    await sift.close();
  }
});
