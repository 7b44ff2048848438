/**
 * Tests that parameters with names that a vendor refuses are sent under other names, and that the tool gets its own names
 * back.
 *
 * These are tools of a framework, as their own schema reads them; tools of servers are in tests/conversations.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { add, call, script } from "./lib/calls.mjs";
import { openaiAgents, withRunner } from "./lib/drives/openai-agents.mjs";
import { MAJORS, call as calling, sdk } from "./lib/mock-model.mjs";
import { host, siftOf } from "./lib/tools.mjs";

const NAMES = { "filter[name]": "filter_name", $top: "top" };
const OWN = { "filter[name]": "ada", $top: 5 };
const SAFE = { filter_name: "ada", top: 5 };
const SCHEMA = {
  type: "object",
  properties: { "filter[name]": { type: "string" }, $top: { type: "number" } },
  required: Object.keys(NAMES),
};
const LISTING = { name: "list_users", description: "Lists the users of the directory.", inputSchema: SCHEMA };

for (const one of MAJORS) {
  const { ai, z, model, siftTools, ToolSift, app } = await sdk(one);
  const ran = [];
  const execute = (input) => (ran.push(input), "ran");
  const { description } = LISTING;
  const shapes = {
    "a schema that checks": z.object({ "filter[name]": z.string(), $top: z.number() }).strict(),
    "plain JSON Schema": ai.jsonSchema(SCHEMA),
  };
  for (const [title, inputSchema] of Object.entries(shapes)) {
    const tools = { list_users: ai.tool({ description, inputSchema, execute }) };

    test(`${one.label}: a tool of the host's own, ${title}`, async () => {
      ran.length = 0;
      const sift = new ToolSift({ activation: "on" });
      const session = sift.session("chat");
      const sifted = await siftTools(sift, { tools });
      session.reveal(["list_users"]);
      const mock = model([calling("list_users", SAFE)]);
      await ai.generateText({ model: mock, prompt: "Go on.", ...sifted.for(session) });
      const sent = mock.doGenerateCalls[0].tools.find(({ name }) => name === "list_users");
      assert.deepEqual(Object.keys(sent.inputSchema.properties), Object.values(NAMES));
      assert.deepEqual(sent.inputSchema.required, Object.values(NAMES));
      assert.deepEqual(ran, [OWN]);
    });

    test(`${one.label}: a model that is wrapped, ${title}`, async () => {
      ran.length = 0;
      const { siftModelMiddleware } = await app.load("toolsift/ai-sdk-middleware");
      const mock = model([calling("list_users", SAFE)]);
      const wrapped = ai.wrapLanguageModel({
        model: mock,
        middleware: siftModelMiddleware({ sift: { activation: "off" } }),
      });
      await ai.generateText({ model: wrapped, prompt: "Go on.", tools, stopWhen: ai.stepCountIs(3) });
      const [sent] = mock.doGenerateCalls[0].tools;
      assert.deepEqual(Object.keys(sent.inputSchema.properties), Object.values(NAMES));
      assert.deepEqual(ran, [OWN]);
    });
  }
}

test("OpenAI Agents: a tool of the host's own", async () => {
  const app = await appWith(openaiAgents.versions.at(-1));
  const { Agent, tool } = await app.load("@openai/agents");
  const { siftAgents } = await app.load("toolsift/openai-agents");
  const ran = [];
  const parameters = { ...SCHEMA, additionalProperties: true };
  const own = tool({ ...LISTING, parameters, strict: false, execute: (input) => (ran.push(input), "ran") });
  const agents = siftAgents(await siftOf(app), { tools: [own], execute: host().execute });
  const agent = new Agent(agents.with("chat", { name: "agent", instructions: "Go.", model: "gpt-5.4" }));
  await withRunner(app, script([add("list_users")], [call("list_users", SAFE)]), async ({ runner }) => {
    await runner.run(agent, "Go.", agents.runOptions());
    assert.deepEqual(ran, [OWN]);
  });
});
