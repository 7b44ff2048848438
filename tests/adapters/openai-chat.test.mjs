/** Tests behaviour that is specific to Chat Completions: the program's own tools, and unusual replies. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { chat } from "../apis/chat.mjs";
import { appWith } from "./lib/app.mjs";
import { DISCOVERY, ISSUE } from "./lib/calls.mjs";

import { agentOf, call, exchangeOf } from "./lib/openai.mjs";
import { pluck, siftOf, toolsOf } from "./lib/tools.mjs";

const VERSIONS = ["openai-6", "openai"];

const clock = { type: "function", function: { name: "clock", parameters: { type: "object", properties: {} } } };
const shell = { type: "custom", custom: { name: "shell", description: "Runs a line" } };
const user = { role: "user", content: "Go on." };
const params = (others = {}) => ({ model: "gpt-5.2", messages: [{ ...user }], ...others });

const agent = (version, replies, given, more) => agentOf(chat, "chatModel", replies, given, { version, ...more });
const exchangeOver = (version, given, answers) => exchangeOf("chatModel", given, answers, { version });
/** One exchange whose answers are given, in the order of the requests. */
const exchange = (given, ...answers) => exchangeOver("openai", given, answers);

const chunk = (delta, finish_reason = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});
const sse = (...chunks) =>
  [...chunks.map((one) => JSON.stringify(one)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");

/** One exchange whose first reply is streamed in these pieces. */
async function inPieces(version, given, deltas, reason = "tool_calls") {
  const first = sse(chunk({ role: "assistant", content: null }), ...deltas.map((delta) => chunk(delta)), chunk({}, reason));
  const last = sse(chunk({ content: "Yes." }), chunk({}, "stop"));
  return exchangeOver(version, { ...given, stream: true }, [first, last]);
}

/** A piece of a call. */
const piece = (name, args, more = {}) => ({
  tool_calls: [{ type: "function", function: { name, arguments: args }, ...more }],
});

const completion = (message, finish_reason = "stop") => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason, logprobs: null }],
});

for (const version of allOrLast(VERSIONS)) {
  test(`${version}: tools of the host's own stand first, and run without the session being asked`, async () => {
    const tools = [clock, shell];
    const search = call("search_tools", { query: "read graph" });
    const replies = [[call("clock", "")], [call("clock", "[1]"), call("clock", '{"a'), search]];
    const { requests, ran } = await agent(version, replies, params({ tools }));
    assert.deepEqual(requests[0].tools, ["clock", "shell", ...DISCOVERY]);
    assert.deepEqual(ran, [{ server: null, name: "clock", args: {} }]);
    assert.match(requests[2].answers[0], /arguments must be a JSON object, got a list/);
    assert.match(requests[2].answers[1], /arguments are not JSON/);
    assert.match(requests[2].answers[2], /read_graph/);
    assert.equal(tools.length, 2, "what the host passed is as it was");
  });

  test(`${version}: the conversation that is left can be sent on, stored, and read`, async () => {
    for (const stream of [false, true]) {
      const given = params({ stream });
      const replies = [[call("search_tools", { query: "create an issue" })], [call("create_issue", ISSUE)]];
      const { sift, app, requests } = await agent(version, replies, given);
      const { messages } = JSON.parse(JSON.stringify(given));
      assert.deepEqual(pluck(messages, "role"), ["user", "assistant", "tool", "assistant", "tool", "assistant"]);
      assert.ok(!JSON.stringify(messages).includes("parsed"), "nothing in it is the client's own");
      assert.deepEqual(requests.at(-1).body.messages.slice(1), given.messages.slice(0, -1), "as it was sent");
      const fresh = await siftOf(app);
      fresh.session("chat").fromMessages(messages, { format: "openai" });
      assert.deepEqual(fresh.session("chat").revealed, sift.session("chat").revealed);
      given.messages.push({ ...user });
      const next = await agent(version, [[call("create_issue", ISSUE)]], given, { sift: fresh });
      assert.equal(next.requests[0].body.messages.length, 8, "the next turn begins with all of it");
      assert.equal(next.ran.length, 1);
    }
  });

  test(`${version}: a streamed reply is read as one that is not, whatever is asked of its form`, async () => {
    const strict = { type: "function", function: { ...clock.function, strict: true } };
    const response_format = { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } };
    const given = params({ tools: [strict], response_format });
    const broken = await inPieces(version, given, [{ content: "Let me see" }, piece("clock", '{"a', { index: 0, id: "a" })]);
    assert.match(broken.bodies[1].messages.at(-1).content, /arguments are not JSON/);
    assert.equal(broken.reply.text, "Yes.", "for the host to read");
    const made = { index: 0, id: "a", type: "custom", custom: { name: "shell", input: "ls" } };
    const rest = { index: 0, custom: { input: " -l" } };
    const custom = await inPieces(version, params({ tools: [shell] }), [{ tool_calls: [made] }, { tool_calls: [rest] }]);
    assert.deepEqual(custom.ran, [{ server: null, name: "shell", args: { input: "ls -l" } }]);
  });

  test(`${version}: calls of a stream are told apart as the vendor does it, and keep what came with them`, async () => {
    const dice = { type: "function", function: { name: "dice", parameters: { type: "object" } } };
    const halves = (at) => [piece("clock", "", { ...at(0), id: "a" }), piece("dice", "{}", { ...at(1), id: "b" })];
    const ways = [
      [piece("clock", "{", { index: 0 }), piece("dice", "{}", { index: 1 }), piece(undefined, "}", { index: 0 })],
      halves(() => ({ index: 0 })),
      halves(() => ({})),
      [...halves(() => ({})), piece(undefined, "{}", { id: "a" })],
      [piece("clock", undefined), piece("dice", "{"), piece(undefined, "}")],
      [piece("clock", {}, { type: undefined }), piece("dice", {}, { index: 5, type: undefined })],
    ];
    for (const deltas of ways) {
      const given = params({ tools: [clock, dice] });
      const { ran, bodies, finish } = await inPieces(version, given, deltas);
      assert.deepEqual(pluck(ran, "name"), ["clock", "dice"]);
      const [, { tool_calls }, ...answers] = bodies[1].messages.slice(1);
      assert.equal(new Set(tool_calls.map(({ id }) => id)).size, 2);
      assert.ok(tool_calls.every(({ id, type }) => id && type === "function"));
      assert.deepEqual(
        pluck(answers, "tool_call_id"),
        tool_calls.map(({ id }) => id),
      );
      assert.equal(finish, "done");
    }
    const extra_content = { google: { thought_signature: "signed" } };
    const details = [{ reasoning_details: [1] }, { reasoning_details: [2] }];
    const thought = [{ reasoning_content: "One " }, { reasoning_content: "two." }, ...details];
    const call = piece("clock", "{}", { index: 0, id: "a", extra_content });
    const { bodies } = await inPieces(version, params({ tools: [clock] }), [...thought, call]);
    const { reasoning_content, reasoning_details, tool_calls } = bodies[1].messages.at(-2);
    assert.deepEqual([reasoning_content, reasoning_details], ["One two.", [1, 2]]);
    assert.deepEqual(tool_calls[0].extra_content, extra_content);
  });

  test(`${version}: a stream that ends before the reply does ends the run, and the conversation is as it was`, async () => {
    const halves = [sse(chunk(piece("clock", "{}", { index: 0, id: "a" }))), sse(), "<html>"];
    for (const half of halves) {
      const given = params({ stream: true });
      await assert.rejects(exchangeOver(version, given, [half]), /the stream ended before the reply did/);
      assert.deepEqual(given.messages, [user]);
    }
  });

  test(`${version}: with stream, every chunk is told`, async () => {
    const chunks = [];
    const options = { onChunk: (chunk) => void chunks.push(chunk.choices[0].delta.content ?? "") };
    await agent(version, [], params({ stream: true }), { options });
    assert.equal(chunks.join(""), "All done.");
    assert.ok(chunks.length > 1);
  });
}

test("a call in whose middle the reply ended does not run, however whole it looks", async () => {
  const input = { id: "b", type: "custom", custom: { name: "shell", input: "rm -rf /" } };
  const made = (id) => ({ id, type: "function", function: { name: "clock", arguments: "" } });
  for (const last of [input, made("b")]) {
    for (const reason of ["length", "content_filter"]) {
      const given = params({ tools: [shell, clock] });
      const cut = completion({ tool_calls: [made("a"), last] }, reason);
      const { ran, bodies } = await exchange(given, cut, completion({ content: "Yes." }));
      assert.deepEqual(ran, [{ server: null, name: "clock", args: {} }], "what stands before it runs");
      assert.match(bodies[1].messages.at(-1).content, new RegExp(`in the middle of this call \\(${reason}\\)`));
    }
  }
});

test("an answer without a choice ends the run, and the conversation is as it was", async () => {
  for (const answer of [{ error: { message: "no credits" } }, { ...completion({}), choices: [] }]) {
    const given = params();
    await assert.rejects(exchange(given, answer), /answered no choice: .*(no credits|choices)/);
    assert.deepEqual(given.messages, [user]);
  }
});

test("a call is demanded once", async () => {
  const only = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [] } };
  const named = { type: "function", function: { name: "search_tools" } };
  for (const [tool_choice, then] of [
    ["required", "auto"],
    ["none", "none"],
    [named, "auto"],
    [only, { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [] } }],
    [undefined, undefined],
    [null, undefined],
  ]) {
    const { requests } = await agent("openai", [[call("search_tools", { query: "issue" })]], params({ tool_choice }));
    assert.deepEqual(
      requests.map(({ body }) => body.tool_choice),
      [tool_choice ?? undefined, then],
    );
  }
});

test("the prompt section stands behind the host's own system messages, and nothing of it stays", async () => {
  const system = { role: "system", content: "Be kind." };
  const parts = { role: "developer", content: [{ type: "text", text: "Be brief." }] };
  for (const [messages, at] of [
    [[user], 0],
    [[system, user], 0],
    [[parts, user], 0],
    [[system, parts, user, system], 1],
  ]) {
    const given = params({ messages: structuredClone(messages) });
    const { requests } = await agent("openai", [], given);
    const sent = requests[0].body.messages;
    assert.match(JSON.stringify(sent[at].content), /## Finding tools/);
    assert.equal(JSON.stringify(sent).split("## Finding tools").length, 2, "once");
    assert.deepEqual(given.messages.slice(0, -1), messages);
    const roles = messages.map(({ role }) => role);
    assert.deepEqual(pluck(sent, "role"), messages[0] === user ? ["system", "user"] : roles);
  }
});

test("where there are no tools, nothing is said of them", async () => {
  const { ToolSift } = await (await appWith({ openai: "openai" })).load("toolsift");
  const sift = new ToolSift();
  const given = params({ tool_choice: "auto", parallel_tool_calls: false });
  const { requests } = await agent("openai", [], given, { sift });
  assert.deepEqual(Object.keys(requests[0].body), ["model", "messages"]);
  sift.register(toolsOf("memory"));
  const { parallel_tool_calls, tool_choice } = (await agent("openai", [], given, { sift })).requests[0].body;
  assert.deepEqual([parallel_tool_calls, tool_choice], [false, "auto"]);
});
