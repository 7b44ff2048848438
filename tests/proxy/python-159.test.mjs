/**
 * Does an agent in Python with 159 tools, changed in nothing but `base_url`, complete its conversation with the tokens of
 * `sift`? The tools are those of six real MCP servers.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { appWith } from "../adapters/lib/app.mjs";
import { call, DISCOVERY, ISSUE, search } from "../adapters/lib/calls.mjs";
import { ALL_TOOLS, lead, numbered } from "./lib/agents.mjs";
import { pythonAnthropic, pythonForClients, pythonOpenai, pythonResponses } from "./lib/clients/python.mjs";
import { script } from "./lib/conversations.mjs";

const { python, reason } = await pythonForClients();
const PLAIN = [[call("create_issue", ISSUE)], [call("read_text_file", { path: "a.txt" })]];
const SIFTED = [[search("create an issue in a repository")], PLAIN[0], [search("read a text file")], PLAIN[1]];
const FORMATS = { chat: "openai", responses: "openai-responses", messages: "anthropic" };

for (const client of [pythonOpenai, pythonResponses, pythonAnthropic]) {
  test(`${client.label}: 159 tools for the tokens of sift`, { skip: reason }, async () => {
    assert.equal(ALL_TOOLS.length, 159);
    // Without a proxy, a vendor that takes 128 tools would refuse.
    const about = { python, stream: true, tools: ALL_TOOLS, wire: { mostTools: 200 } };
    const without = await lead(client, { ...about, door: "none", script: script(...PLAIN) });
    const options = { sift: { activation: "auto" } };
    const through = await lead(client, { ...about, wire: {}, door: "url", options, script: script(...SIFTED) });

    assert.equal(through.text, "All done.");
    assert.deepEqual(
      through.ran.map(({ name }) => name),
      ["create_issue", "read_text_file"],
    );
    assert.deepEqual(numbered(through.messages), numbered(without.messages));

    const { ToolSift } = await (await appWith()).load("toolsift");
    const sift = new ToolSift();
    // A client sends no titles, which the search would read.
    sift.register(ALL_TOOLS.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
    const session = sift.session("chat");
    for (const [at, reply] of SIFTED.entries()) {
      const { tools } = session.assemble({ format: FORMATS[client.wire] });
      const sent = through.requests[at];
      assert.deepEqual(
        sent.tools,
        tools.map((tool) => tool.name ?? tool.function.name),
        "what sift would send",
      );
      for (const { name, args } of reply) session.call(name, args);
    }
    assert.deepEqual(through.requests[0].tools, DISCOVERY);
    const tokens = ({ requests }) => requests.reduce((sum, { toolTokens }) => sum + toolTokens, 0);
    assert.ok(tokens(through) * 5 < tokens(without), `${tokens(through)} tokens instead of ${tokens(without)}`);
  });
}
