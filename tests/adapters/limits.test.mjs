/**
 * What is sent where a vendor takes fewer tools than there are?
 *
 * 1. The least recently used revealed tools are evicted until the request fits, the host's own tools included; what was just
 * found or called stays. 2. Where the tools that are always there are too many, an error says so before anything is sent, and
 * nothing is evicted. 3. Frameworks name the vendor of their models, and the same holds there.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { appWith } from "./lib/app.mjs";
import { script } from "./lib/contract.mjs";
import { aiSdk } from "./lib/drives/ai-sdk.mjs";
import { langchain } from "./lib/drives/langchain.mjs";
import { mastra } from "./lib/drives/mastra.mjs";
import { openaiAgents } from "./lib/drives/openai-agents.mjs";
import { sentBy } from "./lib/sent.mjs";

const app = await appWith();
const { ToolSift } = await app.load("toolsift");
const { chatModel, responsesModel } = await app.load("toolsift/openai");
const { googleModel } = await app.load("toolsift/google");

const name = (at) => `tool_${String(at).padStart(3, "0")}`;
const many = (count) =>
  Array.from({ length: count }, (_, at) => ({ name: name(at), description: "One.", inputSchema: { type: "object" } }));
const OWN = ["mine", "yours"];

/** How each adapter writes a request with two tools of the host's own, and the names that stand in it. */
const ROADS = [
  {
    road: "Chat Completions",
    format: "openai",
    most: 128,
    names: async (request, options) => {
      const params = { model: "m", messages: [], tools: OWN.map((name) => ({ type: "function", function: { name } })) };
      const { tools } = await sentBy((client) => chatModel(client, params, options), request);
      return tools.map((tool) => tool.function.name);
    },
  },
  {
    road: "Responses",
    format: "openai-responses",
    most: 128,
    names: async (request, options) => {
      const params = { model: "m", input: [], tools: OWN.map((name) => ({ type: "function", name })) };
      const { tools } = await sentBy((client) => responsesModel(client, params, options), request);
      return tools.map(({ name }) => name);
    },
  },
  {
    road: "Gemini",
    format: "google",
    most: 512,
    names: async (request) => {
      const tools = [{ functionDeclarations: OWN.map((name) => ({ name })) }];
      const params = { model: "m", contents: [], config: { tools } };
      const { config } = await sentBy((client) => googleModel(client, params), request);
      return config.tools[0].functionDeclarations.map(({ name }) => name);
    },
  },
];

function sessionOf(count, options) {
  const sift = new ToolSift({ activation: "on", limits: { revealed: 600 }, ...options });
  sift.register(many(count));
  return sift.session("chat");
}

const requestOf = (session, format) => ({ session, step: 1, ...session.assemble({ format }) });

for (const { road, format, most, names } of ROADS) {
  test(`${road}: the least recently used tools are evicted until the request fits`, async () => {
    const session = sessionOf(600);
    const fits = most - OWN.length - 3;
    session.reveal(many(fits).map(({ name }) => name));
    const sent = await names(requestOf(session, format));
    assert.equal(sent.length, most);
    assert.equal(session.revealed.length, fits, "what fits is left alone");

    session.call(name(0), {});
    session.reveal([name(598), name(599)]);
    const next = await names(requestOf(session, format));
    assert.equal(next.length, most);
    assert.deepEqual(next.slice(0, 2), OWN);
    for (const kept of [name(0), name(3), name(598), name(599)]) assert.ok(next.includes(kept), kept);
    for (const gone of [name(1), name(2)]) assert.ok(!next.includes(gone), gone);
    assert.deepEqual(session.revealed, next.slice(5), "the session holds what the model sees");
    assert.deepEqual(await names(requestOf(session, format)), next);
  });

  test(`${road}: too many tools that are always there are an error, and nothing is evicted`, async () => {
    const session = sessionOf(600, { alwaysAvailable: many(most - 3).map(({ name }) => name) });
    session.reveal([name(599)]);
    const told = new RegExp(
      `^${most + 3} tools, 2 of your own, ${most} that are always there and 1 revealed; .* takes ${most} at most`,
    );
    await assert.rejects(names(requestOf(session, format)), { code: "limit_out_of_range", message: told });
    assert.deepEqual(session.revealed, [name(599)]);
    await assert.rejects(names(requestOf(sessionOf(most, { profile: "stub" }), format)), {
      code: "limit_out_of_range",
      message: / takes /,
    });
  });
}

test("another vendor may take another number", async () => {
  for (const { names, format } of ROADS.slice(0, 2)) {
    const session = sessionOf(300, { activation: "off" });
    assert.equal((await names(requestOf(session, format), { maxTools: 302 })).length, 302);
    await assert.rejects(names(requestOf(session, format), { maxTools: 301 }), {
      code: "limit_out_of_range",
      message: /maxTools/,
    });
  }
  const create = () => assert.fail("nothing is sent");
  const range = { code: "limit_out_of_range", message: /options\.maxTools is 0/ };
  assert.throws(() => chatModel({ chat: { completions: { create } } }, { messages: [] }, { maxTools: 0 }), range);
  assert.throws(() => responsesModel({ responses: { create } }, { input: [] }, { maxTools: 0 }), range);
});

test("with OpenAI's own tool search, what is revealed stands in the conversation and needs no room", async () => {
  const session = sessionOf(300);
  session.reveal(many(200).map(({ name }) => name));
  const options = { toolSearch: "client" };
  const make = (client) => responsesModel(client, { model: "m", input: [] }, options);
  const body = await sentBy(make, requestOf(session, "openai-responses"));
  assert.ok(body.tools.length < 10);
  assert.equal(session.revealed.length, 200);
});

for (const drive of [aiSdk, langchain, mastra, openaiAgents]) {
  for (const packages of allOrLast(drive.versions)) {
    const label = `${drive.adapter} (${Object.values(packages).join(", ")})`;

    async function asked(options, reveals, maxTools) {
      const itsApp = await appWith(packages);
      const its = await itsApp.load("toolsift");
      const sift = new its.ToolSift({ activation: "on", ...options });
      sift.register(many(300));
      const session = sift.session("chat");
      session.reveal(many(reveals).map(({ name }) => name));
      const replies = script([{ name: "add_tool", args: { tool_names: [name(298), name(299)] } }]);
      const about = { app: itsApp, sift, id: "chat", prompt: "Go on.", execute: () => "", script: replies, maxTools };
      return { session, ...(await drive.converse(about)) };
    }

    test(`${label}: a model of OpenAI's is sent 128 tools at most`, async () => {
      const { requests, session } = await asked({}, 125);
      assert.deepEqual(
        requests.map(({ tools }) => tools.length),
        [128, 128],
      );
      const [, next] = requests;
      for (const kept of [name(2), name(298), name(299)]) assert.ok(next.tools.includes(kept), kept);
      for (const gone of [name(0), name(1)]) assert.ok(!next.tools.includes(gone), gone);
      assert.deepEqual(session.revealed, next.tools.slice(3));
      assert.equal((await asked({ activation: "off" }, 0, 300)).requests[0].tools.length, 300, "another vendor takes more");
      await assert.rejects(asked({}, 0, 0), /maxTools is 0/);
      await assert.rejects(asked({ activation: "off" }, 0), (error) =>
        / takes 128 at most/.test(`${error.message} ${error.cause?.message}`),
      );
    });
  }
}
