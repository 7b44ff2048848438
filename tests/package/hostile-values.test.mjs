/**
 * Values that break when they are looked at, through the installed package.
 *
 * 1. Revoked proxies, functions with a bad `toString` and holes in lists get a `ToolSiftError`. 2. Lists that are too long
 * are refused before they are walked. 3. Whatever the host's code throws, and wherever, the core works on and can be freed.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { refused, tool, ToolSift, ToolSiftError, used } from "./refused.mjs";

function revoked(target = {}) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const badFunction = () => Object.assign(() => 1, { toString: () => assert.fail("boom") });
const badTag = () => ({ get [Symbol.toStringTag]() { return assert.fail("boom"); }, toString: () => assert.fail("boom") });

const BAD = {
  "a revoked proxy": () => revoked(),
  "a revoked proxy of a list": () => revoked([]),
  "a revoked proxy of a function": () => revoked(() => 1),
  "a function with a bad toString": badFunction,
  "an object with a bad tag": badTag,
  "a list with a hole": () => new Array(3),
  "a list of revoked proxies": () => [revoked()],
  "a list of bad functions": () => [badFunction()],
};

const WAYS = {
  create: (_, bad) => new ToolSift(bad),
  "create with countTokens": (_, bad) => {
    const counting = new ToolSift({ countTokens: bad });
    counting.register(tool());
    counting.size();
  },
  "create with a list": (_, bad) => new ToolSift({ preDiscovered: bad }),
  "create with an object": (_, bad) => new ToolSift({ limits: bad }),
  fromIndex: (_, bad) => ToolSift.fromIndex(bad),
  "fromIndex with options": (sift, bad) => ToolSift.fromIndex(sift.exportIndex(), bad),
  register: (sift, bad) => sift.register(bad),
  "register with options": (sift, bad) => sift.register([], bad),
  "register a name": (sift, bad) => sift.register(tool({ name: bad })),
  sync: (sift, bad) => sift.sync("s", bad),
  "sync a server": (sift, bad) => sift.sync(bad, []),
  unregister: (sift, bad) => sift.unregister(bad),
  search: (sift, bad) => sift.search(bad),
  explain: (sift, bad) => sift.explain("a", bad),
  session: (sift, bad) => sift.session(bad),
  "session with options": (sift, bad) => sift.session("t", bad),
  closeSession: (sift, bad) => sift.closeSession(bad),
  restore: (sift, bad) => sift.restore(bad),
  assemble: (sift, bad) => sift.session("s").assemble(bad),
  call: (sift, bad) => sift.session("s").call(bad),
  "call with options": (sift, bad) => sift.session("s").call("good", {}, bad),
  callAll: (sift, bad) => sift.session("s").callAll(bad),
  "callAll of one": (sift, bad) => sift.session("s").callAll([bad]),
  reveal: (sift, bad) => sift.session("s").reveal(bad),
  conceal: (sift, bad) => sift.session("s").conceal(bad),
  evict: (sift, bad) => sift.session("s").evict(bad),
  rescope: (sift, bad) => sift.session("s").rescope(bad),
  fromMessages: (sift, bad) => sift.session("s").fromMessages(bad, { format: "openai" }),
  "fromMessages with options": (sift, bad) => sift.session("s").fromMessages([], bad),
};

/** Tools are taken one by one, an object may only look strange, and a function that only prints badly counts well. */
const MAY_PASS = /a bad tag|(register|sync): a list|countTokens: a function/;

for (const [what, make] of Object.entries(BAD)) {
  test(`${what}, everywhere`, () => {
    for (const [name, way] of Object.entries(WAYS)) {
      const sift = used();
      try {
        way(sift, make());
        assert.match(`${name}: ${what}`, MAY_PASS);
      } catch (error) {
        assert.ok(ToolSiftError.is(error), `${name}: ${error.stack}`);
        assert.notEqual(error.code, "internal", `${name}: ${error.message}`);
      }
      assert.equal(sift.search("works").searched, 1, `${name}: the core works on`);
      sift.dispose();
    }
  });
}

test("holes in lists are named", () => {
  refused((sift) => sift.session("s").reveal(new Array(2)), "option_invalid", "names.0");
  refused((sift) => sift.session("s").callAll(new Array(2)), "option_invalid", "calls.0");
  const holes = [tool(), , tool({ name: "two" })];
  const { registered, rejected } = new ToolSift().register(holes);
  assert.deepEqual(
    [registered, rejected.map(({ index, code }) => [index, code])],
    [["good", "two"], [[1, "tool_shape_unknown"]]],
  );
});

test("lists that are too long are refused before they are walked", () => {
  const counted = (length) => {
    const reads = { count: 0 };
    const get = (target, key, receiver) => {
      if (typeof key === "string" && /^\d/.test(key)) reads.count++;
      return Reflect.get(target, key, receiver);
    };
    return { list: new Proxy(new Array(length), { get }), reads };
  };
  const LISTS = {
    reveal: (sift, list) => sift.session("s").reveal(list),
    conceal: (sift, list) => sift.session("s").conceal(list),
    scope: (sift, list) => sift.session("t", { scope: { tools: list } }),
    visible: (sift, list) => sift.session("s").call("good", {}, { visible: list }),
    unregister: (sift, list) => sift.unregister({ names: list }),
    preDiscovered: (_, list) => new ToolSift({ preDiscovered: list }),
    search: (sift, list) => sift.search(list),
  };
  for (const [name, way] of Object.entries(LISTS)) {
    for (const length of [20_001, 5e7]) {
      const { list, reads } = counted(length);
      refused((sift) => way(sift, list), "option_invalid", "20000");
      assert.equal(reads.count, 0, name);
    }
  }
  const { list, reads } = counted(5e7);
  refused((sift) => sift.register(list), "catalog_full", "200000");
  refused((sift) => sift.sync("s", list), "catalog_full", "200000");
  assert.equal(reads.count, 0);
  for (const args of [new Array(5e7), { list: new Array(5e7) }]) {
    refused((sift) => sift.session("s").call("good", args), "not_json", "2097152");
  }
  const names = Array.from({ length: 20_000 }, (_, at) => `t${at}`);
  assert.equal(new ToolSift({ preDiscovered: names }).settings.profile, "sift");
  const shared = new Array(20_000).fill(names);
  refused(() => new ToolSift({ synonyms: shared }), "option_invalid", "500000");
});

const THROWS = {
  "an error": () => new Error("boom"),
  "a text": () => "boom",
  nothing: () => undefined,
  "a revoked proxy": () => revoked(),
  "an object with a bad tag": badTag,
  "an object that cannot be described": () => ({
    get message() {
      return assert.fail("boom");
    },
    toJSON: () => assert.fail("boom"),
  }),
  "a bad function": badFunction,
  "an error of ours": () => new ToolSiftError("tool_unknown", "boom"),
};

for (const [what, make] of Object.entries(THROWS)) {
  test(`host code throws ${what}`, () => {
    let fails = false;
    const countTokens = (text) => {
      if (fails) throw make();
      return text.length;
    };
    const sift = used({ countTokens });
    const session = sift.session("s");
    const options = { get format() { throw make(); } };
    for (let round = 0; round < 2; round++) {
      // Counts are kept: a new tool has none.
      sift.register(tool({ name: `another_${round}` }));
      fails = true;
      for (const way of [() => session.assemble(), () => sift.size()]) assert.throws(way, { code: "counter_failed" });
      fails = false;
      for (const way of [() => session.assemble(options), () => sift.size(options)]) {
        assert.throws(way, (error) => ToolSiftError.is(error) && error.code !== "internal");
      }
      assert.equal(session.assemble().size.full.tools, 2 + round);
    }
    sift.dispose();
    assert.throws(() => sift.tools(), { code: "disposed" });
  });

  test(`a counter answers ${what}`, () => {
    let answers = false;
    const sift = used({ countTokens: (text) => (answers ? make() : text.length) });
    answers = true;
    assert.throws(() => sift.size(), { code: "counter_failed" });
    answers = false;
    assert.ok(sift.size().tokens > 0);
    sift.dispose();
  });
}

test("a stack that overflows within the core leaves a ToolSift that says so and can be disposed", () => {
  const sift = used({ countTokens: (text) => text.length });
  const deep = () => {
    try {
      sift.tools();
    } catch (error) {
      return error;
    }
    return deep();
  };
  let error;
  try {
    error = deep();
  } catch (overflow) {
    error = overflow;
  }
  assert.ok(error instanceof Error);
  try {
    sift.tools();
  } catch (later) {
    assert.ok(ToolSiftError.is(later), String(later));
  }
  sift.dispose();
  assert.throws(() => sift.tools(), { code: "disposed" });
  assert.equal(used().search("works").searched, 1, "other instances work on");
});
