/**
 * Sessions and scopes, through the installed package.
 *
 * 1. A handle of a session that was closed or evicted says `session_closed` on every use, and opens nothing.
 * 2. A scope that cannot be read is refused; it never means everything. 3. `rescope` is what changes a scope.
 * 4. A bare name stays with the server that had it first. 5. Sessions are evicted by last use.
 * 6. Names that no tool has are told.
 * 7. A child has its parent's tools and never more rights, reveals and answers of its own, and hands back what it found.
 * 8. What the user's message clearly finds is loaded before the model is asked.
 * 9. What a tool's annotations say of its effect decides whether a search loads it.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { refused, tool, ToolSift } from "./refused.mjs";

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
    const anew = sift.session("s", { scope: SCOPE });
    assert.deepEqual([anew.revealed, visible(anew)], [[], ["good"]]);
    assert.throws(() => session.revealed, { code: "session_closed" }, "the older handle stays closed");
    session.close();
    assert.deepEqual(visible(anew), ["good"], "an older handle closes no newer session");
    assert.deepEqual([sift.closeSession("s"), sift.closeSession("s")], [true, false]);
  });
}

test("a reveal that fails twice leaves the store working", () => {
  const sift = shared({ limits: { sessions: 2 } });
  const session = sift.session("s", { scope: SCOPE });
  for (let i = 0; i < 2; i++) assert.throws(() => session.reveal(["good", "secret"]), { code: "tool_out_of_scope" });
  for (const id of ["t", "u", "v"]) assert.deepEqual(sift.session(id).reveal(["good"]), ["good"]);
});

test("the least recently used session is evicted", () => {
  const sift = shared({ limits: { sessions: 2 } });
  const [first, second] = ["first", "second"].map((id) => sift.session(id));
  second.reveal(["good"]);
  sift.search("good", { session: "first" });
  sift.session("third");
  assert.deepEqual(first.revealed, []);
  assert.throws(() => second.revealed, { code: "session_closed" });
});

class Options {
  get scope() {
    return SCOPE;
  }
}

class ScopeOf {
  get servers() {
    return ["open"];
  }
}

test("a scope holds in every object, and what is none is refused", () => {
  const getter = {
    get scope() {
      return SCOPE;
    },
  };
  const bare = Object.assign(Object.create(null), { scope: SCOPE });
  const inherited = [
    Object.create({ scope: SCOPE }),
    new Options(),
    { scope: new ScopeOf() },
    { scope: Object.create(SCOPE) },
  ];
  const forms = [{ scope: SCOPE }, getter, bare, ...inherited];
  for (const [at, options] of forms.entries()) {
    assert.deepEqual(visible(shared().session("s", options)), ["good"], `a scope of its own, ${at}`);
  }
  const wrong = [
    [{ scope: new Date() }, "options.scope"],
    [{ scope: new Map([["servers", ["open"]]]) }, "options.scope"],
    [{ scope: undefined }, "all"],
    [{ scope: null }, "all"],
    [{ scope: "everything" }, "all"],
    [{ scope: 7 }, "options.scope"],
  ];
  const snapshot = shared().session("s").snapshot();
  for (const [options, part] of wrong) {
    refused((sift) => sift.session("t", options), "option_invalid", part);
    refused((sift) => sift.restore({ ...snapshot, id: "t" }, options), "option_invalid", part);
  }
  refused((sift) => sift.search("good", { session: undefined }), "option_invalid", "options.session");
  refused(() => new ToolSift({ selection: undefined }), "option_invalid", "options.selection");
});

test("rescope changes a scope, and nothing else does", () => {
  const sift = shared();
  const session = sift.session("s", { scope: { servers: ["open", "closed"] } });
  session.reveal(["good", "secret"]);
  assert.throws(() => sift.session("s", { scope: SCOPE }), { code: "option_invalid", message: /rescope/ });
  assert.throws(() => sift.session("s", { scope: "all" }), { code: "option_invalid", message: /rescope/ });
  assert.deepEqual(session.rescope(SCOPE), ["secret"]);
  assert.deepEqual([session.revealed, visible(session)], [["good"], ["good"]]);
  assert.deepEqual(visible(sift.session("s")), ["good"], "a look-up needs no scope");
  assert.deepEqual(sift.search("secret", { session: "s" }).hits, []);
  assert.deepEqual(session.rescope("all"), []);
  assert.deepEqual([session.revealed, visible(session)], [["good"], ["good", "secret"]]);
  sift.session("s", { scope: "all" });
});

test("a bare name stays with the server that had it first", () => {
  const sift = new ToolSift({ preDiscovered: ["read"] });
  const names = [tool({ name: "read" }), tool({ name: "write" })];
  sift.register(names, { server: "trusted" });
  const session = sift.session("s", { scope: { tools: ["write", "read"] } });
  assert.deepEqual(visible(session), ["read", "write"]);
  sift.unregister({ server: "trusted" });
  assert.deepEqual(sift.register(names, { server: "evil" }).registered, ["evil__read", "evil__write"]);
  assert.deepEqual(visible(session), []);
  assert.equal(session.call("write").kind, "refused");
  sift.sync("trusted", names);
  assert.deepEqual(visible(session), ["read", "write"]);
});

test("names that no tool has are told, until a tool has them", () => {
  const sift = shared({ preDiscovered: ["good", "gud"], alwaysAvailable: ["closed:*", "late:tool"] });
  const session = sift.session("a", { scope: { servers: ["open", "opne"], tools: ["secret", "secrte"] } });
  assert.deepEqual(session.unmatched(), ["gud", "late:tool", "opne:*", "secrte"]);
  sift.register([tool({ name: "tool" })], { server: "late" });
  assert.deepEqual(session.unmatched(), ["gud", "opne:*", "secrte"]);
});

test("a search does not load what destroys by its annotations, unless the request names it", () => {
  const loaded = (annotations, query) => {
    const sift = new ToolSift();
    const flush = tool({ name: "flush_cache", description: "Clears what the cache holds of invoices.", annotations });
    sift.register([flush, tool({ name: "read_mail", description: "Reads a mail." })], { server: "shop" });
    return sift.session("a").call("search_tools", { query }).revealed;
  };
  // The verb of this name says nothing.
  assert.deepEqual(loaded(undefined, "cache of invoices"), ["flush_cache"]);
  assert.deepEqual(loaded({ readOnlyHint: true }, "cache of invoices"), ["flush_cache"]);
  assert.deepEqual(loaded({ destructiveHint: true }, "cache of invoices"), []);
  assert.deepEqual(loaded({ destructiveHint: true }, "flush the cache of invoices"), ["flush_cache"]);
});

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
  parent.rescope({ servers: ["closed"] });
  assert.deepEqual([visible(child), child.revealed], [["secret"], []]);
  parent.rescope("all");

  assert.notEqual(child.uniqueKey, parent.uniqueKey);
  const id = child.keepAnswer("x".repeat(100), 50);
  assert.equal(
    parent.assemble().tools.some(({ name }) => name === "read_cut_answer"),
    false,
    "answers are its own",
  );
  assert.equal(child.call("read_cut_answer", { id, from: 0 }).isError, false);

  child.close();
  child.close();
  assert.deepEqual([visible(parent), parent.hasOwn], [["good", "secret", "own"], true], "the tools stay with the parent");
  const again = parent.child("child");
  assert.throws(() => sift.session("child"), { code: "option_invalid" });
  assert.throws(() => parent.child("child"), { code: "option_invalid" });
  assert.throws(() => parent.child("other", { scope: null }), { code: "option_invalid" });
  assert.throws(() => parent.child("other", { scop: {} }), { code: "option_unknown" });
  assert.throws(() => parent.handBack(), { code: "option_conflict" });
  parent.close();
  assert.throws(() => again.revealed, { code: "session_closed" });
});

test("a message loads what it clearly finds", () => {
  const sift = new ToolSift({ activation: "on" });
  const weather = tool({ name: "get_weather", description: "The weather of a city." });
  sift.register([weather, tool({ name: "list_rooms", description: "Lists the rooms of a hotel." }), tool()]);
  const session = sift.session("s");
  assert.deepEqual(session.prefetch("How is the weather in this city?"), ["get_weather"]);
  assert.deepEqual(session.prefetch("How is the weather in this city?"), [], "it is there already");
  assert.deepEqual(session.prefetch("Which rooms does the hotel have?", { tokens: 1 }), []);
  assert.deepEqual(session.prefetch("Which rooms does the hotel have?", { tools: 1 }), ["list_rooms"]);
  assert.deepEqual(
    session
      .assemble()
      .tools.slice(-2)
      .map(({ name }) => name),
    ["get_weather", "list_rooms"],
  );
  assert.deepEqual(session.prefetch("\ud800"), []);
  assert.throws(() => session.prefetch(7), { code: "option_invalid" });
  assert.throws(() => session.prefetch("x", { tool: 1 }), { code: "option_unknown" });
  assert.throws(() => session.prefetch("x", { tools: -1 }), { code: "limit_out_of_range" });
});
