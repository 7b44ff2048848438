/**
 * Is a request priced as it is defined? Every expectation is worked out by hand.
 *
 * 1. The prefix is the beginning that two requests share, in whole characters, however long they are.
 * 2. Of a request the prefix is cached, rounded down to tokens, and the rest new; what is lost of the one before is paid again.
 * 3. A tool that is added leaves the cache what stands before the bracket of the tools, and nothing of what comes after.
 * 4. A request appends only if every tool, the system prompt and every message of the one before stand where they stood.
 * 5. New tokens cost the rate of cache writes where the vendor bills these, and the rate of input otherwise.
 * 6. Rates that are none are refused with what they may be.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { changedParts, commonPrefix, Meter, together } from "../../scripts/lib/conversation/meter.mjs";
import { priceOf, RATES, ratesOf } from "../../scripts/lib/conversation/rates.mjs";
import { WIRES } from "../../scripts/lib/conversation/wire.mjs";
import { tokensOf } from "../../scripts/lib/simulate/line.mjs";

const ROUND = { input: 1e6, cached: 1e5, write: 2e6, output: 1e7 };

test("a common beginning", () => {
  assert.equal(commonPrefix("", "abc"), "");
  assert.equal(commonPrefix("abc", "abc"), "abc");
  assert.equal(commonPrefix("abcd", "abce"), "abc");
  assert.equal(commonPrefix("abc", "abcdef"), "abc");
  assert.equal(commonPrefix("xabc", "yabc"), "");
  // Both begin with the same half of a pair: no character is shared.
  assert.equal(commonPrefix("a😀", "a😁"), "a");
  assert.equal(commonPrefix("a😀b", "a😀c"), "a😀");
  for (const length of [4_095, 4_096, 4_097, 10_000]) {
    assert.equal(commonPrefix(`${"x".repeat(length)}a`, `${"x".repeat(length)}b`).length, length);
  }
});

test("tokens are characters, not bytes and not halves of characters", () => {
  assert.deepEqual(["", "abcd", "abcde", "😀😀😀😀", "éééé"].map(tokensOf), [0, 1, 2, 1, 1]);
});

// {"tools":[],"system":"s","messages":[]} has 39 characters, a user's message of two letters 30, and the tool 12.
const request = (tools, messages, more = {}) => {
  return { turn: 0, does: "answer", tools, system: "s", messages, output: ["12345678"], ...more };
};
const said = (content) => ({ role: "user", content });

test("requests one after the other", () => {
  const meter = new Meter("anthropic", ROUND);
  meter.send(request([], []));
  meter.send(request([], [said("hi")]));
  meter.send(request([{ name: "a" }], [said("hi")], { turn: 1 }));
  const figures = ["bytes", "prefix", "tokens", "cached", "fresh", "again"];
  assert.deepEqual(
    meter.rows.map((row) => figures.map((key) => row[key])),
    [
      [39, 0, 10, 0, 10, 0],
      // Two brackets behind the messages were not sent again in their place: 37 of 39 characters.
      [69, 37, 18, 9, 9, 1],
      // {"tools":[ is all that is left.
      [81, 10, 21, 2, 19, 16],
    ],
  );
  // ["12345678"] has 12 characters: 3 tokens of 10 each; new tokens are 2 each, cached ones a tenth.
  const prices = [20 + 30, 0.9 + 18 + 30, 0.2 + 38 + 30];
  meter.rows.forEach(({ price }, at) => assert.ok(Math.abs(price - prices[at]) < 1e-9, `${price}`));
  assert.deepEqual(
    meter.rows.map(({ changed }) => changed),
    [[], [], []],
  );

  const all = together(meter.rows);
  assert.deepEqual([all.requests, all.tokens, all.cached, all.fresh, all.again, all.output], [3, 49, 11, 38, 17, 9]);
  assert.ok(Math.abs(all.price - (prices[0] + prices[1] + prices[2])) < 1e-9);
  assert.ok(Math.abs(all.kept - 47 / 108) < 1e-12 && Math.abs(all.worst - 10 / 69) < 1e-12);
  const { kept, worst } = together(meter.rows.slice(0, 1));
  assert.deepEqual([kept, worst], [null, null]);
});

test("bytes are counted where characters take more of them", () => {
  const meter = new Meter("anthropic", ROUND);
  meter.send(request([], [said("éé")]));
  meter.send(request([], [said("éé"), said("ok")]));
  const [, { previous, prefix, cached }] = meter.rows;
  // 69 characters of which 67 stay; the two é take a byte more each.
  assert.deepEqual([previous, prefix, cached], [71, 69, 16]);
});

test("what stands first in each vendor's request", () => {
  const beginnings = {
    anthropic: '{"tools":["t"],"system":"s","messages":["m"]}',
    openai: '{"tools":["t"],"messages":[{"role":"system","content":"s"},"m"]}',
    "openai-responses": '{"tools":["t"],"instructions":"s","input":["m"]}',
    google: '{"tools":["t"],"systemInstruction":{"parts":[{"text":"s"}]},"contents":["m"]}',
  };
  assert.deepEqual(Object.keys(WIRES), Object.keys(beginnings));
  for (const [format, text] of Object.entries(beginnings)) {
    assert.equal(JSON.stringify(WIRES[format].body(["t"], "s", ["m"])), text);
  }
});

test("what appends only, and what does not", () => {
  const before = { tools: ["a", "b"], system: ["s"], messages: ["m"] };
  const changed = (more) => changedParts(before, { ...before, ...more });
  assert.deepEqual(changed({}), []);
  assert.deepEqual(changed({ tools: ["a", "b", "c"], messages: ["m", "n"] }), []);
  assert.deepEqual(changed({ tools: ["a", "c", "b"] }), ["tools"]);
  assert.deepEqual(changed({ tools: ["a"] }), ["tools"]);
  assert.deepEqual(changed({ tools: ["a", "b "] }), ["tools"]);
  assert.deepEqual(changed({ system: ["s and more"], messages: [] }), ["system", "messages"]);
  // Google's definitions stand together in one entry, which is no reason to call it changed.
  const meter = new Meter("google", ROUND);
  const declared = (...names) => [{ functionDeclarations: names.map((name) => ({ name })) }];
  for (const names of [["a"], ["a", "b"], ["b", "a"]]) meter.send(request(declared(...names), []));
  assert.deepEqual(
    meter.rows.map((row) => row.changed),
    [[], [], ["tools"]],
  );
});

test("prices", () => {
  const spent = { cached: 1_000, fresh: 100, output: 10 };
  assert.equal(priceOf(spent, ROUND, { writes: true }), 100 + 200 + 100);
  assert.equal(priceOf(spent, ROUND, { writes: false }), 100 + 100 + 100);
  assert.deepEqual(
    Object.entries(WIRES)
      .filter(([, { writes }]) => writes)
      .map(([name]) => name),
    ["anthropic"],
  );
});

test("rates", () => {
  assert.deepEqual(ratesOf(undefined), RATES);
  assert.deepEqual(ratesOf("cached=0.5"), { ...RATES, cached: 0.5 });
  const all = { input: 0, cached: 1e6, write: 1.25, output: 2 };
  assert.deepEqual(ratesOf(" input = 0, write=1.25,output=2 ,cached=1000000"), all);
  const cases = [
    ["input=-1", /input must be a number from 0 to 1000000, such as 3, not "-1"/],
    ["input=NaN", /input must be a number/],
    ["input=Infinity", /input must be a number/],
    ["input=1e3", /input must be a number/],
    ["input=0x10", /input must be a number/],
    ["input=", /input must be a number/],
    ["input=1000001", /input must be a number/],
    ["price=3", /there is no rate "price"; there are input, cached, write, output/],
    ["__proto__=3", /there is no rate "__proto__"/],
    ["constructor=3", /there is no rate "constructor"/],
    ["=3", /there is no rate ""/],
    ["input", /"input" is not of the form input=3/],
    ["", /"" is not of the form/],
    ["input=3,", /"" is not of the form/],
    ["input=3,input=4", /input is said twice/],
  ];
  for (const [text, message] of cases) assert.throws(() => ratesOf(text), message, text);
});
