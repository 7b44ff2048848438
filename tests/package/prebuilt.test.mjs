/**
 * What does the installed package make of a prebuilt index?
 *
 * 1. A loaded catalog gives the answers of the one that was exported, with its annotations, and changes as it does. 2. Bytes
 * are taken in every form in which hosts have them, and nothing else is. 3. The bytes and the hash are those that Rust writes.
 * 4. What is altered, cut short or stale is refused with a code, and nothing that was tried makes the core trap.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { at } from "../../scripts/lib/paths.mjs";
import { refused, tool, ToolSift, ToolSiftError } from "./refused.mjs";

const catalog = (name) => JSON.parse(readFileSync(at("tests", "vectors", "catalogs", `${name}.json`), "utf8"));

function built(options) {
  const sift = new ToolSift(options);
  sift.register(catalog("mcp60"));
  sift.register(catalog("awkward15"), { server: "awkward" });
  return sift;
}

const index = built().exportIndex();

/** What a host and a model learn of a catalog. */
function learned(sift) {
  const session = sift.session("s");
  const queries = ["send a message", "create issue, list files", "/.*mail.*/", "wether in lisbon"];
  return [
    queries.map((query) => [sift.search(query), sift.explain(query, sift.tools()[0].name)]),
    queries.map((query) => session.call("search_tools", { query })),
    session.assemble({ format: "openai" }),
    session.assemble({ format: "google" }),
    sift.tools(),
    sift.size(),
  ];
}

test("a loaded catalog answers and changes as the one that was exported", () => {
  for (const { name: profile } of ToolSift.profiles()) {
    const options = { profile, countTokens: (text) => text.length };
    const one = built(options);
    const other = ToolSift.fromIndex(one.exportIndex(), options);
    assert.deepEqual(learned(other), learned(one), profile);
    const tools = [tool({ name: "feed_lion", description: "Feeds a lion." }), tool({ name: "pet" })];
    for (const sift of [one, other]) sift.sync("zoo", tools);
    for (const sift of [one, other]) sift.sync("zoo", tools.slice(0, 1));
    for (const sift of [one, other]) sift.unregister({ server: "awkward" });
    assert.deepEqual(learned(other), learned(one), profile);
    if (profile === "sift") assert.equal(other.search("feed the lion").hits[0].name, "feed_lion");
    assert.deepEqual(other.exportIndex(), one.exportIndex());
    assert.equal(other.contentHash, one.contentHash);
  }
});

test("a loaded catalog has the annotations that were registered", () => {
  const given = [
    { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    { idempotentHint: false },
    { title: "Name for people", readOnlyHint: "yes" },
  ];
  const expected = [given[0], given[1], undefined];
  const tools = given.map((annotations, at) => tool({ name: `tool_${at}`, title: `Tool ${at}`, annotations }));
  const sift = new ToolSift();
  sift.register(tools, { server: "s" });
  const loaded = ToolSift.fromIndex(sift.exportIndex());
  for (const one of [sift, loaded]) {
    const told = one.tools().map(({ annotations, title }) => [annotations, title]);
    assert.deepEqual(
      told,
      expected.map((hints, at) => [hints, `Tool ${at}`]),
    );
    const session = one.session("s");
    session.reveal(["tool_1", "tool_2"]);
    assert.deepEqual(session.call("tool_1", {}).annotations, given[1]);
    assert.equal("annotations" in session.call("tool_2", {}), false);
  }
  assert.deepEqual(loaded.sync("s", tools), { ...loaded.sync("s", tools), unchanged: 3, changed: [] });
  assert.deepEqual(loaded.exportIndex(), sift.exportIndex());
});

test("bytes in every form that hosts have", () => {
  const larger = new Uint8Array(index.length + 10).fill(7);
  larger.set(index, 5);
  const forms = {
    "a Uint8Array": index,
    "a Buffer": Buffer.from(index),
    "a view": larger.subarray(5, 5 + index.length),
    "an ArrayBuffer": index.slice().buffer,
    "a shared one": new Uint8Array(new SharedArrayBuffer(index.length)),
    "another context's": runInNewContext("Uint8Array.from(numbers)", { numbers: [...index] }),
    "another context's buffer": runInNewContext("Uint8Array.from(numbers).buffer", { numbers: [...index] }),
  };
  forms["a shared one"].set(index);
  for (const [form, bytes] of Object.entries(forms)) {
    assert.deepEqual(ToolSift.fromIndex(bytes).exportIndex(), index, form);
  }
});

test("what holds no bytes", () => {
  const views = [new Uint16Array(4), new DataView(new ArrayBuffer(8))];
  for (const other of [undefined, null, 7, "toolsift", [...index], ...views]) {
    refused(() => ToolSift.fromIndex(other), "option_invalid", "index");
  }
});

test("what is no index, or another one", () => {
  const load = (bytes, options) => () => ToolSift.fromIndex(bytes, options);
  refused(load(new Uint8Array()), "index_invalid", "does not begin");
  refused(load(new TextEncoder().encode("[]")), "index_invalid", "does not begin");
  refused(load(index.subarray(0, index.length - 1)), "index_invalid", "cut short or altered");
  refused(load(index, { synonyms: [["a", "b"]] }), "index_stale", "options.synonyms");
  refused(load(index, { search: { without: ["stems"] } }), "index_stale", "options.search.without");
  refused(load(index, { limits: { tools: 10 } }), "catalog_full", "73 tools; at most 10");
  refused(load(index, { limit: 10 }), "option_unknown", "limit");
  refused(load(index, null), "option_invalid", "null");
  refused(load(index, { contentHash: 7 }), "option_invalid", "contentHash");
  refused(load(index, { contentHash: "x".repeat(10_000) }), "index_stale", "build it again");
  const changed = built();
  changed.unregister({ names: [changed.tools()[0].name] });
  refused(load(index, { contentHash: changed.contentHash }), "index_stale", changed.contentHash);
  assert.equal(ToolSift.fromIndex(index, { contentHash: built().contentHash }).tools().length, 73);
});

test("no byte can be altered", () => {
  for (let at = 0; at < index.length; at += 97) {
    const altered = index.slice();
    altered[at] ^= 1 + (at % 255);
    assert.throws(
      () => ToolSift.fromIndex(altered),
      (error) => ToolSiftError.is(error) && ["index_invalid", "index_stale"].includes(error.code),
      `byte ${at}`,
    );
  }
  assert.equal(ToolSift.fromIndex(index).tools().length, 73, "the core works on");
});

test("the bytes and the hash are those that Rust writes", () => {
  // tests/prebuilt.rs holds the same constant.
  assert.equal(built().contentHash, "c2336308c96b6a72");
  const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
  assert.equal(digest(built().exportIndex()), digest(index), "twice the same");
});

test("a loaded catalog is given back like any other", () => {
  const sift = ToolSift.fromIndex(index);
  sift.dispose();
  refused(() => sift.exportIndex(), "disposed", "disposed");
  refused(() => sift.contentHash, "disposed", "disposed");
});
