/**
 * Tests which session a run of LangChain uses, and that it continues in later runs.
 * 1. A thread with a checkpointer keeps its loaded tools, also in a process that has only the checkpoints.
 * 2. Without a thread, and in an agent inside another agent, the messages restore the session.
 * 3. Two parallel runs never mix.
 * 4. Runs that wait for a person continue: approvals, and interrupts inside of tools.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { script } from "./lib/calls.mjs";
import { add, agentOf, answersIn, app, call, lc, lg, ownTools, plain, search, thread } from "./lib/langchain.mjs";
import { host, siftOf } from "./lib/tools.mjs";

const { execute } = host();

test("a checkpointed thread has its tools in the same order in another process", async () => {
  const checkpointer = new lg.MemorySaver();
  const first = await agentOf({
    sift: await siftOf(app),
    script: script(
      [add("create_issue", "read_graph")],
      [search("read a text file"), call("open_nodes", { name: "x" })],
      [call("read_graph")],
    ),
    options: { execute },
    checkpointer,
  });
  await first.ask("Begin.", thread("a"));
  const sift = await siftOf(app);
  const second = await agentOf({ sift, script: script([call("read_graph")]), options: { execute }, checkpointer });
  const state = await second.ask("Go on.", thread("a"));
  assert.equal(
    second.requests[0].toolsText,
    first.requests.at(-1).toolsText,
    "the same bytes: a prompt cache keeps them all",
  );
  assert.ok(second.requests[0].tools.includes("open_nodes"), "what a call that came too early loaded is there too");
  assert.equal(answersIn(state).at(-1), "memory/read_graph did it");

  const { revealed } = sift.session("a");
  const rebuilt = (await siftOf(app)).session("elsewhere");
  rebuilt.fromMessages(state.messages, { format: "langchain" });
  assert.deepEqual(rebuilt.revealed, revealed, "the messages tell of all");
  await second.ask("Hello.", thread("b"));
  assert.deepEqual(
    second.requests.at(-1).tools,
    ["search_tools", "add_tool", "show_all_tools"],
    "another thread has none of it",
  );
});

test("what the host did in a session stays as it is, whatever the thread tells", async () => {
  const checkpointer = new lg.MemorySaver();
  const replies = () => script([add("create_issue", "read_graph")]);
  const first = await agentOf({ sift: await siftOf(app), script: replies(), options: { execute }, checkpointer });
  await first.ask("Begin.", thread("a"));
  const sift = await siftOf(app);
  sift.session("a").reveal(["open_nodes"]);
  const second = await agentOf({ sift, script: script(), options: { execute }, checkpointer });
  await second.ask("Go on.", thread("a"));
  assert.deepEqual(sift.session("a").revealed, ["open_nodes"]);
  sift.session("a").conceal(["open_nodes"]);
  await second.ask("Go on.", thread("a"));
  assert.deepEqual(sift.session("a").revealed, []);
});

test("without a thread the messages are the session, and nothing is kept", async () => {
  const sift = await siftOf(app);
  const replies = script([add("read_graph")], [call("read_graph")]);
  const { agent, requests, ask } = await agentOf({
    sift,
    script: (_, step) => replies(_, step === 4 ? 1 : step),
    options: { execute },
  });
  const state = await ask("Begin.");
  assert.deepEqual(answersIn(state).slice(1), ["memory/read_graph did it"]);
  await ask("Another one.", thread(""));
  assert.ok(!requests[3].tools.includes("read_graph"));
  const before = requests.length;
  await agent.invoke({ messages: [...state.messages, { role: "user", content: "Go on." }] });
  assert.ok(requests[before].tools.includes("read_graph"), "the host brought the messages along");
});

test("two runs without a thread never mix, nor do those of different scope", async () => {
  const sift = await siftOf(app);
  const scope = ({ context }) => ({ servers: [context.server] });
  const lead = async (server, tool) => {
    const { requests, ask } = await agentOf({
      sift,
      script: script([add(tool)], [call(tool)]),
      options: { execute, scope },
    });
    const state = await ask("Go.", { context: { server } });
    return [requests.at(-1).tools.slice(3), answersIn(state).at(-1), requests[0].system.includes("github")];
  };
  const both = await Promise.all([lead("memory", "read_graph"), lead("everything", "echo")]);
  assert.deepEqual(both, [
    [["read_graph"], "memory/read_graph did it", false],
    [["echo"], "everything/echo did it", false],
  ]);
});

test("an agent inside another has a session of its own in the same thread", async () => {
  const sift = await siftOf(app);
  const inner = await agentOf({ sift, script: script([add("echo")], [call("echo")]), options: { execute } });
  const ask = plain("ask_expert", async (_, { config }) => (await inner.ask("Sub.", config)).messages.at(-1).text);
  const replies = [[add("read_graph")], [call("ask_expert")], [call("read_graph")]];
  const outer = await agentOf({ sift, script: script(...replies), options: { execute }, tools: [ask] });
  const state = await outer.ask("Go.", thread("a"));
  assert.deepEqual(answersIn(state).slice(1), ["All done.", "memory/read_graph did it"]);
  assert.deepEqual(
    inner.requests.map(({ tools }) => tools.slice(3)),
    [[], ["echo"], ["echo"]],
  );
  assert.deepEqual(sift.session("a").revealed, ["read_graph"]);
});

test("an approval is asked for a deferred tool, and it runs once after a restart", async () => {
  const checkpointer = new lg.MemorySaver();
  const { execute, ran } = host();
  const agent = async (replies) =>
    agentOf({
      sift: await siftOf(app),
      script: script(...replies),
      options: { execute },
      behind: [lc.humanInTheLoopMiddleware({ interruptOn: { delete_entities: true } })],
      checkpointer,
    });
  const doomed = call("delete_entities", { entityNames: ["Ada"] });
  const first = await agent([[add("delete_entities")], [doomed, call("read_graph")]]);
  const waiting = await first.ask("Go.", thread("a"));
  assert.equal(waiting.__interrupt__[0].value.actionRequests[0].name, "delete_entities");
  assert.deepEqual(ran, []);

  const second = await agent([]);
  const resume = new lg.Command({ resume: { decisions: [{ type: "approve" }] } });
  const state = await second.agent.invoke(resume, thread("a"));
  assert.deepEqual(ran, [{ server: "memory", name: "delete_entities", args: { entityNames: ["Ada"] } }]);
  const answers = answersIn(state);
  assert.ok(
    answers.includes("memory/delete_entities did it") && answers.some((text) => /read_graph was not loaded/.test(text)),
  );
  assert.deepEqual(second.requests[0].tools.slice(3), ["delete_entities", "read_graph"]);

  const third = await agent([[doomed]]);
  await third.ask("Again.", thread("a"));
  const no = new lg.Command({ resume: { decisions: [{ type: "reject", message: "Keep her." }] } });
  const kept = await third.agent.invoke(no, thread("a"));
  assert.equal(answersIn(kept).at(-1), "Keep her.");
  assert.equal(ran.length, 1);
});

for (const version of ["v1", "v2"]) {
  test(`a search beside a tool that waits for a person is answered once (${version})`, async () => {
    const asking = plain("ask_user", () => lg.interrupt("Which one?"));
    const events = [];
    const { tools } = ownTools();
    const { agent, requests, ask } = await agentOf({
      sift: await siftOf(app),
      script: script([add("ask_user")], [search("issue in a repository"), call("ask_user")]),
      options: { tools: [asking, ...tools], execute, onEvent: ({ type, tool }) => void events.push(`${type} ${tool}`) },
      checkpointer: new lg.MemorySaver(),
      version,
    });
    const waiting = await ask("Go.", thread("a"));
    assert.equal(waiting.__interrupt__[0].value, "Which one?");
    const told = [...events];
    const state = await agent.invoke(new lg.Command({ resume: "the blue one" }), thread("a"));
    const [, found, answer] = answersIn(state);
    assert.match(found, /^Loaded\. Call them from your next step on:\n- /);
    assert.equal(answer, "the blue one");
    assert.deepEqual(events, [...told, "dispatch ask_user"]);
    const [loaded] = found.match(/- (\w+)\(/g);
    assert.ok(requests.at(-1).tools.includes(loaded.slice(2, -1)));
  });
}
