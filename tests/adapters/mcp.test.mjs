/**
 * Tests agents with real MCP servers under `connectMcp`, over stdio, with clients of both SDKs, in the loop of the installed
 * package.
 * 1. The requests, step by step, and the effects in the servers.
 * 2. A killed process that comes back.
 * 3. Instructions of the servers that a session may see.
 *
 * Changing lists and ended calls are in mcp-lists and mcp-trouble.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { DISCOVERY, add, call, script } from "./lib/calls.mjs";
import { SDKS, bench } from "./lib/mcp.mjs";

const entity = (name) => ({ entities: [{ name, entityType: "person", observations: ["likes engines"] }] });

for (const sdk of SDKS) {
  const label = `toolsift/mcp (${sdk.label}): `;
  const open = [];
  afterAll(() => Promise.all(open.map((servers) => servers.close())));

  /** A catalog over real servers, by their names: how each is started. */
  async function office(wanted, options) {
    const tools = await bench(sdk);
    const started = {};
    for (const [name, [server, how]] of Object.entries(wanted)) started[name] = await tools.started(server, how);
    const sift = new tools.ToolSift({ activation: "on" });
    const clients = Object.fromEntries(Object.entries(started).map(([name, { client }]) => [name, client]));
    const servers = await tools.connectMcp(sift, clients, options);
    open.push(servers);
    /** One run of an agent whose model follows a script. */
    const run = async (session, replies, others) => {
      const sent = [];
      const answers = [];
      const report = await tools.runTools(session, {
        send: async (request) => {
          sent.push(request.tools.map(({ name }) => name));
          answers.push(request.answers.map(({ content }) => content));
          return { calls: [], ...(await replies(request, request.step)) };
        },
        execute: servers.execute,
        ...others,
      });
      return { sent, answers, report };
    };
    return { ...tools, started, sift, servers, run };
  }

  const files = ["filesystem", { args: ["FOLDER"] }];

  test(`${label}what the model is sent, step by step, and what the servers did`, async () => {
    const { started, sift, servers, run } = await office({ memory: ["memory"], files });
    assert.deepEqual(
      servers.status().map(({ state, tools, rejected }) => [state, tools, rejected.length]),
      [
        ["connected", 9, 0],
        ["connected", 14, 0],
      ],
    );
    writeFileSync(join(started.files.folder, "ada.txt"), "Ada likes engines.");
    const session = sift.session("chat");
    const path = join(started.files.folder, "ada.txt");
    const replies = script(
      [call("search_tools", { query: "read a text file" })],
      [call("read_text_file", { path }), add("create_entities")],
      [call("create_entities", entity("Ada"))],
      [call("read_text_file", { path: "/etc/passwd" }), call("read_graph", {})],
    );
    const { sent, answers, report } = await run(session, replies);
    assert.equal(report.finish, "done");
    assert.deepEqual(sent[0], DISCOVERY);
    assert.equal(sent[1][3], "read_text_file");
    assert.equal(sent[2].at(-1), "create_entities");
    for (const [at, names] of sent.slice(1).entries())
      assert.deepEqual(names.slice(0, sent[at].length), sent[at], "only appended");
    assert.equal(answers[2][0], "Ada likes engines.");
    assert.match(answers[3][0], /"name": "Ada"/);
    assert.match(answers[4][0], /Access denied/);
    const { content } = await servers.execute({ server: "memory", name: "read_graph", arguments: {} });
    assert.match(content[0].text, /likes engines/);
  });

  test(`${label}instructions of the servers are text for the prompt, of those that a session may see`, async () => {
    const { sift, servers } = await office({ everything: ["everything", { args: ["stdio"] }], files });
    const all = servers.instructions();
    assert.match(
      all,
      /^## What the servers say of their tools\n\n.*\n\nThe server "everything" says:\n> # Everything Server/,
    );
    assert.doesNotMatch(all, /server="files"/, "it says nothing");
    assert.equal(servers.instructions(sift.session("all")), all);
    assert.equal(servers.instructions(sift.session("files", { scope: { servers: ["files"] } })), "");
    assert.equal(servers.instructions(sift.session("echo", { scope: { tools: ["everything:echo"] } })), all);
  });
}
