/**
 * Does what a conversation has found stay found, and only there?
 *
 * 1. Calls in the history reveal their tools; what was found and not called is kept under the conversation's beginning, the
 *    vendor's id, or the client's header.
 * 2. What was revealed keeps its place, so that the list only grows at its end.
 * 3. Two clients, and two conversations that begin with the same message, share nothing.
 * 4. A client that edits or branches its history is served from what is left of it.
 * 5. A storage is shared by several proxies; one that fails, is slow or holds nonsense is done without.
 * 6. With a constant surface nothing but the discovery tools is ever sent, and the client gets calls of its own tools.
 * 7. With `prefetch`, what the user's message finds is the end of the first request's tools and stays there; an answer of a
 *    tool, and what a client writes beside it, is not searched. With `"first"` only the first message is.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./lib/built.mjs";
import { call, calls, says, tools, USER } from "./lib/chat.mjs";
import { chunk, DONE, piece } from "./lib/streams.mjs";
import { asAnthropic, asGoogle, asResponses, definitions } from "./lib/tools.mjs";
import { json, posted, scripted, sse } from "./lib/upstream.mjs";

const { siftFetch } = await entry("proxy.js");
const ASKS = { role: "user", content: "Open an issue" };
const search = (query, id = "s") => call("search_tools", { query }, id);

/** A client over an upstream with these replies: `send(messages)` answers the message, and the names that were sent. */
function client(replies, options = {}) {
  const { fetch, sent } = scripted(...replies);
  const sift = siftFetch({ fetch, ...options });
  const send = async (messages, headers = {}, more = {}) => {
    const request = { model: "m", messages, tools, ...more };
    const response = await sift(...posted("/v1/chat/completions", request, { authorization: "Bearer one", ...headers }));
    return (await response.json()).choices[0].message;
  };
  const names = (at) => sent[at].body.tools.map((tool) => tool.function.name).slice(3);
  return { send, sent, names };
}

test("what was found stays found, at its place, with calls and without", async () => {
  const { send, names, sent } = client([
    calls(search("create an issue, list issues")),
    calls(call("create_issue", {}, "c1")),
    says("Done."),
    calls(search("rename a photo")),
    says("Renamed."),
  ]);
  const first = await send([USER]);
  const answered = [USER, first, { role: "tool", tool_call_id: "c1", content: "ok" }];
  const second = await send(answered);
  const found = names(1);
  assert.ok(found.length > 1, "the search has found more than what was called");
  assert.deepEqual(names(2), found);
  await send([...answered, second, { role: "user", content: "And a photo?" }]);
  assert.deepEqual(names(3), found);
  assert.deepEqual(names(4).slice(0, found.length), found, "new tools come behind");
  assert.ok(names(4).length > found.length);
  assert.deepEqual(
    sent.map(({ body }) => body.tools.slice(0, 3).length),
    [3, 3, 3, 3, 3],
  );
});

test("the conversation is known by its first reply, as text and as a stream", async () => {
  const text = (content) => sse(chunk({ role: "assistant", content }) + chunk({}, "stop") + DONE);
  const { send, names } = client([calls(search("create an issue")), says(" I can do that.\n"), says("Done.")]);
  const first = await send([USER]);
  await send([
    USER,
    { role: "assistant", content: [{ type: "text", text: first.content.trim() }] },
    { role: "user", content: "Go." },
  ]);
  assert.ok(names(2).includes("create_issue"), "however the client writes it down");
  const upstream = scripted(
    sse(chunk(piece(0, "search_tools", '{"query":"create an issue"}', "s")) + chunk({}, "tool_calls") + DONE),
    text("I can."),
    text("Done."),
  );
  const sift = siftFetch({ fetch: upstream.fetch });
  const ask = async (messages) =>
    (await sift(...posted("/v1/chat/completions", { model: "m", messages, tools, stream: true }))).text();
  await ask([USER]);
  await ask([USER, { role: "assistant", content: "I can." }, { role: "user", content: "Go." }]);
  assert.ok(upstream.sent[2].body.tools.some((tool) => tool.function.name === "create_issue"));
});

test("other clients, and other conversations with the same first message, share nothing", async () => {
  const { send, names } = client([calls(search("create an issue")), says("Yes."), says("x"), says("x"), says("x")]);
  await send([USER]);
  const go = { role: "user", content: "Go." };
  await send([USER]);
  assert.deepEqual(names(2), [], "a new conversation begins with nothing");
  await send([USER, { role: "assistant", content: "No." }, go]);
  assert.deepEqual(names(3), [], "another first reply");
  await send([USER, { role: "assistant", content: "Yes." }, go], { authorization: "Bearer two" });
  assert.deepEqual(names(4), [], "another client");
});

test("conversations under another system prompt, or with other tools, share nothing", async () => {
  const prompts = ["You serve tenant 1.", "You serve tenant 2."];
  const about = {
    "/v1/chat/completions": [
      (prompt) => ({ messages: [{ role: "system", content: prompt }, USER, { role: "assistant", content: "Yes." }, USER] }),
      tools,
      says("x"),
      ({ tools: list }) => list.map((tool) => tool.function.name),
    ],
    "/v1/messages": [
      (prompt) => ({
        system: [{ type: "text", text: prompt }],
        messages: [USER, { role: "assistant", content: "Yes." }, USER],
      }),
      definitions().map(asAnthropic),
      json({ content: [{ type: "text", text: "x" }] }),
      ({ tools: list }) => list.map((tool) => tool.name),
    ],
    "/v1/responses": [
      (instructions) => ({ instructions, store: false, input: [USER, { role: "assistant", content: "Yes." }, USER] }),
      definitions().map(asResponses),
      json({ output: [{ type: "message", content: [{ type: "output_text", text: "x" }] }] }),
      ({ tools: list }) => list.map((tool) => tool.name),
    ],
    "/v1beta/models/m:generateContent": [
      (text) => ({
        systemInstruction: { parts: [{ text }] },
        contents: [
          { role: "user", parts: [{ text: "Hi" }] },
          { role: "model", parts: [{ text: "Yes." }] },
          { role: "user", parts: [{ text: "Go" }] },
        ],
      }),
      [{ functionDeclarations: definitions().map(asGoogle) }],
      json({ candidates: [{ content: { role: "model", parts: [{ text: "x" }] }, finishReason: "STOP" }] }),
      ({ tools: list }) => list[0].functionDeclarations.map((tool) => tool.name),
    ],
  };
  for (const [path, [write, list, reply, namesIn]] of Object.entries(about)) {
    const { fetch, sent } = scripted(...Array.from({ length: 4 }, () => () => reply.clone()));
    const sift = siftFetch({ fetch });
    const few = path.includes("models") ? [{ functionDeclarations: list[0].functionDeclarations.slice(1) }] : list.slice(1);
    const send = async (prompt, more = {}) => {
      const body = { model: "m", tools: list, ...write(prompt), ...more };
      await (await sift(...posted(path, body, { authorization: "Bearer one" }))).text();
      return namesIn(sent.at(-1).body).includes("share_photo");
    };
    const choice = {
      "/v1/chat/completions": { tool_choice: { type: "function", function: { name: "share_photo" } } },
      "/v1/messages": { tool_choice: { type: "tool", name: "share_photo" } },
      "/v1/responses": { tool_choice: { type: "function", name: "share_photo" } },
    }[path] ?? { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["share_photo"] } } };
    await send(`${prompts[0]} It is 10:15.`, choice);
    assert.deepEqual(
      [await send(`${prompts[0]} It is 10:16.`), await send(prompts[1]), await send(prompts[0], { tools: few })],
      [true, false, false],
      path,
    );
  }
});

test("a header names the conversation, and goes before what it says", async () => {
  const { send, names, sent } = client([calls(search("create an issue")), says("Yes."), says("x"), says("x")]);
  await send([USER], { "x-toolsift-session": "chat-42" });
  await send([{ role: "user", content: "Summary: …" }], { "x-toolsift-session": "chat-42" });
  assert.ok(names(2).includes("create_issue"), "after the client has compacted it");
  assert.equal(sent[2].headers.get("x-toolsift-session"), null);
  await send([USER], { "x-toolsift-session": "chat-43" });
  assert.deepEqual(names(3), []);
  const upstream = scripted();
  const response = await siftFetch({ fetch: upstream.fetch })(
    ...posted("/v1/chat/completions", { messages: [USER], tools }, { "x-toolsift-session": "x".repeat(600) }),
  );
  assert.deepEqual(
    [response.status, (await response.json()).error.code, upstream.sent.length],
    [400, "session_id_invalid", 0],
  );
});

test("a history that was edited or branched is read as it is", async () => {
  const { send, names } = client([says("x"), says("x"), says("x")]);
  const used = (name, id) => [
    { role: "assistant", content: null, tool_calls: [call(name, {}, id)] },
    { role: "tool", tool_call_id: id, content: "ok" },
  ];
  await send([USER, ...used("share_photo", "a"), ...used("delete_branch", "b")]);
  assert.deepEqual(names(0), ["share_photo", "delete_branch"]);
  await send([USER, ...used("delete_branch", "b")]);
  assert.deepEqual(names(1), ["delete_branch"]);
  await send([USER, ...used("gone_tool", "c"), ...used("share_photo", "a")]);
  assert.deepEqual(names(2), ["share_photo"], "tools that the request does not bring are passed over");
});

test("several proxies share a storage", async () => {
  const records = new Map();
  const storage = {
    getKeys: () => [...records.keys()],
    getItem: async (key) => records.get(key) ?? null,
    setItem: async (key, value, options) => void records.set(key, value, options),
    removeItem: (key) => void records.delete(key),
  };
  const one = client([calls(search("create an issue")), says("Yes.")], { storage });
  await one.send([USER]);
  assert.equal(records.size, 1);
  const [[key, value]] = records;
  assert.match(key, /^toolsift:proxy:[0-9a-f]{64}$/);
  assert.ok(!/Please help me|Bearer|Yes/.test(value));
  const two = client([says("Done.")], { storage });
  await two.send([USER, { role: "assistant", content: "Yes." }, { role: "user", content: "Go." }]);
  assert.ok(two.names(0).includes("create_issue"));
  records.set(key, JSON.stringify({ ...JSON.parse(value), expires: Date.now() - 1 }));
  const late = client([says("Done.")], { storage });
  await late.send([USER, { role: "assistant", content: "Yes." }, { role: "user", content: "Go." }]);
  assert.deepEqual(late.names(0), [], "what has expired is forgotten");
});

test("a storage that fails, or holds nonsense, is done without", async () => {
  const broken = {
    getKeys: () => [],
    getItem: () => Promise.reject(new Error("down")),
    setItem: () => Promise.reject(new Error("down")),
    removeItem: () => {},
  };
  const nonsense = {
    ...broken,
    setItem: () => {},
    getItem: () => '{"toolsift":1,"revealed":[1,"no_such_tool",{"a":1}],"expires":"never"}',
  };
  for (const storage of [broken, nonsense, { ...nonsense, getItem: () => "no json" }]) {
    const events = [];
    const { send, names } = client([calls(search("create an issue")), says("Yes."), says("Done.")], {
      storage,
      onEvent: (event) => events.push(event),
    });
    await send([USER]);
    await send([
      USER,
      { role: "assistant", content: null, tool_calls: [call("share_photo", {}, "a")] },
      { role: "tool", tool_call_id: "a", content: "ok" },
    ]);
    assert.deepEqual(names(2), ["share_photo"]);
    if (storage === broken) assert.equal(events.filter(({ type }) => type === "problem").length, 3);
  }
});

test("memory holds as many conversations as it may", async () => {
  const replies = ["a", "b"].flatMap((name) => [calls(search("create an issue")), says(name)]);
  const { send, names } = client([...replies, says("x"), says("x")], { maxConversations: 1 });
  const first = (content) => ({ role: "user", content });
  await send([first("one")]);
  await send([first("two")]);
  await send([first("one"), { role: "assistant", content: "a" }, USER]);
  await send([first("two"), { role: "assistant", content: "b" }, USER]);
  assert.deepEqual([names(4).length > 0, names(5).length > 0], [false, true]);
});

test("a constant surface calls through a bridge, and the client gets calls of its own tools", async () => {
  const bridged = call("tool_call", { name: "create_issue", arguments: { issue_id: "1" } }, "b");
  const { send, sent } = client(
    [
      calls(call("tool_search", { query: "create an issue" }, "s")),
      calls(bridged),
      says("Done."),
      calls(call("share_photo", {}, "p")),
      calls(call("list_recipe", {}, "n")),
    ],
    { surface: "constant" },
  );
  const reply = await send([USER]);
  assert.deepEqual(reply.tool_calls, [call("create_issue", { issue_id: "1" }, "b")]);
  await send([USER, reply, { role: "tool", tool_call_id: "b", content: "ok" }]);
  const lists = sent.map(({ body }) => JSON.stringify(body.tools));
  assert.equal(new Set(lists).size, 1, "the same list every time");
  const direct = await send([USER, reply, { role: "tool", tool_call_id: "b", content: "ok" }, USER]);
  assert.deepEqual(direct.tool_calls, [call("share_photo", {}, "p")], "as the history shows it");
  await send([USER], {}, { tool_choice: { type: "function", function: { name: "list_recipe" } } });
  assert.ok(sent.at(-1).body.tools.some((tool) => tool.function.name === "list_recipe"));
});

test("what the user's message finds is there before the model is asked", async () => {
  const { send, names, sent } = client([calls(call("create_issue", {}, "c1")), says("Done."), says("Bye.")], {
    prefetch: true,
  });
  const reply = await send([ASKS]);
  assert.ok(names(0).includes("create_issue"));
  assert.deepEqual(reply.tool_calls, [call("create_issue", {}, "c1")], "at once, without a search");
  const answered = [ASKS, reply, { role: "tool", tool_call_id: "c1", content: "Now share a photo" }];
  await send(answered);
  assert.deepEqual(sent[1].body.tools, sent[0].body.tools, "an answer is not searched");
  await send([...answered, { role: "assistant", content: "Done." }, { role: "user", content: "Share a photo" }]);
  assert.deepEqual(names(2).slice(0, names(0).length), names(0));
  assert.equal(names(2).at(-1), "share_photo");
});

test("what the user's first message finds is there, and not what a later one finds", async () => {
  const { send, names } = client([says("Hello."), says("Done.")]);
  const reply = await send([ASKS]);
  assert.ok(names(0).includes("create_issue"));
  await send([ASKS, reply, { role: "user", content: "Share a photo" }]);
  assert.deepEqual(names(1), names(0));
});

test("what clients write beside the answer of a tool is not searched", async () => {
  const end = {
    id: "m",
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: "ok" }],
    stop_reason: "end_turn",
  };
  const { fetch, sent } = scripted(json(end));
  const answer = { type: "tool_result", tool_use_id: "t", content: "ok" };
  const messages = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "list_recipe", input: {} }] },
    { role: "user", content: [answer, { type: "text", text: "Share a photo" }] },
  ];
  const request = { model: "m", max_tokens: 9, messages, tools: definitions().map(asAnthropic) };
  await siftFetch({ fetch, prefetch: true })(...posted("/v1/messages", request, { "x-api-key": "one" }));
  assert.ok(sent[0].body.tools.length > 0);
  assert.equal(sent[0].text.includes("share_photo"), false);
});
