/** Tests that a tool is deferred again if the conversation no longer contains its loading. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { EVENTS, filled, freshSession, live, PROJECT, SEND, TIDES } from "./lib/live.mjs";
import { FORMATS, SHAPES } from "./lib/write.mjs";

const search = (query) => ["search_tools", { query }];
const add = (...tool_names) => ["add_tool", { tool_names }];
const select = (...names) => ["ToolSearch", { query: `select:${names}` }];
const chat = FORMATS.get("openai");
const openai = { format: "openai" };

/** Rebuilds from some turns in every shape, in a session that is new or as `before` leaves it, and checks the report. */
function rebuilt(turns, expected, options, before = () => {}) {
  for (const [shape, format, write] of SHAPES) {
    const session = freshSession(options);
    before(session);
    const had = session.revealed;
    const report = session.fromMessages(write(turns), { format });
    assert.deepEqual(session.revealed, expected, shape);
    const fresh = expected.filter((name) => !had.includes(name));
    const gone = had.filter((name) => !expected.includes(name));
    assert.deepEqual(report, { revealed: fresh, concealed: gone, missing: [] }, shape);
  }
}

test("sift: what was loaded, said to be loaded, or called", () => {
  const { turns } = live(filled(), [
    [[search("high tide times")]],
    [[search("create an issue")], [search("tides, the hour of high water")]],
    [[[SEND]], [[SEND, { text: "a" }]], [[TIDES]]],
  ]);
  assert.deepEqual(turns[0].steps[0][0].revealed, [TIDES]);
  const issues = turns[1].steps[0][0].revealed;
  assert.ok(issues.length > 0 && !issues.includes(TIDES));
  assert.match(turns[1].steps[1][0].text, /Loaded before:\n- mcp__weather__get_tides\(/);
  rebuilt(turns, [TIDES, ...issues, SEND]);
  rebuilt(turns.slice(1), [...issues, TIDES, SEND]);
  rebuilt(turns.slice(2), [SEND, TIDES]);
  rebuilt([{ steps: turns[2].steps.slice(1) }], [SEND, TIDES]);
  rebuilt([{ steps: turns[2].steps.slice(2) }], [TIDES]);
  rebuilt([{ steps: [[{ id: "c", name: "own_tool", args: {}, text: "ok" }]] }], []);
});

/** Other profiles: a script, and what is left of it behind each of its turns. */
const LEFT = {
  "search-add": [
    [[[add(TIDES, SEND)]], [[add(PROJECT, SEND, "nope")], [[EVENTS]], [search("calendar")]], [[[TIDES]], [add("nope")]]],
    [[TIDES, SEND, PROJECT], [PROJECT, SEND, TIDES], [TIDES]],
  ],
  "select-load": [
    [[[select(TIDES)]], [[select(SEND, TIDES)]], [[[EVENTS]]]],
    [[TIDES, SEND], [SEND, TIDES], []],
  ],
  stub: [
    [[[["tool_search", { query: SEND }]]], [[[TIDES], [SEND]]]],
    [undefined, []],
  ],
};
for (const [profile, [script, left]] of Object.entries(LEFT)) {
  test(`${profile}: what was added, was there already, or ran`, () => {
    const { turns } = live(filled({ profile }), script);
    for (const [from, expected = turns[0].steps[0][0].revealed] of left.entries())
      rebuilt(turns.slice(from), expected, { profile });
  });
}

test("cut anywhere: an answer without its call tells nothing", () => {
  const { turns } = live(filled(), [[[search("high tide times")]]]);
  for (const [shape, format, write] of SHAPES) {
    const messages = write(turns);
    for (let from = 0; from <= messages.length; from += 1) {
      const rest = messages.slice(from);
      const session = freshSession();
      session.fromMessages(rest, { format });
      const hasCall = JSON.stringify(rest).includes("high tide times");
      assert.deepEqual(session.revealed, hasCall ? [TIDES] : [], `${shape} from ${from}`);
    }
  }
});

test("what the host did by itself is not in the messages", () => {
  const { session, turns } = live(filled(), [[[search("high tide times")], [add(SEND)]]]);
  session.reveal([EVENTS]);
  session.conceal([TIDES]);
  rebuilt(turns, [TIDES, SEND]);
  rebuilt(turns, [TIDES, SEND], {}, (other) => other.reveal([EVENTS, SEND, PROJECT]));
  rebuilt([], [], {}, (other) => other.reveal([EVENTS]));
  const report = session.fromMessages(chat(turns), openai);
  assert.deepEqual(report, { revealed: [TIDES], concealed: [EVENTS], missing: [] });
  session.conceal(session.revealed);
  session.reveal([SEND, TIDES]);
  assert.deepEqual(session.fromMessages(chat(turns), openai), { revealed: [], concealed: [], missing: [] });
  assert.deepEqual(session.revealed, [TIDES, SEND], "in the order of the conversation");
});

test("what cannot be revealed is reported, and is there when it can be", () => {
  const { turns } = live(filled(), [[[search("high tide times")], [add(SEND, EVENTS)]]]);
  const reads = (session, revealed, missing) =>
    assert.deepEqual(session.fromMessages(chat(turns), openai), { revealed, concealed: [], missing });

  const sift = filled();
  sift.unregister({ names: [SEND] });
  const late = sift.session("late");
  reads(late, [TIDES, EVENTS], [SEND]);
  reads(late, [], [SEND]);
  sift.register([{ name: SEND, inputSchema: { type: "object" } }], { server: "slack" });
  reads(late, [SEND], []);
  assert.deepEqual(late.revealed, [TIDES, SEND, EVENTS], "in its place");

  const scoped = filled().session("scoped", { scope: { tools: [TIDES] } });
  reads(scoped, [TIDES], [SEND, EVENTS]);
  const sent = scoped.assemble().tools.filter(({ name }) => name.startsWith("mcp__"));
  assert.deepEqual(
    sent.map(({ name }) => name),
    [TIDES],
  );
  reads(freshSession({ limits: { revealed: 1, whenFull: "refuse" } }), [TIDES], [SEND, EVENTS]);
  reads(freshSession({ limits: { revealedTokens: 1 } }), [], [TIDES, SEND, EVENTS]);

  const pinned = freshSession({ preDiscovered: [SEND], alwaysAvailable: [EVENTS] });
  reads(pinned, [TIDES], []);
  assert.equal(pinned.snapshot().revealed.length, 1, "what needs no reveal is left alone");
});
