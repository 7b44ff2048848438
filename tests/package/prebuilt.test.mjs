/**
 * What does the installed package make of a prebuilt index?
 *
 * 1. A loaded catalog has the annotations that were registered. 2. Bytes are taken in every form in which hosts have them, and
 * nothing else is. 3. What is altered, cut short or stale is refused with a code.
 *
 * That a loaded catalog answers and changes as the one that was exported is in tests/prebuilt.rs; every runtime writes the bytes
 * and the answers of the native library in tests/runtimes.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { at } from "../../scripts/lib/paths.mjs";
import { refused, tool, ToolSift } from "./refused.mjs";

const catalog = (name) => JSON.parse(readFileSync(at("tests", "vectors", "catalogs", `${name}.json`), "utf8"));

function built(options) {
  const sift = new ToolSift(options);
  sift.register(catalog("mcp60"));
  sift.register(catalog("awkward15"), { server: "awkward" });
  return sift;
}

const index = built().exportIndex();

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
