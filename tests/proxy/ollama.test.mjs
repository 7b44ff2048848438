/**
 * Does a client of Ollama's own chat get tool search without knowing of it?
 *
 * 1. Calls of discovery tools are answered inside, whole and as lines of JSON; the client gets its own calls only, and costs that
 * are summed. 2. A stream comes through whole wherever it is cut; a request that does not say so streams. 3. An error within a
 * stream ends it. 4. Before JSON that was demanded no other text stands. 5. What was called is there again in the next request.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./lib/built.mjs";
import { asChat, definitions } from "./lib/tools.mjs";
import { json, scripted, sse } from "./lib/upstream.mjs";

const { siftProxy } = await entry("proxy.js");
const tools = definitions().map(asChat);
const COSTS = {
  total_duration: 30,
  load_duration: 1,
  prompt_eval_count: 10,
  prompt_eval_duration: 5,
  eval_count: 2,
  eval_duration: 7,
};
const call = (name, args) => ({ function: { name, arguments: args } });
const SEARCH = call("search_tools", { query: "create an issue" });
const CALL = call("create_issue", { issue_id: "1" });
const about = { model: "qwen3", created_at: "2026-01-01T00:00:00Z" };
const whole = ({ content = "", thinking, calls = [] }) => ({
  ...about,
  message: {
    role: "assistant",
    content,
    ...(thinking ? { thinking } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  },
  done: true,
  done_reason: "stop",
  ...COSTS,
});

/** A reply as lines, the text of the last one with its end where `isLate`. */
function lines({ content = "", thinking, calls = [] }, isLate = false) {
  const said = (message) => ({ ...about, message: { role: "assistant", content: "", ...message }, done: false });
  const texts = isLate ? [] : (content.match(/.{1,3}/gsu) ?? []).map((piece) => said({ content: piece }));
  const all = [
    ...(thinking ? [said({ thinking })] : []),
    ...texts,
    ...(calls.length > 0 && !isLate ? [said({ tool_calls: calls })] : []),
  ];
  const end = whole(isLate ? { content, calls } : {});
  return [...all, end].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** What a strict client accumulates. */
function accumulated(text) {
  assert.ok(text.endsWith("\n"));
  const all = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    all.map(({ done }) => done),
    [...all.slice(1).map(() => false), true],
    "the last line ends it",
  );
  const join = (key) => all.map(({ message }) => message[key] ?? "").join("");
  return {
    ...all.at(-1),
    message: {
      role: "assistant",
      content: join("content"),
      thinking: join("thinking"),
      tool_calls: all.flatMap(({ message }) => message.tool_calls ?? []),
    },
  };
}

async function asked(isStream, rounds, { more = {}, size, options = {}, isLate } = {}) {
  const replies = rounds.map((one) =>
    one instanceof Response
      ? one
      : isStream
        ? sse(typeof one === "string" ? one : lines(one, isLate), {
            size,
            headers: { "content-type": "application/x-ndjson" },
          })
        : json(whole(one)),
  );
  const { fetch, sent } = scripted(...replies);
  const messages = [
    { role: "system", content: "You help." },
    { role: "user", content: "Please help me" },
  ];
  const body = { model: "qwen3", messages, tools, ...(isStream ? {} : { stream: false }), ...more };
  const response = await siftProxy({ upstream: "http://ollama.example:11434", fetch, ...options })(
    new Request("http://proxy.local/api/chat", { method: "POST", body: JSON.stringify(body) }),
  );
  const text = await response.text();
  return { response, text, sent, reply: () => (isStream ? accumulated(text) : JSON.parse(text)) };
}
const names = ({ body }) => body.tools.map(({ function: { name } }) => name);

for (const isStream of [false, true]) {
  const how = isStream ? "as lines" : "whole";
  test(`a search is answered inside, ${how}`, async () => {
    const { reply, sent, response } = await asked(isStream, [
      { content: "Let me look.", thinking: "Hm.", calls: [SEARCH] },
      { content: "Found it.", calls: [CALL] },
    ]);
    assert.equal(sent[1].url, "http://ollama.example:11434/api/chat");
    assert.deepEqual(names(sent[0]), ["search_tools", "add_tool", "show_all_tools"]);
    assert.match(sent[0].body.messages[0].content, /^You help\.\n\n.*Finding tools/s);
    const [, , model, answer] = sent[1].body.messages;
    assert.deepEqual(model.tool_calls, [SEARCH]);
    assert.deepEqual([answer.role, answer.tool_name], ["tool", "search_tools"]);
    assert.match(answer.content, /create_issue/);
    assert.ok(names(sent[1]).includes("create_issue"));
    const { message, eval_count, total_duration, done_reason } = reply();
    assert.deepEqual([message.content, message.thinking, message.tool_calls], ["Let me look.\n\nFound it.", "Hm.", [CALL]]);
    assert.deepEqual([eval_count, total_duration, done_reason], [4, 60, "stop"]);
    assert.equal(response.headers.get("content-type"), isStream ? "application/x-ndjson" : "application/json");
  });

  test(`a search beside a real call is left out, and a bridge's call is that of the tool, ${how}`, async () => {
    const both = await asked(isStream, [{ calls: [call("share_photo", {}), SEARCH] }], {
      options: { sift: { alwaysAvailable: ["share_photo"] } },
    });
    assert.deepEqual(both.reply().message.tool_calls, [call("share_photo", {})]);
    const bridge = call("tool_call", { name: "create_issue", arguments: { issue_id: "1" } });
    const { reply } = await asked(isStream, [{ content: "Hm.", calls: [bridge] }], { options: { surface: "constant" } });
    assert.deepEqual([reply().message.content, reply().message.tool_calls], ["Hm.", [CALL]]);
  });

  test(`before JSON that was demanded no other text stands, ${how}`, async () => {
    for (const format of ["json", { type: "object" }]) {
      const { reply } = await asked(isStream, [{ content: "I search.", calls: [SEARCH] }, { content: '{"a":1}' }], {
        more: { format },
      });
      assert.equal(reply().message.content, '{"a":1}');
    }
    const { reply } = await asked(isStream, [{ content: "No JSON." }], { more: { format: "json" } });
    assert.equal(reply().message.content, "No JSON.");
  });

  test(`what was called is there again in the next request, ${how}`, async () => {
    const messages = [
      { role: "user", content: "Open" },
      { role: "assistant", content: "", tool_calls: [CALL] },
      { role: "tool", tool_name: "create_issue", content: "done" },
    ];
    const { sent } = await asked(isStream, [{ content: "Done." }], { more: { messages } });
    assert.ok(names(sent[0]).includes("create_issue"));
  });
}

test("a stream comes through whole wherever it is cut, also where its last line says something", async () => {
  for (const size of [1, 7, 64]) {
    const { reply } = await asked(true, [{ calls: [SEARCH] }, { content: "Fünf 🎉.", calls: [CALL] }], { size });
    assert.deepEqual([reply().message.content, reply().message.tool_calls], ["Fünf 🎉.", [CALL]]);
  }
  const { reply } = await asked(
    true,
    [
      { content: "So.", calls: [SEARCH] },
      { content: "Late.", calls: [CALL] },
    ],
    { isLate: true },
  );
  assert.deepEqual([reply().message.content, reply().message.tool_calls], ["So.\n\nLate.", [CALL]]);
});

test("lines pass as they came while nothing of them changes", async () => {
  const text = lines({ content: "Hello", thinking: "Hm." });
  const { text: got } = await asked(true, [text]);
  assert.equal(got, text);
});

test("an error within a stream ends it, and one of a later round is told as one", async () => {
  const begun = `${JSON.stringify({ ...about, message: { role: "assistant", content: "Hi" }, done: false })}\n`;
  const { text } = await asked(true, [`${begun}{"error":"out of memory"}\n`]);
  assert.equal(text, `${begun}{"error":"out of memory"}\n`);
  const { text: refused } = await asked(true, [{ calls: [SEARCH] }, json({ error: "model is gone" }, { status: 404 })]);
  assert.deepEqual(refused.split("\n"), ['{"error":"model is gone"}', ""]);
  const { text: cut } = await asked(true, [begun]);
  assert.equal(cut, begun, "a stream that broke off ends as it did");
  const { response } = await asked(true, [{ calls: [SEARCH] }], { options: { maxBodyBytes: 1_024 } });
  assert.equal(response.status, 413);
  assert.match((await asked(true, [], { options: { maxBodyBytes: 1_024 } })).text, /^\{"error":"the request's body/);
});
