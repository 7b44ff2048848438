/**
 * How does a model read on in an answer that was cut?
 *
 * 1. The pages together are the answer, whatever is in it; what the model asks for wrongly, it is told. 2. The tool is
 * written as each format has it, and is part of what the request costs. 3. Only the session that was given an answer reads
 * it, until it is closed; what is kept is bounded. 4. A tool of this name in the catalog stays what it is.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { READ } from "./lib/loop.mjs";
import { siftOf } from "./lib/tools.mjs";
import { FORMATS } from "../apis/formats.mjs";

const TOOL = "read_cut_answer";

/** A session that was given a long answer: `{ sift, session, note }`, where the note is the end of the cut. */
async function cutSession(text, { sift, id = "chat", ...options } = {}) {
  const app = await appWith();
  const { runTools } = await app.load("toolsift");
  const its = sift ?? (await siftOf(app));
  const session = its.session(id);
  session.reveal(["read_graph"]);
  let told;
  const send = ({ answers, step }) => ((told = answers[0]?.content), { calls: step === 1 ? [READ] : [] });
  await runTools(session, { send, execute: () => text, maxAnswerChars: 1_000, ...options });
  return { sift: its, session, told, note: /"id":"(r\d+)","from":(\d+)/.exec(told) };
}

/** What is wrong with a call; null where nothing is. */
const refusalCode = (outcome) => (outcome.kind === "refused" ? outcome.error.code : outcome.errorCode);

test("arguments may be JSON text; what is wrong with them is told, and nothing is thrown", async () => {
  const {
    session,
    note: [, id],
  } = await cutSession("x".repeat(5_000));
  for (const args of [
    { id, from: 4_990 },
    { id, from: "4990" },
  ]) {
    assert.equal(session.call(TOOL, args).content, "x".repeat(10));
    assert.equal(session.call(TOOL, JSON.stringify(args)).content, "x".repeat(10));
  }
  const wrong = [
    undefined,
    null,
    5,
    "{",
    "[]",
    { id: "r99", from: 0 },
    { id, from: -1 },
    { id, from: 5_000 },
    { id, from: 1.5 },
    { id, from: "soon" },
  ];
  for (const args of wrong) {
    const outcome = session.call(TOOL, args);
    assert.equal(refusalCode(outcome), "arguments_invalid", JSON.stringify(args));
  }
  assert.match(session.call(TOOL, { id, from: 9_000 }).content, /from is 9000; it must be a whole number from 0 to 4999/);
  assert.match(session.call(TOOL, { id: "r99" }).content, /no answer r99 to read on in\. Call the tool again/);
});

test("the tool is written as each format has it, behind all others, and is part of the cost", async () => {
  const app = await appWith();
  const sift = await siftOf(app);
  const plain = sift.session("plain");
  plain.reveal(["read_graph"]);
  const { session } = await cutSession("x".repeat(5_000), { sift });
  for (const format of FORMATS) {
    const before = plain.assemble({ format });
    const { tools, roles, size } = session.assemble({ format });
    const listed = (list) => (format === "google" ? list[0].functionDeclarations : list);
    assert.deepEqual(listed(tools).slice(0, -1), listed(before.tools), format);
    const last = listed(tools).at(-1);
    const like = listed(before.tools)[0];
    const keysOf = (value) => Object.keys(value).sort();
    assert.deepEqual(keysOf(last), keysOf(like), format);
    assert.ok(JSON.stringify(last).includes(TOOL));
    assert.equal(roles.length, listed(tools).length);
    assert.equal(roles.at(-1), "discovery");
    const bytes = JSON.stringify(tools).length - JSON.stringify(before.tools).length;
    assert.equal(size.request.bytes - before.size.request.bytes, bytes, format);
    const comma = 1;
    assert.equal(size.parts.discovery.bytes - before.size.parts.discovery.bytes, bytes - comma);
    assert.equal(size.saved.bytes, size.full.bytes - size.request.bytes);
    assert.equal(size.saved.tokens, size.full.tokens - size.request.tokens);
  }
});

test("the oldest answers go first, and an answer that is too long for it is not kept", async () => {
  const {
    sift,
    session,
    note: [, first],
  } = await cutSession("a".repeat(3_000_000));
  const {
    note: [, second],
  } = await cutSession("b".repeat(3_000_000), { sift });
  const {
    note: [, third],
  } = await cutSession("c".repeat(3_000_000), { sift });
  const isThere = (id) => session.call(TOOL, { id, from: 2_999_999 }).isError === false;
  assert.deepEqual([first, second, third].map(isThere), [false, true, true]);
  const {
    note: [, again],
  } = await cutSession("c".repeat(3_000_000), { sift });
  assert.equal(again, third, "the same answer is kept once");
  const { told, note } = await cutSession("d".repeat(8_000_001), { sift });
  assert.equal(note, null);
  assert.match(told, /To read the rest, call the tool again for less at once/);
  for (let at = 0; at < 6; at++) await cutSession(`${at}`.repeat(7_000_000), { sift, id: `s${at}` });
  assert.deepEqual([second, third].map(isThere), [false, false], "all sessions together have a bound too");
});

test("a tool of this name in the catalog stays what it is", async () => {
  const app = await appWith();
  const sift = await siftOf(app);
  sift.register([{ name: TOOL, description: "Another one", inputSchema: { type: "object", properties: {} } }], {
    server: "x",
  });
  const { session, note } = await cutSession("x".repeat(5_000), { sift });
  assert.equal(note, null);
  session.reveal([TOOL]);
  assert.equal(session.call(TOOL, {}).kind, "dispatch");
});

test("an answer that comes when its session is closed, or its catalog disposed, is cut without it", async () => {
  const cut = /^x+\n\n\[Cut: .* To read the rest, call the tool again for less at once/;
  for (const [end, like] of [
    [({ session }) => session.close(), cut],
    [({ sift }) => sift.dispose(), /^x{1000}$/],
  ]) {
    const app = await appWith();
    const { runTools } = await app.load("toolsift");
    const sift = await siftOf(app);
    const session = sift.session("chat");
    session.reveal(["read_graph"]);
    let told;
    const execute = () => (end({ sift, session }), "x".repeat(5_000));
    const answered = ([answer]) => void (told = answer.content);
    const report = runTools(session, {
      send: () => ({ calls: [READ] }),
      execute,
      answered,
      maxAnswerChars: 1_000,
      maxSteps: 1,
    });
    assert.equal((await report).finish, "steps");
    assert.match(told, like);
  }
});

test("the host's own counter counts the tool", async () => {
  const app = await appWith();
  const sift = await siftOf(app, { countTokens: (text) => Math.ceil(text.length / 2) });
  const plain = sift.session("plain");
  plain.reveal(["read_graph"]);
  const { session } = await cutSession("x".repeat(5_000), { sift });
  const [before, after] = [plain.assemble(), session.assemble()].map(({ size }) => size.parts.discovery);
  const definition = JSON.stringify(session.assemble().tools.at(-1));
  assert.equal(after.tokens - before.tokens, Math.ceil(definition.length / 2));
});
