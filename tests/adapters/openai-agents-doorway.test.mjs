/** Tests `toolsift()` of the OpenAI Agents SDK, in addition to the shared contract: approval of servers' tools. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { appWith } from "./lib/app.mjs";
import { call, script, search } from "./lib/calls.mjs";
import { configOf, MCP } from "./lib/doorway.mjs";
import { openaiAgents, withRunner } from "./lib/drives/openai-agents.mjs";
import { pluck } from "./lib/tools.mjs";

for (const version of allOrLast(openaiAgents.versions)) {
  test(`${version["@openai/agents"]}: a server's tool is found, approved and run`, async () => {
    const app = await appWith({ ...version, ...MCP });
    const { Agent } = await app.load("@openai/agents");
    const { toolsift } = await app.load("toolsift/openai-agents");
    const { folder, mcpServers } = configOf("filesystem");
    const path = `${folder}/note.txt`;
    const sift = await toolsift({ mcpServers, activation: "on", needsApproval: ({ name }) => name === "write_file" });
    try {
      const write = [call("write_file", { path, content: "hello" })];
      await withRunner(app, script([search("write a file")], write), async ({ runner }) => {
        const agent = new Agent(sift.with("chat", { name: "helper", instructions: "You help.", model: "gpt-5.4" }));
        const held = await runner.run(agent, "Go.", sift.runOptions());
        assert.deepEqual(pluck(held.interruptions, "name"), ["write_file"]);
        held.state.approve(held.interruptions[0]);
        const { finalOutput } = await runner.run(agent, held.state, sift.runOptions());
        assert.deepEqual([finalOutput, readFileSync(path, "utf8")], ["All done.", "hello"]);
      });
    } finally {
      await sift.close();
    }
  });
}
