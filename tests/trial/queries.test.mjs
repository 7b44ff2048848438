import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readSets } from "../../scripts/lib/eval/sets.mjs";
import { writeQueries } from "../../scripts/lib/trial/queries.mjs";

test("what models searched for becomes a set that the evaluation reads, with every tool that is right for it", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolsift-queries-"));
  try {
    const written = writeQueries(folder, {});
    const [{ tools, queries }] = readSets(folder);
    assert.deepEqual(written, { tools: tools.length, queries: queries.length });
    assert.equal(queries.length, 158, "a label that names no tool drops its query");
    const release = queries.find(({ query }) => query === "set environment variable worker");
    assert.deepEqual(release.groups, [["env_var_set", "env_var_bulk_set"]]);
    assert.ok(queries.some(({ groups }) => groups.length === 6));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
