/**
 * What does the installed package make of a prebuilt index? That a loaded catalog answers and changes as the one that was
 * exported is in tests/prebuilt.rs; every runtime writes the bytes and the answers of the native library in tests/runtimes.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { runInNewContext } from "node:vm";
import { at } from "../../scripts/lib/paths.mjs";
import { tool, ToolSift } from "./refused.mjs";

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
