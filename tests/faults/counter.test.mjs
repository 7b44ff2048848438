/**
 * What if the host's token counter fails in the middle?
 *
 * 1. Wherever it fails, and however, the error is `counter_failed` or `reentrant`'s, and nothing has changed: with the
 * counter well again the same `ToolSift` does exactly what one does whose counter never failed.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { at } from "../../scripts/lib/paths.mjs";
import { install } from "../package/installed.mjs";

const TOOLS = JSON.parse(readFileSync(at("tests", "vectors", "catalogs", "generic20.json"), "utf8"));

let ToolSift;
let ToolSiftError;

before(async () => {
  ({ ToolSift, ToolSiftError } = await import(pathToFileURL(join((await install()).home, "dist", "index.js")).href));
});

/** A host whose counter does what `failing` says at its n-th call, and counts characters otherwise. */
function host(options, failAt, failing) {
  let calls = 0;
  const countTokens = (text) => {
    calls++;
    return calls === failAt ? failing(sift) : text.length;
  };
  const activation = { contextShare: 0.001 };
  const sift = new ToolSift({ activation, contextWindow: 100_000, deferral: "opt-out", ...options, countTokens });
  sift.register(TOOLS);
  return { sift, calls: () => calls };
}

/** What a host does in a turn; each is tried until it gets through. */
const STEPS = [
  (sift) => sift.tools(),
  (sift) => sift.size({ format: "openai" }),
  (sift) => sift.session("a").assemble({ format: "openai" }),
  (sift) => sift.session("a").call("search_tools", { query: "read a file" }, { now: 0 }),
  (sift) => sift.session("a").call("tool_search", { query: "read a file" }, { now: 0 }),
  (sift) => sift.session("a").assemble({ format: "openai" }),
  (sift) => sift.session("a").tools(),
  (sift) => sift.session("a").snapshot(),
];

/** Its answers, and how often it was told that the counter failed. */
function story({ sift }) {
  let failures = 0;
  const answers = STEPS.map((step) => {
    for (;;) {
      try {
        return step(sift);
      } catch (error) {
        assert.ok(ToolSiftError.is(error) && error.code === "counter_failed", String(error));
        failures++;
        assert.ok(failures <= 1, "it fails once");
      }
    }
  });
  return { answers: JSON.stringify(answers), failures };
}

const WAYS = {
  throws: () => {
    throw new RangeError("no tokenizer");
  },
  "returns NaN": () => NaN,
  "returns nothing": () => undefined,
  "is too large": () => Infinity,
  "uses what calls it": (sift) => sift.session("b").assemble().size.request.tokens,
  "disposes what calls it": (sift) => sift.dispose(),
};

for (const [name, failing] of Object.entries(WAYS)) {
  test(`a counter that ${name}, at any of its calls`, () => {
    for (const { name: profile } of ToolSift.profiles()) {
      const well = host({ profile }, 0);
      const { answers, failures } = story(well);
      assert.equal(failures, 0);
      const calls = well.calls();
      assert.ok(calls >= 20, `${calls} calls`);
      for (let failAt = 1; failAt <= calls; failAt += 1 + Math.floor(calls / 6)) {
        const told = story(host({ profile }, failAt, failing));
        assert.deepEqual(told, { answers, failures: 1 }, `${profile}, call ${failAt} of ${calls}`);
      }
    }
  });
}
