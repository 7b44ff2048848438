/**
 * Tests MCP servers and tools of single users, over one catalog.
 * 1. `connectMcp` takes a session: only this session sees its servers' tools. Two sessions may have servers and tools of the
 *    same names, and each call reaches the right client. List changes reach the session.
 * 2. A call from another session, or of a shared tool, is refused before a client gets it.
 * 3. `toolsift().user(id, …)` gives one session its own servers and tools; `with` and `run` use them, for several users in
 *    parallel. They end with the user, the session, or the whole toolbox.
 * 4. The program's tool is never run in the place of a user's tool with the same name.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { MCP } from "./lib/doorway.mjs";
import { bench, said, SDKS, tool, until, wireTo } from "./lib/mcp.mjs";
import { call, MAJORS, sdk as aiSdk, sent } from "./lib/mock-model.mjs";
import { pluck } from "./lib/tools.mjs";

const visible = (session) => session.tools().flatMap(({ name, state }) => (state === "hidden" ? [] : [name]));
/** A GitHub of one user: it says whose it is. */
const github = (user, ...more) => ({
  tools: [tool("create_issue", "Opens a ticket for a bug."), ...more],
  call: (name, args) => said(`${name} of ${user}: ${args.text}`),
});

for (const sdk of SDKS) {
  const world = await bench(sdk);
  const { ToolSift, connectMcp, runTools } = world;

  test(`${sdk.label}: two sessions have servers of the same name, and each call reaches the right client`, async () => {
    const sift = new ToolSift({ activation: "off" });
    const shared = await world.wired({ tools: [tool("get_weather", "The weather.")] });
    const adas = await world.wired(github("ada"));
    const bens = await world.wired(github("ben", tool("star_repo", "Stars a repository.")));
    const [ada, ben] = [sift.session("ada"), sift.session("ben")];
    const everybodys = await connectMcp(sift, { weather: shared.client });
    const [ofAda, ofBen] = await Promise.all([
      connectMcp(ada, { github: adas.client }),
      connectMcp(ben, { github: bens.client }),
    ]);
    assert.deepEqual(visible(ada), ["get_weather", "create_issue"]);
    assert.deepEqual(visible(ben), ["get_weather", "create_issue", "star_repo"]);
    assert.deepEqual(visible(sift.session("cyn")), ["get_weather"]);
    assert.deepEqual(pluck(sift.tools(), "name"), ["get_weather"]);
    const run = async (session, servers) => {
      const outcome = session.call("create_issue", { text: "x" });
      assert.equal(outcome.session, session.id);
      return (await servers.execute(outcome)).content[0].text;
    };
    assert.equal(await run(ada, ofAda), "create_issue of ada: x");
    assert.equal(await run(ben, ofBen), "create_issue of ben: x");
    const calls = () => [shared, adas, bens].map(({ wire }) => wire.count("tools/call"));
    const before = calls();
    await assert.rejects(run(ada, ofBen), { code: "option_invalid" });
    await assert.rejects(run(ada, everybodys), { code: "option_invalid" });
    await assert.rejects(ofAda.execute(ada.call("get_weather", {})), { code: "option_invalid" });
    assert.deepEqual(calls(), before, "no client heard of it");
    assert.equal("session" in ada.call("get_weather", {}), false, "shared tools are everybody's");

    // Whoever runs both kinds asks the call whose it is.
    const send = ({ step }) => ({ calls: step === 1 ? [call("create_issue", { text: "y" }), call("get_weather", {})] : [] });
    const execute = (dispatch) => (dispatch.session === undefined ? everybodys : ofBen).execute(dispatch);
    const seen = [];
    const report = await runTools(ben, { send, execute, onEvent: (event) => seen.push(event) });
    assert.equal(report.finish, "done");
    assert.deepEqual(seen.flatMap((one) => (one.type === "dispatch" ? [[one.server, one.isError]] : [])).sort(), [
      ["github", false],
      ["weather", false],
    ]);
  });

  test(`${sdk.label}: list changes reach the session, and servers leave with their tools`, async () => {
    const sift = new ToolSift({ activation: "off" });
    const server = github("ada");
    const { client, wire } = await world.wired(server);
    const ada = sift.session("ada");
    const servers = await connectMcp(ada, { github: client });
    server.tools = [tool("close_issue", "Closes a ticket.")];
    wire.change();
    await until("the change", () => visible(ada).includes("close_issue"));
    assert.deepEqual(visible(ada), ["close_issue"]);
    servers.remove("github");
    assert.deepEqual(visible(ada), []);
    await servers.add("github", client);
    assert.deepEqual(visible(ada), ["close_issue"]);
    // The session ends while its server lives on: nothing is registered for anybody any more.
    ada.close();
    server.tools = [tool("other")];
    await servers.refresh();
    assert.match(servers.status()[0].error, /session "ada" is not open/);
    assert.deepEqual([visible(sift.session("ada")), sift.tools()], [[], []]);
    await servers.close();
  });
}

for (const major of MAJORS) {
  test(`${major.label}: a door gives each user servers and tools of their own`, async () => {
    const { app, ai, model, z } = await aiSdk({ ...major, packages: { ...major.packages, ...MCP } });
    const { toolsift } = await app.load("toolsift/ai-sdk");
    const { Client } = await app.load("@modelcontextprotocol/client");
    const closed = [];
    const connect = (user) => async () => {
      const client = new Client({ name: "test", version: "1.0.0" });
      await client.connect(wireTo(github(user)));
      const close = client.close.bind(client);
      client.close = async () => (closed.push(user), close());
      return client;
    };
    const weather = ai.tool({ description: "The weather", inputSchema: z.object({}), execute: async () => "sunny" });
    const sift = await toolsift({ tools: { weather }, activation: "on", onStatus: () => {}, limits: { sessions: 3 } });
    const ran = [];
    const note = (user) => ({
      description: "Writes a note.",
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }) => (ran.push([user, text]), `noted by ${user}`),
    });
    const open = (user) =>
      sift.user(user, {
        mcpServers: { github: connect(user) },
        tools: { note: note(user), weather: { ...note(user), description: "The weather of a user." } },
      });
    const [ada, ben] = await Promise.all([open("ada"), open("ben")]);
    assert.equal(await open("ada"), ada, "the same user as long as the session is open");
    assert.deepEqual(pluck(ada.status(), "name", "state", "tools"), [["github", "connected", 1]]);
    assert.equal(ada.session.id, "ada");

    const chat = async (user) => {
      const names = ["create_issue", "note", "weather"];
      const mock = model(
        [call("add_tool", { tool_names: names })],
        [call("create_issue", { text: "bug" }), call("note", { text: "n" }), call("weather", { text: "w" })],
      );
      const { steps } = await ai.generateText(sift.with(user, { model: mock, prompt: "Go on." }));
      return {
        sent: sent(mock)[1].filter((name) => names.includes(name)),
        answers: steps[1].toolResults.map(({ output }) => output?.content?.[0]?.text ?? output),
      };
    };
    const [ofAda, ofBen, ofCyn] = await Promise.all([chat("ada"), chat("ben"), chat("cyn")]);
    for (const [user, { sent, answers }] of [
      ["ada", ofAda],
      ["ben", ofBen],
    ]) {
      assert.deepEqual(sent, ["create_issue", "note", "weather"]);
      assert.deepEqual(answers, [`create_issue of ${user}: bug`, `noted by ${user}`, `noted by ${user}`]);
    }
    assert.deepEqual(
      [ofCyn.sent, ofCyn.answers],
      [["weather"], ["sunny"]],
      "a session without tools of its own has the shared ones",
    );
    assert.deepEqual(ran.map(([user]) => user).sort(), ["ada", "ada", "ben", "ben"]);

    // What is wrong is told before anything starts, and leaves nothing.
    const wrong = (options, code) => assert.rejects(sift.user("dan", options), { code });
    await wrong({ mcpServer: {} }, "option_unknown");
    await wrong({ mcpServers: { a: {} } }, "option_invalid");
    await wrong({ tools: { "no name": note("dan") } }, "name_unsafe");
    await wrong({ tools: { search_tools: note("dan") } }, "name_reserved");
    // A user who went: closed by hand, with the session, by eviction, and with the door.
    await ada.close();
    await ada.close();
    assert.deepEqual(closed, ["ada"]);
    assert.deepEqual((await chat("ada")).sent, ["weather"]);
    ben.session.close();
    await open("eve");
    await until("ben's server is closed", () => closed.includes("ben"));
    for (const id of ["x", "y", "z"]) sift.session(id);
    const again = await open("eve");
    await until("eve's first server is closed", () => closed.includes("eve"));
    assert.deepEqual(visible(again.session).sort(), ["create_issue", "note", "weather"]);
    await sift.close();
    assert.deepEqual(closed, ["ada", "ben", "eve", "eve"]);
    await assert.rejects(sift.user("ada"), { code: "disposed" });
  });
}

test("a user whose server does not come up never reaches the shared server of its name", async () => {
  const app = await appWith({ openai: "openai", ...MCP });
  const { toolsift } = await app.load("toolsift/openai");
  const { Client } = await app.load("@modelcontextprotocol/client");
  const shared = new Client({ name: "test", version: "1.0.0" });
  await shared.connect(wireTo(github("all")));
  const sift = await toolsift({ mcpServers: { github: shared }, activation: "on", onStatus: () => {} });
  const fay = await sift.user("fay", { mcpServers: { github: () => Promise.reject(new Error("no login")) } });
  assert.equal(fay.status()[0].state, "failed");
  assert.equal(sift.session("others").call("create_issue", { text: "t" }).error.code, "tool_not_revealed");
  assert.equal(fay.session.call("create_issue", { text: "t" }).error.code, "tool_unknown");
  assert.deepEqual(visible(fay.session), []);
  await sift.close();
});

test("a loop of our own runs a user's tools by the user's own functions", async () => {
  const app = await appWith({ openai: "openai", ...MCP });
  const { toolsift } = await app.load("toolsift/openai");
  const reply = (content, calls = []) => ({
    choices: [{ message: { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) } }],
  });
  const function_ = (id, name) => ({ id, type: "function", function: { name, arguments: "{}" } });
  const client = (replies) => ({ chat: { completions: { create: async () => replies.shift() } } });
  const sift = await toolsift({
    activation: "off",
    tools: { where: { description: "Where?", inputSchema: { type: "object" }, execute: () => "everywhere" } },
  });
  const mine = (user) => ({
    tools: { where: { description: "Where?", inputSchema: { type: "object" }, execute: () => `at ${user}'s` } },
  });
  await Promise.all([sift.user("ada", mine("ada")), sift.user("ben", mine("ben"))]);
  const run = async (user) => {
    const messages = [{ role: "user", content: "Where?" }];
    await sift.run(user, client([reply(null, [function_("1", "where")]), reply("Done.")]), { model: "m", messages });
    return messages;
  };
  const answers = await Promise.all(["ada", "ben", "cyn"].map(run));
  const told = answers.map((messages) => messages.find(({ role }) => role === "tool")?.content);
  assert.deepEqual(told, ["at ada's", "at ben's", "everywhere"]);
  await sift.close();
});
