/**
 * Is `toolsift()` of the OpenAI Agents SDK one call that does it all, with real MCP servers over stdio?
 * 1. An agent finds and runs tools of servers and own tools, turn after turn, also when it is streamed.
 * 2. Approval and events of the options hold.
 * 3. The README's few lines compile under `strict`.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { appWith } from "./lib/app.mjs";
import { DISCOVERY, call, search, script } from "./lib/calls.mjs";
import { configOf, MCP } from "./lib/doorway.mjs";
import { openaiAgents, resultOf, withRunner } from "./lib/drives/openai-agents.mjs";
import { compiles } from "./lib/strict.mjs";
import { pluck } from "./lib/tools.mjs";

const LINES = `
import { Agent, run } from "@openai/agents";
import { toolsift } from "toolsift/openai-agents";

const sift = await toolsift({ mcpServers: { files: { command: "npx", args: ["-y", "files"] }, web: { url: "https://example.org" } } });
const agent = new Agent(sift.with("chat-42", { name: "Helper", instructions: "You help.", model: "gpt-5.4" }));
const { finalOutput } = await run(agent, "Remember that Ada likes engines.", sift.runOptions({ maxTurns: 20 }));
console.log(finalOutput?.toUpperCase());
await sift.close();
// @ts-expect-error an agent has no such setting
sift.with("chat-42", { name: "Helper", instruction: "You help." });
// @ts-expect-error there is no such option
await toolsift({ mcpServer: {} });
`;

const settings = { name: "helper", instructions: "You help.", model: "gpt-5.4" };

for (const version of allOrLast(openaiAgents.versions)) {
  const packages = { ...version, ...MCP };

  test(`${version["@openai/agents"]}: tools of servers and own ones are found, approved, run, and stay in the session`, async () => {
    const app = await appWith(packages);
    const { Agent, tool } = await app.load("@openai/agents");
    const { z } = await app.load("zod");
    const { toolsift } = await app.load("toolsift/openai-agents");
    const { folder, mcpServers } = configOf("memory", "filesystem");
    const path = `${folder}/note.txt`;
    const weather = tool({
      name: "weather",
      description: "The weather forecast of a city.",
      parameters: z.object({ city: z.string() }),
      execute: async ({ city }) => `rain in ${city}`,
    });
    const events = [];
    const sift = await toolsift({
      mcpServers,
      tools: [weather],
      activation: "on",
      needsApproval: ({ name }) => name === "write_file",
      onEvent: ({ type }) => void events.push(type),
    });
    try {
      const write = [call("write_file", { path, content: "hello" })];
      await withRunner(app, script([search("write a file")], write), async ({ runner, requests }) => {
        const agent = new Agent(sift.with("chat", settings));
        const held = await runner.run(agent, "Go.", sift.runOptions());
        assert.deepEqual(requests[0].tools, DISCOVERY);
        assert.deepEqual(pluck(held.interruptions, "name"), ["write_file"]);
        held.state.approve(held.interruptions[0]);
        const { finalOutput } = await runner.run(agent, held.state, sift.runOptions());
        assert.deepEqual([finalOutput, readFileSync(path, "utf8")], ["All done.", "hello"]);
      });
      const forecast = call("weather", { city: "Oslo" });
      await withRunner(
        app,
        script([forecast], [forecast]),
        async ({ runner, requests }) => {
          const agent = new Agent(sift.with("chat", settings));
          await resultOf(runner, agent, "And the weather?", sift.runOptions({ stream: true }));
          assert.ok(requests[0].tools.includes("write_file"), "what was revealed is revealed in the next run");
          assert.match(requests[1].answers[0], /weather was not loaded/);
          assert.deepEqual(requests[2].answers, ["rain in Oslo"]);
        },
        "responses",
      );
      assert.deepEqual(
        events.filter((type) => type !== "reveal"),
        ["search", "dispatch", "refuse", "dispatch"],
      );
      assert.deepEqual(pluck(sift.status(), "name", "state"), [
        ["memory", "connected"],
        ["filesystem", "connected"],
      ]);
    } finally {
      await sift.close();
    }
  });

  compiles(`${version["@openai/agents"]}: the few lines compile under strict`, LINES, packages);
}
