/** Tests that loaded tools stay loaded in their own conversation, and in no other. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS, posted, upstream } from "../apis/index.mjs";
import { siftFetch } from "./lib/asking.mjs";
import { call, calls, says, tools, USER } from "./lib/chat.mjs";
import { definitions } from "./lib/tools.mjs";
import { scripted } from "./lib/upstream.mjs";

const { asks, says: said, step } = APIS.chat;
const search = (query, id = "s") => call("search_tools", { query }, id);
const found = () => calls(search("create an issue"));
const go = asks("Go.");
const used = (name) => step([{ id: name, name, text: "ok" }]);

/** A client over an upstream with these replies: `send(messages)` answers the message; `names(at)` are those sent beside the search. */
function client(replies, options = {}) {
  const { fetch, sent } = scripted(...replies);
  const sift = siftFetch({ fetch, ...options });
  const send = async (messages, headers = {}, more = {}) => {
    const response = await sift(...posted(APIS.chat, { model: "m", messages, tools, ...more }, false, headers));
    return (await response.json()).choices[0].message;
  };
  return { send, sent, names: (at) => sent[at].body.tools.map(APIS.chat.nameOf).slice(3) };
}

test("what was found stays found, at its place, with calls and without", async () => {
  const { send, names } = client([
    calls(search("create an issue, list issues")),
    calls(call("create_issue", {}, "c1")),
    says("Done."),
    calls(search("rename a photo")),
    says("Renamed."),
  ]);
  const first = await send([USER]);
  const answered = [USER, first, { role: "tool", tool_call_id: "c1", content: "ok" }];
  const second = await send(answered);
  assert.ok(names(1).length > 1, "the search has found more than what was called");
  assert.deepEqual(names(2), names(1));
  await send([...answered, second, asks("And a photo?")]);
  assert.deepEqual(names(3), names(1));
  assert.deepEqual(names(4).slice(0, names(1).length), names(1), "new tools come behind");
  assert.ok(names(4).length > names(1).length);
});

for (const [name, api] of Object.entries(APIS)) {
  for (const stream of [false, true]) {
    test(`${name}: a conversation is known by its prompt, tools and first reply, ${stream ? "as a stream" : "whole"}`, async () => {
      const hits = { text: "", calls: [{ name: "search_tools", args: { query: "create an issue" } }] };
      const { fetch, seen } = upstream(api, [hits, { text: "I can." }, ...Array.from({ length: 6 }, () => ({ text: "x" }))]);
      const sift = siftFetch({ fetch });
      const send = async (messages, more = {}, headers = {}) => {
        const body = api.request({ system: "You serve 1. It is 10:15.", messages, tools: definitions, stream, ...more });
        await (await sift(...posted(api, body, stream, headers))).text();
        return seen.at(-1).tools.includes("create_issue");
      };
      const first = api.asks("Please help me");
      const next = (text) => [first, api.says(text), api.asks("Go.")];
      assert.equal(await send([first]), true);
      assert.equal(await send(next("I can.")), true, "later too");
      assert.equal(await send(next("I can."), { system: "You serve 1. It is 10:16." }), true, "at another time");
      for (const [what, ...about] of [
        ["another first reply", next("No.")],
        ["another prompt", next("I can."), { system: "You serve 2." }],
        ["other tools", next("I can."), { tools: definitions.slice(1) }],
        ["another client", next("I can."), {}, { authorization: "Bearer two", "x-api-key": "two" }],
      ])
        assert.equal(await send(...about), false, what);
    });
  }
}

test("a reply is known however the client writes it down, and a new conversation begins with nothing", async () => {
  const { send, names } = client([found(), says(" I can do that.\n"), says("Done."), says("x")]);
  const { content } = await send([USER]);
  await send([USER, { role: "assistant", content: [{ type: "text", text: content.trim() }] }, go]);
  assert.ok(names(2).includes("create_issue"));
  await send([USER]);
  assert.deepEqual(names(3), []);
});

test("a header names the conversation, and goes before what it says", async () => {
  const { send, names, sent } = client([found(), says("Yes."), says("x"), says("x")]);
  const named = (id) => ({ "x-toolsift-session": id });
  await send([USER], named("chat-42"));
  await send([asks("Summary: …")], named("chat-42"));
  assert.ok(names(2).includes("create_issue"), "after the client has compacted it");
  assert.equal(sent[2].headers.get("x-toolsift-session"), null);
  await send([USER], named("chat-43"));
  assert.deepEqual(names(3), []);
  const nobody = scripted();
  const body = { messages: [USER], tools };
  const response = await siftFetch({ fetch: nobody.fetch })(...posted(APIS.chat, body, false, named("x".repeat(600))));
  const { error } = await response.json();
  assert.deepEqual([response.status, error.code, nobody.sent.length], [400, "session_id_invalid", 0]);
});

test("a history that was edited or branched is read as it is", async () => {
  for (const [before, expected] of [
    [
      ["share_photo", "delete_branch"],
      ["share_photo", "delete_branch"],
    ],
    [["delete_branch"], ["delete_branch"]],
    [["gone_tool", "share_photo"], ["share_photo"]],
  ]) {
    const { send, names } = client([says("x")]);
    await send([USER, ...before.flatMap(used)]);
    assert.deepEqual(names(0), expected);
  }
});

test("several proxies share a storage", async () => {
  const records = new Map();
  const storage = {
    getItem: async (key) => records.get(key) ?? null,
    setItem: async (key, value) => void records.set(key, value),
    removeItem: (key) => void records.delete(key),
  };
  await client([found(), says("Yes.")], { storage }).send([USER]);
  assert.equal(records.size, 1);
  const [[key, value]] = records;
  assert.match(key, /^toolsift:proxy:[0-9a-f]{64}$/);
  assert.doesNotMatch(value, /Please help me|Bearer|Yes/);
  const later = async () => {
    const { send, names } = client([says("Done.")], { storage });
    await send([USER, said("Yes."), go]);
    return names(0);
  };
  assert.ok((await later()).includes("create_issue"));
  records.set(key, JSON.stringify({ ...JSON.parse(value), expires: Date.now() - 1 }));
  assert.deepEqual(await later(), [], "what has expired is forgotten");
});

test("a storage that fails, or holds nonsense, is done without", async () => {
  const down = () => Promise.reject(new Error("down"));
  const storage = (getItem, setItem = () => {}) => ({ getItem, setItem, removeItem: () => {} });
  const nonsense = '{"toolsift":1,"revealed":[1,"no_such_tool",{"a":1}],"expires":"never"}';
  for (const [one, count] of [
    [storage(down, down), 3],
    [storage(() => nonsense), 0],
    [storage(() => "no json"), 0],
  ]) {
    const problems = [];
    const onEvent = ({ type, message }) => type === "problem" && problems.push(message);
    const { send, names } = client([found(), says("Yes."), says("Done.")], { storage: one, onEvent });
    await send([USER]);
    await send([USER, ...used("share_photo")]);
    assert.deepEqual(names(2), ["share_photo"]);
    if (count > 0) assert.equal(problems.length, count);
  }
});

test("memory holds as many conversations as it may", async () => {
  const replies = ["a", "b"].flatMap((name) => [found(), says(name)]);
  const { send, names } = client([...replies, says("x"), says("x")], { maxConversations: 1 });
  await send([asks("one")]);
  await send([asks("two")]);
  await send([asks("one"), said("a"), USER]);
  await send([asks("two"), said("b"), USER]);
  assert.deepEqual([names(4).length > 0, names(5).length > 0], [false, true]);
});

test("a constant surface sends one list, and the client gets calls of its own tools", async () => {
  const wrapped = call("call_destructive_tool", { name: "create_issue", arguments: { issue_id: "1" } }, "b");
  const rounds = [
    calls(call("search_tools", { query: "create an issue" }, "s")),
    calls(wrapped),
    says("Done."),
    calls(call("share_photo", {}, "p")),
    says("x"),
  ];
  const { send, sent, names } = client(rounds, { sift: { surface: "constant" } });
  const reply = await send([USER]);
  assert.deepEqual(reply.tool_calls, [call("create_issue", { issue_id: "1" }, "b")]);
  const answered = [USER, reply, { role: "tool", tool_call_id: "b", content: "ok" }];
  await send(answered);
  assert.deepEqual((await send([...answered, USER])).tool_calls, [call("share_photo", {}, "p")], "as the history shows it");
  assert.equal(new Set(sent.map(({ body }) => JSON.stringify(body.tools))).size, 1, "the same list every time");
  await send([USER], {}, { tool_choice: { type: "function", function: { name: "list_recipe" } } });
  assert.ok(names(4).includes("list_recipe"));
});

for (const prefetch of [true, undefined]) {
  test(`what the user's ${prefetch ? "" : "first "}message finds is there before the model is asked`, async () => {
    const { send, names } = client([calls(call("create_issue", {}, "c1")), says("Done."), says("Bye.")], { prefetch });
    const first = asks("Open an issue");
    const reply = await send([first]);
    assert.ok(names(0).includes("create_issue"));
    assert.equal(reply.tool_calls.length, 1, "at once, without a search");
    const answered = [first, reply, { role: "tool", tool_call_id: "c1", content: "Now share a photo" }];
    await send(answered);
    assert.deepEqual(names(1), names(0), "an answer is not searched");
    await send([...answered, said("Done."), asks("Share a photo")]);
    assert.deepEqual(names(2).slice(0, names(0).length), names(0));
    assert.equal(names(2).includes("share_photo"), prefetch === true);
  });
}

test("what clients write beside the answer of a tool is not searched", async () => {
  const { fetch, seen } = upstream(APIS.messages, [{ text: "ok" }]);
  const messages = [
    APIS.messages.asks("Hi"),
    ...APIS.messages.step([{ id: "t", name: "list_recipe", args: {}, text: "ok" }]),
  ];
  messages.at(-1).content.push({ type: "text", text: "Share a photo" });
  const body = APIS.messages.request({ messages, tools: definitions });
  await siftFetch({ fetch, prefetch: true })(...posted(APIS.messages, body));
  assert.deepEqual([seen[0].tools.length > 0, seen[0].text.includes("share_photo")], [true, false]);
});
