/**
 * What does the installed package make of a prebuilt index? That a loaded catalog answers and changes as the one that was
 * exported is in tests/prebuilt.rs; every runtime writes the bytes and the answers of the native library in tests/runtimes.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { tool, ToolSift } from "./refused.mjs";

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
