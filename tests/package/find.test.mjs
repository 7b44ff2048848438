/** Tests that a plain search, whose result comes from the wasm as numbers, equals a search whose result comes as text. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";

const { ToolSift } = await import("toolsift");
const tools = JSON.parse(readFileSync(at("tests", "vectors", "catalogs", "mcp60.json"), "utf8"));

const QUERIES = [
  "send a message to the team",
  "SEND a message and frobnicate the żyrafa 𝒳ylophone",
  "zzzz qqqq",
  "select:mcp__slack__send_message,nothing_of_this_name",
  "/list.*/",
  "message +slack",
  "server:slack",
  "list, create, delete",
  "",
  "😀",
];

/** What a search returns or throws. Options with any other key than those of a plain search cross as an object. */
function outcome(sift, query, options) {
  try {
    return sift.search(query, options);
  } catch ({ code, message }) {
    return { code, message };
  }
}

test("numbers and text say the same", () => {
  let withWords = 0;
  let withServers = 0;
  for (const { name: profile } of ToolSift.profiles()) {
    const sift = new ToolSift({ profile, deferral: "opt-out" });
    sift.register(tools);
    sift.register([{ name: "send_message", description: "Sends a lëtter.", inputSchema: { type: "object" } }], {
      server: "post",
    });
    sift.session("s").register([{ name: "own_message", description: "Own." }], { server: "own" });
    for (const query of QUERIES) {
      for (const options of [
        undefined,
        {},
        { limit: 1 },
        { limit: 200_000 },
        { session: "s" },
        { limit: 3, session: "s" },
      ]) {
        const expected = outcome(sift, query, { ...options, reasons: false });
        // Twice: the texts are known the second time.
        for (const found of [outcome(sift, query, options), outcome(sift, query, options)]) {
          assert.equal(JSON.stringify(found), JSON.stringify(expected), `${profile}: ${query} ${JSON.stringify(options)}`);
          assert.deepEqual(found, expected);
        }
        withWords += expected.unknownWords?.length ?? 0;
        withServers += expected.closestServers?.length ?? 0;
      }
    }
    sift.dispose();
  }
  assert.ok(withWords > 0 && withServers > 0, "the queries show nothing of what a verdict says");
});

test("texts are those of the tool as it is now, and of whom it belongs to", () => {
  const sift = new ToolSift();
  const pet = (description) => [{ name: "feed_cat", description }];
  const seen = (session) => sift.search("feed cat", session && { session }).hits.map(({ description }) => description);
  sift.sync("pets", pet("Feeds a cat."));
  sift.session("a").sync("pets", pet("Feeds the cat of A."));
  sift.session("b").sync("pets", pet("Feeds the cat of B."));
  for (const round of [1, 2]) {
    sift.sync("pets", pet(`Feeds a cat, ${round}.`));
    assert.deepEqual(
      [seen(), seen("a"), seen("b")],
      [[`Feeds a cat, ${round}.`], ["Feeds the cat of A."], ["Feeds the cat of B."]],
    );
  }
});
