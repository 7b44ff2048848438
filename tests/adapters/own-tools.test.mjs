/**
 * What becomes of tools that the host itself passes to a vendor's model, beside those of the catalog?
 *
 * 1. They stand first, and run without the session being asked. 2. A tool that the catalog has is the catalog's: also where
 * the session may not see it, passing the tool does not make it run. 3. A different tool of the same name is refused, or is the
 * host's where the session may not see the catalog's. 4. None is called as a discovery tool is. 5. For all this the catalog is
 * asked for the tools that are named, not for the whole list.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { appWith } from "./lib/app.mjs";
import { DISCOVERY, ISSUE } from "./lib/calls.mjs";
import { script } from "./lib/contract.mjs";
import { anthropicClient, anthropicHosted, anthropicPlain } from "./lib/drives/anthropic.mjs";
import { google as gemini } from "./lib/drives/google.mjs";
import { openaiChat } from "./lib/drives/openai-chat.mjs";
import { openaiResponses } from "./lib/drives/openai-responses.mjs";
import { openaiToolSearch } from "./lib/drives/openai-tool-search.mjs";
import { call } from "./lib/openai.mjs";
import { host, pluck, SERVERS, siftOf, toolsOf } from "./lib/tools.mjs";

/** A tool as the host passes it: that of the captured servers where they have the name, or any other. */
const CAPTURED = new Map(SERVERS.flatMap(toolsOf).map((tool) => [tool.name, tool]));
const definitionOf = (name) => CAPTURED.get(name) ?? { name, description: "Mine", inputSchema: { type: "object" } };

const chat = ({ name, description, inputSchema }) => ({
  type: "function",
  function: { name, description, parameters: inputSchema },
});
const responses = ({ name, description, inputSchema }) => ({
  type: "function",
  name,
  description,
  parameters: inputSchema,
  strict: false,
});
const anthropic = ({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema });
const google = ({ name, description, inputSchema }) => ({ name, description, parametersJsonSchema: inputSchema });
const inParams = (write) => (tools) => ({ params: { tools: tools.map(write) } });
const inConfig = (tools) => ({ config: { tools: [{ functionDeclarations: tools.map(google) }] } });

const ROADS = [
  [openaiChat, inParams(chat)],
  [openaiResponses, inParams(responses)],
  [openaiToolSearch, inParams(responses)],
  [gemini, inConfig],
  [anthropicPlain, inParams(anthropic)],
  [anthropicClient, inParams(anthropic)],
  [anthropicHosted, inParams(anthropic)],
];

for (const [drive, passed] of ROADS) {
  const label = `${drive.adapter}, ${drive.road}: `;

  /** One run in which the host passes tools of these names. */
  async function agent(own, replies, { settings, ...more } = {}) {
    const tools = own.map((tool) => (typeof tool === "string" ? definitionOf(tool) : tool));
    const app = await appWith(drive.versions.at(-1));
    const sift = await siftOf(app, settings);
    const { execute, ran } = host();
    const revealed = more.revealed ?? [];
    const session = sift.session("chat", more.scope === undefined ? {} : { scope: more.scope });
    session.reveal(revealed);
    const events = [];
    const onEvent = (event) => void events.push(event);
    const about = {
      app,
      sift,
      id: "chat",
      prompt: "Go on.",
      execute,
      onEvent,
      script: script(...replies),
      ...passed(tools),
    };
    return { ran, events, ...(await drive.converse({ ...about, scope: more.scope })) };
  }

  test(`${label}tools of the host's own stand first, and run under no server`, async () => {
    const { requests, ran, events, finish } = await agent(["clock", "dice"], [[call("clock"), call("dice", { sides: 6 })]]);
    for (const { tools } of requests) assert.deepEqual(tools.slice(0, 2), ["clock", "dice"]);
    assert.deepEqual(ran, [
      { server: null, name: "clock", args: {} },
      { server: null, name: "dice", args: { sides: 6 } },
    ]);
    assert.deepEqual(requests[1].answers, ["null/clock did it", "null/dice did it"]);
    assert.deepEqual(pluck(events, "type", "tool"), [
      ["dispatch", "clock"],
      ["dispatch", "dice"],
    ]);
    assert.equal(finish, "done");
  });

  test(`${label}no request reads the list of all tools`, async () => {
    const app = await appWith(drive.versions.at(-1));
    const { prototype } = (await siftOf(app)).session("any").constructor;
    const { tools } = prototype;
    let lists = 0;
    prototype.tools = function () {
      lists += 1;
      return tools.call(this);
    };
    try {
      const replies = [[call("create_issue", ISSUE)], [call("clock")]];
      const { requests } = await agent(["clock", "create_issue"], replies, { revealed: ["create_issue"] });
      assert.equal(requests.length, 3);
    } finally {
      prototype.tools = tools;
    }
    assert.equal(lists, 0);
  });

  test(`${label}what the session may not see does not run, whether or not the host passes it`, async () => {
    const scope = { servers: ["memory"] };
    const calls = [call("create_issue", ISSUE), call("list_issues", {}), call("no_such_tool"), call("clock")];
    const { requests, ran, events } = await agent(["clock", "create_issue"], [calls], { scope });
    assert.ok(requests.every(({ tools }) => tools.includes("clock") && !tools.includes("create_issue")));
    assert.deepEqual(ran, [{ server: null, name: "clock", args: {} }]);
    const refused = events.filter(({ type }) => type === "refuse").map(({ tool }) => tool);
    assert.deepEqual(refused, ["create_issue", "list_issues", "no_such_tool"]);
  });

  test(`${label}a tool that the catalog has is the catalog's, and is sent once`, async () => {
    const replies = [[call("create_issue", ISSUE), call("read_graph")], [call("read_graph")]];
    const revealed = ["create_issue"];
    const { requests, ran } = await agent(["clock", "create_issue", "read_graph"], replies, { revealed });
    const sent = requests.map(({ tools }) => tools.filter((name) => name === "create_issue").length);
    assert.deepEqual(sent, [1, 1, 1]);
    assert.deepEqual(
      ran.map(({ server, name }) => `${server}/${name}`),
      ["github/create_issue", "memory/read_graph"],
    );
  });

  test(`${label}a different tool of a name in the catalog does not vanish`, async () => {
    const mine = { name: "create_issue", description: "Creates an issue in our tracker.", inputSchema: { type: "object" } };
    const both = /your own tool create_issue and a tool of server "github" are both called create_issue, and differ/;
    await assert.rejects(agent([mine], []), { code: "option_conflict", message: both });
    const { inputSchema } = definitionOf("create_issue");
    await assert.rejects(agent([{ ...mine, inputSchema }], []), { code: "option_conflict", message: both });
    const { description } = definitionOf("create_issue");
    await assert.rejects(agent([{ ...mine, description }], []), { code: "option_conflict", message: both });

    const scope = { servers: ["memory"] };
    const { requests, ran } = await agent([mine], [[call("create_issue", { title: "a" }), call("list_issues")]], { scope });
    assert.ok(requests.every(({ tools }) => tools[0] === "create_issue"));
    assert.deepEqual(ran, [{ server: null, name: "create_issue", args: { title: "a" } }]);
  });

  test(`${label}a tool called as a discovery tool is refused before anything is sent`, async () => {
    const conflict = { code: "option_conflict", message: /your own tool add_tool has the name of a discovery tool/ };
    await assert.rejects(agent(["clock", "add_tool"], []), conflict);
    const { requests } = await agent(["add_tool"], [], { settings: { activation: "off" } });
    assert.equal(requests[0].tools[0], "add_tool", "where there are none, it is a name like any other");
  });
}

test("arguments of the host's own tools are read as those of all others", async () => {
  const app = await appWith(openaiChat.versions.at(-1));
  const sift = await siftOf(app);
  sift.session("chat").reveal(["read_graph"]);
  const written = ["", "  ", "null", "{}", "[1]", "5", '{"a'];
  const replies = [written.flatMap((args) => [call("clock", args), call("read_graph", args)])];
  const { execute, ran } = host();
  const params = { tools: [chat(definitionOf("clock"))] };
  await openaiChat.converse({ app, sift, id: "chat", prompt: "Go on.", execute, script: script(...replies), params });
  assert.deepEqual(
    pluck(ran, "name"),
    ["", "  ", "null", "{}"].flatMap(() => ["clock", "read_graph"]),
  );
  assert.ok(ran.every(({ args }) => JSON.stringify(args) === "{}"));
});

test("what the catalog has under another name is the catalog's too", async () => {
  const app = await appWith(gemini.versions.at(-1));
  const sift = await siftOf(app);
  sift.register([{ name: "deploy.prod", inputSchema: { type: "object" } }], { names: "alias" });
  const { execute, ran } = host();
  const about = { app, sift, id: "chat", scope: { servers: ["memory"] }, prompt: "Go on.", execute };
  const replies = script([call("deploy.prod"), call("deploy_prod"), call("clock")]);
  const { requests } = await gemini.converse({
    ...about,
    script: replies,
    ...inConfig(["deploy.prod", "clock"].map(definitionOf)),
  });
  assert.deepEqual(requests[0].tools, ["clock", ...DISCOVERY]);
  assert.deepEqual(ran, [{ server: null, name: "clock", args: {} }]);
});
