/**
 * Tests `toolsift()` of the AI SDK adapter, with real MCP servers over stdio.
 * 1. `generateText`, `streamText` and `ToolLoopAgent` find and run tools of servers and of the program, turn after turn.
 * 2. The program's own settings apply: `prepareStep`, `stopWhen`, the system prompt, the hook for broken calls,
 *    `prepareCall`, and its tools.
 */

import assert from "node:assert/strict";
import { afterAll, test } from "vitest";
import { configOf, MCP } from "./lib/doorway.mjs";
import { answers, call, MAJORS, sdk, sent, system } from "./lib/mock-model.mjs";

const DISCOVERY = ["search_tools", "add_tool", "show_all_tools"];

/** What the tests of one major share. */
async function worldOf({ major, packages }) {
  const { app, ai, z, model } = await sdk({ major, packages: { ...packages, ...MCP } });
  const { toolsift } = await app.load("toolsift/ai-sdk");
  const { mcpServers } = configOf("memory", "filesystem");
  const ran = [];
  const own = (name, more = {}) =>
    ai.tool({
      description: `The ${name} of this house`,
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => (ran.push([name, city]), `${name} in ${city}`),
      ...more,
    });
  const weather = own("weather forecast");
  const sift = await toolsift({ mcpServers, tools: { weather }, activation: "on", packs: false });
  return { ai, model, ran, own, weather, sift };
}

// All are there before the first test is: a file's tests begin while the file still waits.
const worlds = await Promise.all(MAJORS.map(worldOf));
afterAll(() => Promise.all(worlds.map(({ sift }) => sift.close())));

for (const [at, { label, major }] of MAJORS.entries()) {
  const { ai, model, ran, own, weather, sift } = worlds[at];
  const chat = (id, settings) => sift.with(`${label}-${id}`, { prompt: "Go on.", ...settings });

  test(`${label}: the host's prepareStep, stopWhen, system prompt and hook hold beside ours`, async () => {
    const steps = [];
    const repaired = [];
    const mock = model((step) =>
      step === 1 ? [call("wheather", { city: "Rome" })] : [call("search_tools", { query: "graph" })],
    );
    await ai.generateText(
      chat("two", {
        model: mock,
        system: "Be kind.",
        prepareStep: ({ stepNumber, ...told }) => {
          steps.push([stepNumber, "messages" in told]);
          return stepNumber === 1 ? { toolChoice: "required" } : undefined;
        },
        stopWhen: [ai.stepCountIs(9), ({ steps }) => steps.length === 3],
        [major === 6 ? "experimental_repairToolCall" : "repairToolCall"]: async ({ toolCall }) => {
          repaired.push(toolCall.toolName);
          return null;
        },
      }),
    );
    assert.deepEqual(steps, [
      [0, true],
      [1, true],
      [2, true],
    ]);
    assert.deepEqual(repaired, ["wheather"]);
    assert.deepEqual(
      mock.doGenerateCalls.map(({ toolChoice }) => toolChoice.type),
      ["auto", "required", "auto"],
    );
    const [prompt, ...others] = system(mock);
    assert.deepEqual(others, []);
    assert.match(prompt, /^Be kind\.\n\n/);
    assert.ok(prompt.includes("memory") && prompt.includes("filesystem"), "our section names the servers");
  });

  test(`${label}: tools of the settings are always sent, and run and fail as without us`, async () => {
    const lamp = own("lamp");
    const script = [
      [call("lamp", { city: "Bonn" })],
      [call("lamp", { town: "Bonn" })],
      [call("search_tools", { query: "write a file" })],
    ];
    const mock = model(...script);
    const result = await ai.generateText(chat("three", { model: mock, tools: { lamp, weather } }));
    assert.equal(result.text, "done");
    assert.deepEqual(ran.splice(0), [["lamp", "Bonn"]]);
    assert.deepEqual(
      sent(mock)[0],
      [...DISCOVERY, "lamp"],
      "a tool of toolsift({ tools }) is searched, also where it is passed again",
    );
    assert.ok(sent(mock)[3].includes("write_file"));
    const [, [, broken]] = answers(mock);
    assert.match(JSON.stringify(broken), /Invalid input/);
  });

  test(`${label}: an agent, twice at once, and with a prepareCall that adds a tool`, async () => {
    const lamp = own("lamp");
    const mock = model((step) => (step === 1 ? [call("search_tools", { query: "write a file" })] : []));
    const agent = new ai.ToolLoopAgent(sift.with(`${label}-six`, { model: mock, instructions: "Be kind." }));
    await Promise.all([agent.generate({ prompt: "Go on." }), agent.generate({ prompt: "Go on." })]);
    assert.match(system(mock)[0], /^Be kind\.\n\n/);
    assert.ok(sent(mock).at(-1).includes("write_file"));

    const told = [];
    const inner = model([call("lamp", { city: "Ulm" })]);
    const settings = {
      model: inner,
      instructions: "Be brief.",
      prepareCall: ({ options: _, ...given }) => {
        told.push([Object.keys(given.tools ?? {}), given.prepareStep]);
        return { ...given, instructions: "Be quick.", tools: { ...given.tools, lamp } };
      },
    };
    const other = new ai.ToolLoopAgent(sift.with(`${label}-seven`, settings));
    await other.generate({ prompt: "Go on." });
    assert.deepEqual(told, [[[], undefined]], "the host's prepareCall is told what the host has said, not ours");
    assert.deepEqual(sent(inner)[0], [...DISCOVERY, "lamp"]);
    assert.deepEqual(ran.splice(0), [["lamp", "Ulm"]]);
    assert.match(system(inner)[0], /^Be quick\.\n\n/);
  });
}
