/**
 * Tests that a conversation keeps the form that Anthropic's API requires: with thinking, pauses, cut and empty replies,
 * images, streams, and runs that end early.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { add, application, call, over, rebuilt, replies, results, run } from "./lib/anthropic.mjs";
import { anthropicPlain } from "./lib/drives/anthropic.mjs";
import { pluck, siftOf } from "./lib/tools.mjs";
import { signed } from "../apis/messages.mjs";

const app = await application();
const adapter = await app.load("toolsift/anthropic");

test("all that the model says is kept as it came: thinking, texts, several calls", async () => {
  const thinking = { type: "thinking", thinking: "An issue, then.", signature: signed("An issue, then.") };
  const hidden = { type: "redacted_thinking", data: "eHh4" };
  for (const stream of [false, true]) {
    const calls = [add("read_graph"), call("show_all_tools")];
    const steps = replies({ blocks: [thinking, hidden], text: "I look.", calls });
    const { messages, requests, text } = await run(anthropicPlain, steps, { stream });
    assert.deepEqual(messages[1].content.slice(0, 2), [thinking, hidden]);
    assert.deepEqual(pluck(requests[1].body.messages[1].content, "type"), [
      "thinking",
      "redacted_thinking",
      "text",
      "tool_use",
      "tool_use",
    ]);
    assert.equal(messages[2].content.length, 2, "all calls are answered in one message");
    assert.equal(text, "All done.");
  }
});

test("a paused reply is gone on with, a bounded number of times", async () => {
  for (const stream of [false, true]) {
    const stop = "pause_turn";
    const steps = replies({ text: "One, ", stop }, { text: "two, ", stop }, { text: "three." });
    const { requests, text, finish, messages, steps: count } = await run(anthropicPlain, steps, { stream });
    assert.deepEqual([text, finish, count, requests.length], ["One, two, three.", "done", 1, 3]);
    assert.deepEqual(pluck(messages, "role"), ["user", "assistant", "assistant", "assistant"]);
  }
  const forever = await run(anthropicPlain, () => ({ text: "…", stop: "pause_turn" }));
  assert.deepEqual([forever.requests.length, forever.reply.message.stop_reason], [11, "pause_turn"]);
});

test("a paused reply that makes calls all the same is answered first", async () => {
  const steps = replies({ calls: [add("read_graph")], stop: "pause_turn" }, { calls: [call("read_graph")] });
  const { ran, requests } = await run(anthropicPlain, steps);
  assert.deepEqual([ran.map(({ name }) => name), requests.length], [["read_graph"], 3]);
});

test("a call that was cut off is not run, however whole it looks", async () => {
  const kinds = [
    [false, { path: "a" }, "max_tokens"],
    [true, { path: "a" }, "model_context_window_exceeded"],
    [true, { path: "a" }, "refusal"],
    [false, { path: "a" }, "stop_sequence"],
    [true, '{"path": "a", "content": "half', "max_tokens"],
  ];
  for (const [stream, args, stop] of kinds) {
    const whole = { path: "a", content: "" };
    const cutOff = [call("read_graph"), call("write_file", args)];
    const steps = replies({ calls: cutOff, stop }, { calls: [call("write_file", whole)] });
    const sift = await siftOf(app);
    sift.session("chat").reveal(["read_graph", "write_file"]);
    const done = await run(anthropicPlain, steps, { stream, sift });
    assert.deepEqual(pluck(done.ran, "name"), ["read_graph", "write_file"]);
    assert.deepEqual(done.ran[1].args, whole);
    const [, cut] = results(done);
    const said = `The reply ended in the middle of this call (${stop}), so this call did not run.`;
    assert.equal(cut.content.replace(" Make it shorter.", ""), said);
    assert.equal(cut.is_error, true);
    assert.deepEqual(await rebuilt(done), done.session.revealed);
  }
});

test("a reply without content leaves nothing that the API would refuse", async () => {
  const about = { sift: await siftOf(app), messages: [] };
  await run(anthropicPlain, replies({ text: "", stop: "refusal" }), about);
  assert.deepEqual(pluck(about.messages, "role"), ["user"]);
  const again = await run(anthropicPlain, replies({ text: "Yes?" }), about);
  assert.equal(again.text, "Yes?");
});

test("empty texts of a reply are not sent back, since the API refuses what it says itself", async () => {
  const blocks = ["", "\n\n"].map((text) => ({ type: "text", text, citations: null }));
  for (const stream of [false, true]) {
    const messages = [];
    const steps = replies({ blocks, calls: [add("read_graph")] }, { blocks });
    const { text, reply } = await run(anthropicPlain, steps, { stream, messages });
    assert.deepEqual([text, reply.message.content.length], ["\n\n", 2]);
    assert.deepEqual(
      messages.map(({ role, content }) => [role, content.length]),
      [
        ["user", "Go on.".length],
        ["assistant", 1],
        ["user", 1],
      ],
    );
    assert.equal((await run(anthropicPlain, replies({ text: "Yes?" }), { messages })).text, "Yes?");
  }
});

test("a reply joins the conversation with all its answers, or not at all", async () => {
  const ended = { sift: await siftOf(app), messages: [] };
  const disposing = () => {
    ended.sift.dispose();
    return { text: "I look.", calls: [add("read_graph")] };
  };
  await assert.rejects(run(anthropicPlain, disposing, ended), { code: "disposed" });
  const messages = [];
  const failing = (_, step) => {
    assert.equal(step, 1, "the second request fails");
    return { text: "One, ", stop: "pause_turn" };
  };
  await assert.rejects(run(anthropicPlain, failing, { messages }), /the second request fails/);
  for (const kept of [ended.messages, messages]) assert.deepEqual(pluck(kept, "role"), ["user"]);
});

test("a vendor that answers something else is told of", async () => {
  const { runTools } = await app.load("toolsift");
  const answers = [
    [{ error: "busy" }, /no message: {"error":"busy"}/],
    [undefined, /no message: nothing/],
  ];
  for (const [answer, said] of answers) {
    const client = { messages: { create: async () => answer, stream: () => {} } };
    const messages = [{ role: "user", content: "Hi." }];
    const model = adapter.messagesModel(client, { model: "glm-5", max_tokens: 10, messages });
    const session = (await siftOf(app)).session("chat");
    await assert.rejects(runTools(session, { ...model, execute: () => "" }), said);
  }
});

test("images of MCP's are shown to the model, and errors are text", async () => {
  const image = (mimeType) => ({ type: "image", data: "aGk=", mimeType });
  const text = { type: "text", text: "A picture:" };
  const kinds = [
    [{ content: [text, { type: "text", text: "" }, image("image/png")] }, ["text", "image"]],
    [{ content: [image("image/tiff")] }, "string"],
    [{ content: [image("image/png"), image("image/tiff")] }, ["image", "text"]],
    [{ content: [text, image("image/png")], isError: true }, "string"],
    [{ content: [null, { type: "image", data: 5, mimeType: "image/png" }] }, "string"],
    ["", "undefined"],
    [undefined, "undefined"],
  ];
  for (const [result, wanted] of kinds) {
    const sift = await siftOf(app);
    sift.session("chat").reveal(["read_graph"]);
    const done = await run(anthropicPlain, [[call("read_graph")]], { sift, answer: () => result });
    const [{ content }] = results(done);
    assert.deepEqual(Array.isArray(content) ? content.map(({ type }) => type) : typeof content, wanted);
  }
  const twice = [[call("read_graph")], [call("read_graph")]];
  const [, png] = results(await run(anthropicPlain, twice, { answer: () => kinds[0][0] }));
  assert.deepEqual(png.content[1].source, { type: "base64", media_type: "image/png", data: "aGk=" });
});

test("streaming tells of every event", async () => {
  const events = [];
  const road = { onStreamEvent: (event) => void events.push(event.type) };
  await run(over(road), replies({ text: "Hello." }), { stream: true });
  assert.deepEqual(
    events.filter((type) => type !== "content_block_delta"),
    ["message_start", "content_block_start", "content_block_stop", "message_delta", "message_stop"],
  );
  events.length = 0;
  await run(over(road), replies({ text: "Hello." }), { stream: false });
  assert.deepEqual(events, []);
});
