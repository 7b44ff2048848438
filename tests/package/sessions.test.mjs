/**
 * Tests sessions and scopes in the installed package. The decisions of the Rust library about them are tested in
 * tests/sessions.rs.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { valuesOf } from "../cli/command-line.mjs";
import { tool, ToolSift, used } from "./refused.mjs";

const visible = (session) => session.tools().flatMap(({ name, state }) => (state === "hidden" ? [] : [name]));

/** A sift with a tool that everybody may see, and one that not everybody may. */
function shared(options) {
  const sift = new ToolSift(options);
  sift.register([tool()], { server: "open" });
  sift.register([tool({ name: "secret" })], { server: "closed" });
  return sift;
}

const SCOPE = { servers: ["open"] };

const USES = {
  assemble: (session) => session.assemble(),
  call: (session) => session.call("good"),
  child: (session) => session.child("c"),
  prefetch: (session) => session.prefetch("what is good?"),
  callAll: (session) => session.callAll([{ name: "good" }]),
  reveal: (session) => session.reveal(["good"]),
  conceal: (session) => session.conceal(["good"]),
  evict: (session) => session.evict({ tools: 0 }),
  fromMessages: (session) => session.fromMessages([], { format: "openai" }),
  heldBack: (session) => session.heldBack(),
  rescope: (session) => session.rescope("all"),
  revealed: (session) => session.revealed,
  snapshot: (session) => session.snapshot(),
  tools: (session) => session.tools(),
  unmatched: (session) => session.unmatched(),
};

for (const [way, end] of Object.entries({
  evicted: (sift) => sift.session("other"),
  closed: (_, session) => session.close(),
  "closed by its id": (sift) => assert.equal(sift.closeSession("s"), true),
})) {
  test(`a session that was ${way} says so, and opens nothing`, () => {
    const sift = shared({ limits: { sessions: 1 } });
    const session = sift.session("s", { scope: SCOPE });
    session.reveal(["good"]);
    end(sift, session);
    for (const [name, use] of Object.entries(USES)) {
      assert.throws(() => use(session), { name: "ToolSiftError", code: "session_closed" }, name);
    }
    assert.throws(() => sift.search("secret", { session: "s" }), { code: "session_closed" });
    assert.throws(() => sift.session("s"), { code: "scope_required", message: /"s" had a scope/ });
    const anew = sift.session("s", { scope: SCOPE });
    assert.deepEqual([anew.revealed, visible(anew)], [[], ["good"]]);
    assert.throws(() => session.revealed, { code: "session_closed" }, "the older handle stays closed");
    session.close();
    assert.deepEqual(visible(anew), ["good"], "an older handle closes no newer session");
    assert.deepEqual([sift.closeSession("s"), sift.closeSession("s")], [true, false]);
  });
}

test("a child has its parent's tools, and never more rights", () => {
  const sift = shared();
  const parent = sift.session("parent", { scope: { servers: ["open", "mine"] } });
  parent.register([tool({ name: "own" })], { server: "mine" });
  const child = parent.child("child", { scope: { servers: ["closed", "mine"] } });
  assert.deepEqual(visible(child), ["own"]);
  assert.equal(child.isScoped, true);
  assert.throws(() => child.reveal(["secret"]), { code: "tool_out_of_scope" });
  child.reveal(["own"]);
  assert.deepEqual([parent.revealed, child.revealed], [[], ["own"]]);
  assert.equal(child.call("own").session, "parent", "the tool is the parent's");
  assert.deepEqual([child.handBack(), parent.revealed, child.handBack()], [["own"], ["own"], []]);
  assert.notEqual(child.uniqueKey, parent.uniqueKey);
  const [, id] = /"id":"(r\d+)"/.exec(child.cutAnswer("x".repeat(1_000), 500, true));
  assert.ok(
    parent.assemble().tools.every(({ name }) => name !== "read_cut_answer"),
    "answers are its own",
  );
  assert.equal(child.call("read_cut_answer", { id, from: 0 }).isError, false);
  child.close();
  child.close();
  assert.deepEqual([visible(parent), parent.hasOwn], [["good", "own"], true], "the tools stay with the parent");
  const again = parent.child("child");
  assert.throws(() => sift.session("child"), { code: "option_invalid" });
  assert.throws(() => parent.child("other", { scope: null }), { code: "option_invalid" });
  assert.throws(() => parent.handBack(), { code: "option_conflict" });
  parent.close();
  assert.throws(() => again.revealed, { code: "session_closed" });
});

test("calls of a batch are answered in their order, and see what calls before them revealed", () => {
  const session = used({ profile: "search-add" }).session("t");
  const batch = session.callAll([
    { name: "good" },
    { name: "add_tool", args: '{"tool_names":["good"]}' },
    { name: "good", args: { a: 1 } },
  ]);
  assert.deepEqual(valuesOf(batch, "kind"), ["refused", "result", "dispatch"]);
  assert.deepEqual([batch[1].revealed, batch[2].arguments], [["good"], { a: 1 }]);
});
