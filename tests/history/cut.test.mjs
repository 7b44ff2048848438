/**
 * What a conversation does not tell any more is deferred again.
 *
 * 1. A history whose beginning is gone leaves what the rest tells: what was loaded in it, what it says was loaded before, and
 * what was called in it. 2. An answer without its call tells nothing. 3. What the host revealed or concealed by itself is not in
 * the messages. 4. What the catalog lacks, the scope forbids or no bound has room for is reported, and is there as soon as it
 * can be. 5. What needs no reveal is left alone.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENTS, filled, freshSession, live, PROJECT, SEND, TIDES } from "./lib/live.mjs";
import { SHAPES } from "./lib/write.mjs";

const search = (query) => ["search_tools", { query }];
const add = (...tool_names) => ["add_tool", { tool_names }];
const NOTHING = { revealed: [], concealed: [], missing: [] };

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
  const [first] = turns[0].steps[0];
  assert.deepEqual(first.revealed, [TIDES]);
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

test("search-add: what was added, was there already, or ran", () => {
  const options = { profile: "search-add" };
  const { turns } = live(filled(options), [
    [[add(TIDES, SEND)]],
    [[add(PROJECT, SEND, "nope")], [[EVENTS]], [search("calendar")]],
    [[[TIDES]], [add("nope")]],
  ]);
  rebuilt(turns, [TIDES, SEND, PROJECT], options);
  rebuilt(turns.slice(1), [PROJECT, SEND, TIDES], options);
  rebuilt(turns.slice(2), [TIDES], options);
  rebuilt([{ steps: turns[1].steps.slice(1) }], [], options, (session) => session.reveal([TIDES]));
});

test("select-load: a tool that was loaded again is told by that", () => {
  const options = { profile: "select-load" };
  const select = (...names) => ["ToolSearch", { query: `select:${names}` }];
  const { turns } = live(filled(options), [[[select(TIDES)]], [[select(SEND, TIDES)]], [[[EVENTS]]]]);
  rebuilt(turns, [TIDES, SEND], options);
  rebuilt(turns.slice(1), [SEND, TIDES], options);
  rebuilt(turns.slice(2), [], options);
});

test("stub: calls are allowed without a reveal, and tell of none", () => {
  const options = { profile: "stub" };
  const { turns } = live(filled(options), [[[["tool_search", { query: TIDES }]]], [[[TIDES], [SEND]]]]);
  const [{ revealed }] = turns[0].steps[0];
  rebuilt(turns, revealed, options);
  rebuilt(turns.slice(1), [], options);
});

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
  const messages = SHAPES[0][2](turns);
  assert.deepEqual(session.fromMessages(messages, { format: "openai" }), {
    revealed: [TIDES],
    concealed: [EVENTS],
    missing: [],
  });
  session.conceal(session.revealed);
  session.reveal([SEND, TIDES]);
  assert.deepEqual(session.fromMessages(messages, { format: "openai" }), NOTHING);
  assert.deepEqual(session.revealed, [TIDES, SEND], "in the order of the conversation");
});

test("what cannot be revealed is reported, and is there when it can be", () => {
  const { turns } = live(filled(), [[[search("high tide times")], [add(SEND, EVENTS)]]]);
  const messages = SHAPES[0][2](turns);
  const read = (session) => session.fromMessages(messages, { format: "openai" });

  const sift = filled();
  const tools = [{ name: SEND, inputSchema: { type: "object" } }];
  sift.unregister({ names: [SEND] });
  const late = sift.session("late");
  assert.deepEqual(read(late), { revealed: [TIDES, EVENTS], concealed: [], missing: [SEND] });
  assert.deepEqual(read(late), { revealed: [], concealed: [], missing: [SEND] });
  sift.register(tools, { server: "slack" });
  assert.deepEqual(read(late), { revealed: [SEND], concealed: [], missing: [] });
  assert.deepEqual(late.revealed, [TIDES, SEND, EVENTS], "in its place");

  const scoped = filled().session("scoped", { scope: { tools: [TIDES] } });
  assert.deepEqual(read(scoped), { revealed: [TIDES], concealed: [], missing: [SEND, EVENTS] });
  assert.deepEqual(
    scoped
      .assemble()
      .tools.map(({ name }) => name)
      .filter((name) => name.startsWith("mcp__")),
    [TIDES],
  );

  const small = filled({ limits: { revealed: 1, whenFull: "refuse" } }).session("small");
  assert.deepEqual(read(small), { revealed: [TIDES], concealed: [], missing: [SEND, EVENTS] });
  const tiny = filled({ limits: { revealedTokens: 1 } }).session("tiny");
  assert.deepEqual(read(tiny), { revealed: [], concealed: [], missing: [TIDES, SEND, EVENTS] });

  const pinned = freshSession({ preDiscovered: [SEND], alwaysAvailable: [EVENTS] });
  assert.deepEqual(read(pinned), { revealed: [TIDES], concealed: [], missing: [] });
  assert.deepEqual(
    pinned.snapshot().revealed.map(({ name }) => name),
    [TIDES],
  );
});

test("an answer may name more than there was room for", () => {
  for (const whenFull of ["refuse", "evict"]) {
    const options = { profile: "stub", limits: { revealed: 2, whenFull } };
    const { session, turns } = live(filled(options), [[[["tool_search", { query: "create issue" }]]]]);
    const { loaded } = JSON.parse(turns[0].steps[0][0].text);
    assert.ok(loaded.length > 2);
    const again = freshSession(options);
    const report = again.fromMessages(SHAPES[0][2](turns), { format: "openai" });
    assert.deepEqual(report, { revealed: session.revealed, concealed: [], missing: loaded.slice(2) }, whenFull);
    assert.deepEqual(session.revealed, loaded.slice(0, 2));
  }
});
