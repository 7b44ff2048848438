/**
 * What somebody gets who means harm, or passes what nobody wrote for it, through the installed package.
 *
 * 1. A list of queries is refused like one query, entry by entry. 2. Long and hostile texts and patterns are answered by
 * every profile. 3. What a getter or a proxy of the host's throws is an error of ours, and the core works on.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { refused, stateOf, tool, ToolSift, used } from "./refused.mjs";

test("several queries at once", () => {
  const both = [(sift, query) => sift.search(query), (sift, query) => sift.explain(query, "good")];
  for (const ask of both) {
    refused((sift) => ask(sift, []), "query_empty", "0");
    refused((sift) => ask(sift, ["", " \n"]), "query_empty", "2");
    refused((sift) => ask(sift, ["a", 7]), "option_invalid", "query.1");
    refused((sift) => ask(sift, new Array(3)), "option_invalid", "query.0");
    refused((sift) => ask(sift, new Array(1e9)), "option_invalid", "20000");
    refused((sift) => ask(sift, [["a"]]), "option_invalid", "a list");
    refused((sift) => ask(sift, ["\ud800"]), "text_invalid", "surrogate");
    refused((sift) => ask(sift, { 0: "a", length: 1 }), "option_invalid", "an object");
    const trap = new Proxy(["a"], { get: () => assert.fail("boom") });
    refused((sift) => ask(sift, trap), "option_invalid", "boom");
  }
  const sift = used();
  sift.register([
    tool({ name: "tides", description: "Tells high water." }),
    tool({ name: "mail", description: "Sends letters." }),
  ]);
  const { query, hits } = sift.search(["  high water ", "", "send a letter"]);
  assert.equal(query, "high water\nsend a letter");
  assert.deepEqual(hits.map(({ name }) => name).sort(), ["mail", "tides"]);
  assert.deepEqual(sift.search(["high water"]), sift.search("high water"));
  assert.equal(sift.explain(["high water", "send a letter"], "mail").found, true);
});

test("long and hostile texts are answered by every profile in bounded time", () => {
  const patterns = "(a*)*b|[[:x{999}".repeat(700);
  const script = "\u202e日本語🏴‍☠️\u0000\u0301-+server:select:\n".repeat(400);
  const words = "weather ".repeat(100_000);
  for (const { name: profile } of ToolSift.profiles()) {
    const sift = used({ profile, activation: "on", deferral: "opt-out" });
    const search = sift.session("s").assemble().tools.find((one) => one.inputSchema.properties?.query)?.name;
    for (const query of [patterns, script, words]) {
      assert.ok(query.length > 10_000);
      for (const form of [query, [query, query]]) {
        try {
          assert.ok(Array.isArray(sift.search(form).hits));
        } catch (error) {
          assert.ok(["pattern_invalid", "no_scorable_terms"].includes(error.code), `${profile}: ${error}`);
        }
      }
      assert.equal(sift.session("s").call(search, { query }).kind, "result", profile);
    }
  }
});

test("values that throw when they are read", () => {
  const trap = () => new Proxy({}, { get: () => assert.fail("boom"), ownKeys: () => assert.fail("boom") });
  refused((sift) => sift.register(trap()), "not_json", "boom");
  refused((sift) => sift.session("t", { scope: () => true }), "option_invalid", "options");
  refused((sift) => sift.session("t", trap()), "option_invalid", "options");
  refused(() => new ToolSift(trap()), "option_invalid", "boom");
  refused(() => new ToolSift({ countTokens: Object.create(null) }), "option_invalid", "countTokens");
  refused((sift) => sift.session("s").callAll("x"), "option_invalid", "list");
  refused((sift) => sift.session("s").callAll([null]), "option_invalid", "null");
  refused((sift) => sift.session("s").callAll([trap()]), "option_invalid", "boom");
  const report = new ToolSift().register([trap(), tool()]);
  assert.deepEqual([report.registered, report.rejected[0].code], [["good"], "not_json"]);
});

test("code of the host's that throws while its options are read leaves the core as it was", () => {
  const boom = () => assert.fail("boom");
  const traps = [
    () => new Proxy({}, { ownKeys: boom }),
    () => new Proxy({}, { has: boom }),
    () => new Proxy(["good"], { get: boom }),
    () => ({ [Symbol.iterator]: boom }),
    () => ({
      get limit() {
        return boom();
      },
    }),
    () => ({
      scope: new Proxy([], { get: boom }),
      visible: new Proxy([], { get: boom }),
      server: {
        get x() {
          return boom();
        },
      },
    }),
  ];
  const ways = {
    create: (_, trap) => new ToolSift(trap()),
    createNested: (_, trap) => new ToolSift({ search: trap(), limits: trap() }),
    register: (sift, trap) => sift.register([], trap()),
    sync: (sift, trap) => sift.sync("s", [], trap()),
    unregister: (sift, trap) => sift.unregister(trap()),
    search: (sift, trap) => sift.search("a", trap()),
    explain: (sift, trap) => sift.explain("a", "good", trap()),
    size: (sift, trap) => sift.size(trap()),
    session: (sift, trap) => sift.session("t", trap()),
    restore: (sift, trap) => sift.restore(sift.session("s").snapshot(), trap()),
    assemble: (sift, trap) => sift.session("s").assemble(trap()),
    call: (sift, trap) => sift.session("s").call("good", {}, trap()),
    reveal: (sift, trap) => sift.session("s").reveal(trap()),
    conceal: (sift, trap) => sift.session("s").conceal(trap()),
    evict: (sift, trap) => sift.session("s").evict(trap()),
  };
  let refusals = 0;
  for (const [name, way] of Object.entries(ways)) {
    for (const trap of traps) {
      const sift = used();
      const before = stateOf(sift);
      try {
        way(sift, trap);
      } catch (error) {
        assert.match(error.code, /^option_/, `${name}: ${error.stack}`);
        refusals++;
      }
      assert.equal(stateOf(sift), before, name);
    }
  }
  assert.ok(refusals >= 60, `${refusals} refused`);
});

test("hostile patterns are answered in bounded time", () => {
  const sift = used({ profile: "search-add" });
  const own = used();
  for (const one of [sift, own]) one.register([tool({ name: "long", description: "a".repeat(60_000) })]);
  for (const query of ["(a*)*b", "(a|a)*b", "(a+)+$", "((a?){30}){30}a", ".*.*.*.*=x", "(.{0,200}){0,5}b"]) {
    try {
      sift.search(query);
    } catch (error) {
      assert.equal(error.code, "pattern_invalid", String(error));
    }
    assert.ok(own.search(`/${query}/`).searched === 2, "ours reads what is no pattern as words");
  }
});
