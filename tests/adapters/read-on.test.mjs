/**
 * Tests how a model reads the rest of a cut answer. That the pages together equal the answer is tested in
 * tests/conversations and tests/outcomes.rs.
 * 1. The stored text is limited, and deleted with the session.
 * 2. A tool of the same name in the catalog is not replaced.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { READ } from "./lib/loop.mjs";
import { siftOf } from "./lib/tools.mjs";

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
