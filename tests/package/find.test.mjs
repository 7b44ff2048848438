/**
 * A plain search, whose answer crosses the boundary in numbers, is the same as one that crosses as text.
 *
 * 1. Under every profile, whatever is asked, with a limit and in a session: the same keys in the same order, byte for byte.
 * 2. The result is the caller's: changing it changes no later result.
 * 3. A tool that changed is shown as it is, and no session is shown the texts of another's tool of the same name.
 * 4. Options that are refused are refused with the same error.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { entry } from "./installed.mjs";

const { ToolSift } = await entry("index.js");
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

test("a result is the caller's", () => {
  const sift = new ToolSift();
  sift.register(tools);
  const expected = JSON.stringify(sift.search("send a message"));
  const found = sift.search("send a message");
  for (const hit of found.hits) Object.assign(hit, { name: "changed", parts: hit.parts.push("changed") });
  found.hits.length = 0;
  found.closestServers.push("changed");
  found.unknownWords.push("changed");
  assert.equal(JSON.stringify(sift.search("send a message")), expected);
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

test("more texts than are kept", () => {
  const sift = new ToolSift();
  const long = "cat ".repeat(4_000);
  sift.register(Array.from({ length: 200 }, (_, at) => ({ name: `tool_${at}`, description: `${at} ${long}` })));
  for (let round = 0; round < 2; round++) {
    const { hits } = sift.search("cat", { limit: 200 });
    assert.equal(hits.length, 200);
    assert.ok(hits.every(({ name, description }) => description.startsWith(`${name.slice(5)} cat`)));
  }
});

test("options that are refused", () => {
  const sift = new ToolSift();
  sift.register(tools);
  const refused = (options) => {
    const { code, message } = outcome(sift, "send", options);
    return code === undefined ? "nothing" : `${code}: ${message}`;
  };
  assert.match(refused({ limit: 0 }), /^limit_out_of_range: options\.limit/);
  assert.match(refused({ limit: 1.5 }), /^option_invalid: options\.limit/);
  assert.match(refused({ limit: Number.NaN }), /options\.limit/);
  assert.match(refused({ limit: 200_001 }), /^limit_out_of_range: options\.limit/);
  assert.match(refused({ session: undefined }), /^option_invalid: options\.session is null or undefined/);
  assert.match(refused({ session: 1 }), /^option_invalid: options\.session/);
  assert.match(refused({ session: "none" }), /^session_closed/);
  assert.match(refused({ limits: 1 }), /^option_unknown: options has no "limits"; did you mean limit\?/);
  assert.equal(refused({ limit: null }), "nothing");
});
