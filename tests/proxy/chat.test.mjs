/** Tests vendors' variants of Chat Completions. Behaviour common to all APIs is tested in apis.test.mjs. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS, posted, streamOf } from "../apis/index.mjs";
import { eventsIn } from "../apis/vendor.mjs";
import { siftFetch } from "./lib/asking.mjs";
import { call, chunk, DONE, piece, SEARCH, tools, USER } from "./lib/chat.mjs";
import { json, scripted } from "./lib/upstream.mjs";

const ask = (fetch, more) => siftFetch({ fetch })(...posted(APIS.chat, { model: "m", messages: [USER], tools, ...more }));

/** The text that a stream becomes, and what a client reads of it. */
async function streamed(texts, more) {
  const { fetch } = scripted(...texts.map((text) => streamOf(text)));
  const text = await (await ask(fetch, { stream: true, ...more })).text();
  const all = eventsIn(text).map(({ data }) => data);
  const deltas = all.flatMap(({ choices = [] }) => choices[0]?.delta ?? []);
  const calls = [];
  for (const { index, id, function: made } of deltas.flatMap(({ tool_calls = [] }) => tool_calls)) {
    calls[index] ??= { id, name: made.name, args: "" };
    calls[index].args += made.arguments;
  }
  const reasons = all.flatMap(({ choices = [] }) => choices[0]?.finish_reason ?? []);
  const usage = all.flatMap((one) => one.usage?.prompt_tokens ?? []);
  return { text, deltas, calls, reasons, usage, content: deltas.map(({ content }) => content ?? "").join("") };
}

test("usage that comes behind the end, beside a choice that says nothing, is told once and summed", async () => {
  const nothing = { role: "assistant", content: "" };
  const late = (id, finish) =>
    chunk(nothing, finish, { id }) + chunk(nothing, null, { id, usage: { prompt_tokens: 10 } }) + DONE;
  const search = chunk(piece(0, "search_tools", '{"query":"create an issue"}', "s"), null, { id: "r1" });
  const called = chunk(piece(0, "create_issue", "{}", "c"), null, { id: "r2" });
  const { usage, reasons, calls } = await streamed([search + late("r1", "tool_calls"), called + late("r2", "tool_calls")]);
  assert.deepEqual([usage, reasons, calls], [[20], ["tool_calls"], [{ id: "c", name: "create_issue", args: "{}" }]]);
  const plain = chunk({ content: "Hi" }) + late("c", "stop");
  assert.equal((await streamed([plain])).text, plain);
});

test("lists of a vendor's own, such as reasoning_details, are those of all rounds", async () => {
  const said = (text, ...tool_calls) => {
    const own = { reasoning: text, reasoning_details: [{ type: "reasoning.text", text }], annotations: null };
    const message = { role: "assistant", content: null, ...own, tool_calls };
    return json({ id: "c", choices: [{ index: 0, finish_reason: "tool_calls", message }] });
  };
  const { fetch } = scripted(
    said("one", call("search_tools", { query: "create an issue" })),
    said("two", call("create_issue", {})),
  );
  const { message } = (await (await ask(fetch)).json()).choices[0];
  const { reasoning, reasoning_details, tool_calls } = message;
  assert.deepEqual(
    [reasoning, reasoning_details.map(({ text }) => text), tool_calls.length],
    ["one\n\ntwo", ["one", "two"], 1],
  );
});

test("vendors that number and end their chunks in their own way are read", async () => {
  const whole = { tool_calls: [{ index: 0, ...call("search_tools", { query: "create an issue" }) }] };
  const windows = (text) => text.replaceAll("\n", "\r\n");
  for (const texts of [
    // The whole call and the end in one chunk.
    [chunk({ role: "assistant", ...whole }, "tool_calls") + DONE, chunk({ content: "Done." }, "stop") + DONE],
    // Indexes missing; usage in the last chunk with a choice; comments and \r\n.
    [
      windows(chunk(piece(undefined, "search_tools", '{"query":"create an issue"}', "s")) + chunk({}, "tool_calls")),
      windows(`: keep-alive\n\n${chunk({ content: "Done." })}${chunk({}, "stop", { usage: { total_tokens: 3 } })}`),
    ],
  ]) {
    const { content, calls, reasons } = await streamed(texts);
    assert.deepEqual([content, calls, reasons], ["Done.", [], ["stop"]]);
  }
});

test("parallel calls are renumbered, whatever stands between them", async () => {
  const mixed =
    chunk(piece(0, "search_tools", '{"query":"create an issue"}', "a")) +
    chunk(piece(1, "share_photo", '{"x":', "b")) +
    chunk(piece(1, "", "1}")) +
    chunk(piece(2, "add_tool", '{"tool_names":["list_recipe"]}', "c")) +
    chunk(piece(3, "delete_branch", "{}", "d")) +
    chunk({}, "tool_calls") +
    DONE;
  const before = ["share_photo", "delete_branch"].flatMap((name) => APIS.chat.step([{ id: name, name, text: "ok" }]));
  const { calls, reasons } = await streamed([mixed], { messages: [USER, ...before] });
  const own = [
    { id: "b", name: "share_photo", args: '{"x":1}' },
    { id: "d", name: "delete_branch", args: "{}" },
  ];
  assert.deepEqual([calls, reasons], [own, ["tool_calls"]]);
});

test("what only one vendor's chunks say comes through in every round", async () => {
  const details = (text) => ({ reasoning_details: [{ type: "reasoning.text", text }] });
  const annotation = { annotations: [{ type: "url_citation", url_citation: { url: "https://a.example" } }] };
  const image = { images: [{ type: "image_url", image_url: { url: "data:," } }] };
  const rest = [details("done"), { content: "Here." }, annotation, image, { audio: { id: "a", data: "AAAA" } }];
  const second = rest.map((delta) => chunk(delta)).join("") + chunk({}, "stop") + DONE;
  const { deltas } = await streamed([chunk(details("look")) + SEARCH, second]);
  for (const [key, value] of [details("look"), ...rest].flatMap(Object.entries)) {
    const isThere = deltas.some((delta) => JSON.stringify(delta[key]) === JSON.stringify(value));
    assert.ok(isThere, `${key}: ${JSON.stringify(deltas)}`);
  }
});

test("a stream that breaks off, or tells of an error, ends as it did", async () => {
  const text = chunk({ role: "assistant", content: "" }) + chunk({ content: "Hal" });
  const error = `data: {"error":{"message":"overloaded","code":529}}\n\n`;
  for (const sent of [text, text + error]) assert.equal((await streamed([sent])).text, sent);
  let nth = 0;
  const pull = (one) => (nth++ === 0 ? one.enqueue(Buffer.from(text)) : one.error(new Error("socket")));
  const dying = new ReadableStream({ pull }, { highWaterMark: 0 });
  const fetch = async () => new Response(dying, { headers: { "content-type": "text/event-stream" } });
  const told = await (await ask(fetch, { stream: true })).text();
  assert.ok(told.startsWith(text));
  assert.match(told, /"error":\{"message":"the upstream's stream broke off/);
});

test("what is no stream is read as a whole reply, and what does not say what it is, by what it is", async () => {
  const types = ["application/json", undefined, "text/plain; charset=utf-8", "application/octet-stream"];
  const replies = {
    json: [{ calls: [{ name: "search_tools", args: { query: "issue" } }] }, { text: "Done." }].map((reply, at) =>
      JSON.stringify(APIS.chat.reply({ text: "", calls: [], step: at + 1, ...reply }, {})),
    ),
    stream: [`\n${SEARCH}`, chunk({ content: "Done." }, "stop")],
  };
  for (const [kind, texts] of Object.entries(replies)) {
    for (const type of kind === "json" ? types : types.slice(1)) {
      for (const stream of kind === "json" ? [false, true] : [true]) {
        // A text would say that it is one.
        const { fetch, sent } = scripted(
          ...texts.map((text) => () => new Response(Buffer.from(text), { headers: type ? { "content-type": type } : {} })),
        );
        const response = await ask(fetch, { stream });
        const text = await response.text();
        assert.match(text, /"Done\."/, `${kind} as ${type}`);
        assert.doesNotMatch(text, /search_tools/);
        assert.equal(sent.length, 2);
        if (kind === "json") assert.equal(response.headers.get("content-type"), "application/json");
      }
    }
  }
  for (const other of ["<html>", "", "{", "\u0000\u0001"]) {
    const { fetch } = scripted(new Response(other, { headers: { "content-type": "text/html" } }));
    assert.equal(await (await ask(fetch)).text(), other);
  }
});
