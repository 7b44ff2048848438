/**
 * 1. A list that is too large is refused before the core copies it, and the core goes on working.
 * 2. The bytes that a catalog and a server keep are bounded, and the bounds are told.
 * 3. A hostile server fills its own room, not the memory.
 */

import assert from "node:assert/strict";
import test from "node:test";
import { runProgram } from "./installed.mjs";

test("lists and catalogs are bounded by their bytes", async () => {
  const report = await runProgram(
    "limits.mjs",
    `
    import { ToolSift } from "toolsift";
    const tool = (name, chars) => ({ name, description: "x".repeat(60_000), inputSchema: { type: "object", title: "y".repeat(chars) } });
    const many = (count) => Array.from({ length: count }, (_, at) => tool("t" + at, 240_000));
    const code = (run) => { try { run(); return "none"; } catch (error) { return error.code; } };
    const sift = new ToolSift();
    const other = new ToolSift();
    const codes = [code(() => sift.register(many(226))), code(() => sift.sync("s", many(226)))];
    codes.push(code(() => sift.register(tool("one", 66 * 1024 * 1024))));
    const fill = (server) => {
      for (let at = 0; at < 2; at++) sift.register(many(120).map((one) => ({ ...one, name: one.name + "_" + at })), { server });
    };
    fill("evil");
    const evil = sift.tools().length;
    for (let at = 0; at < 4; at++) fill("s" + at);
    const rejected = sift.register([tool("last", 240_000)]).rejected.map(({ code }) => code);
    const full = sift.tools().length;
    sift.register([{ name: "small" }]);
    other.register([{ name: "alive" }]);
    const small = new ToolSift({ limits: { bytes: 1000, serverBytes: 500 } });
    const { bytes, serverBytes } = small.settings.limits;
    console.log(JSON.stringify({ codes, evil, full, rejected, alive: other.tools().length, bytes, serverBytes }));
  `,
  );
  assert.deepEqual(report.codes, ["list_too_large", "list_too_large", "list_too_large"]);
  assert.ok(report.evil > 200 && report.evil < 230, `${report.evil} tools of 300 KB in 64 MiB`);
  assert.ok(report.full > 880 && report.full < 900, `${report.full} tools of 300 KB in 256 MiB`);
  assert.deepEqual(report.rejected, ["catalog_too_large"]);
  assert.deepEqual([report.alive, report.bytes, report.serverBytes], [1, 1000, 500]);
});
