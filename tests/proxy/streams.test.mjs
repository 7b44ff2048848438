/** Tests that streams are passed on without delay, also if there are many of them. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS, posted, streamOf } from "../apis/index.mjs";
import { siftFetch } from "./lib/asking.mjs";
import { chunk, DONE, piece, SEARCH, tools, USER } from "./lib/chat.mjs";
import { scripted } from "./lib/upstream.mjs";

const ask = (fetch, sift = siftFetch({ fetch })) =>
  sift(...posted(APIS.chat, { model: "m", messages: [USER], tools, stream: true }));
const stream = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

test("texts and the client's own calls flow before the reply is over", async () => {
  let controller;
  const body = new ReadableStream({ start: (one) => void (controller = one) });
  const asked = ask(scripted(streamOf(SEARCH), stream(body)).fetch);
  const say = (text) => controller.enqueue(Buffer.from(text));
  say(chunk({ role: "assistant", content: "" }) + chunk({ content: "Fo" }));
  const reader = (await asked).body.getReader();
  const read = async () => Buffer.from((await reader.read()).value ?? "").toString();
  assert.match(await read(), /"content":"Fo"/);
  for (const [said, told] of [
    [chunk({ content: "und" }), /"content":"und"/],
    [chunk(piece(0, "create_issue", "", "c1")), /"name":"create_issue"/],
    [chunk(piece(0, "", '{"a"')), /\{\\"a\\"/],
  ]) {
    say(said);
    assert.match(await read(), told);
  }
  say(chunk(piece(0, "", ":1}")) + chunk({}, "tool_calls") + DONE);
  controller.close();
  let rest = "";
  for (let text = await read(); text !== ""; text = await read()) rest += text;
  assert.match(rest, /"finish_reason":"tool_calls"[^]*\[DONE\]/);
});

test("a slow reader holds the upstream back", async () => {
  let produced = 0;
  const pull = (one) => (++produced > 5_000 ? one.close() : one.enqueue(Buffer.from(chunk({ content: "more " }))));
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  const reader = (await ask(async () => stream(body))).body.getReader();
  for (let nth = 0; nth < 10; nth++) await reader.read();
  await new Promise((done) => setTimeout(done, 50));
  assert.ok(produced <= 12, `${produced} chunks were read for 10`);
  await reader.cancel();
});

test("a client that goes between two rounds ends the next one too", async () => {
  let answer;
  const second = new Promise((resolve) => void (answer = resolve));
  let asked = 0;
  const reader = (
    await ask(async () => (++asked === 1 ? stream(chunk({ content: "Let me see." }) + SEARCH) : second))
  ).body.getReader();
  await reader.read();
  void reader.read();
  const until = async (holds) => {
    for (let turns = 0; turns < 1_000 && !holds(); turns += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.ok(holds(), "the second round's body is still open");
  };
  await until(() => asked === 2);
  let isCancelled = false;
  void reader.cancel();
  answer(stream(new ReadableStream({ cancel: () => void (isCancelled = true) })));
  await until(() => isCancelled);
});
