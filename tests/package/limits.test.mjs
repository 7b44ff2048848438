/**
 * Tests the limits of catalogs.
 * 1. A list that is too large is refused before it is copied into the wasm, which continues to work.
 * 2. The bytes of a catalog and of a server are limited, and the limits are reported.
 * 3. A hostile server fills only its own share, not the memory: by default the whole share, in the short form an eighth of
 *    it.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import { runProgram } from "./installed.mjs";

const MIB = 2 ** 20;
/** The limits of a catalog, and how often they are filled in less. */
const LIMITS = { bytes: 256 * MIB, serverBytes: 64 * MIB };
const SHARE = isFull ? 1 : 8;

test("lists and catalogs are bounded by their bytes", async () => {
  const report = await runProgram(
    "limits.mjs",
    `
    import { ToolSift } from "toolsift";
    const tool = (name, chars) => ({ name, description: "x".repeat(60_000), inputSchema: { type: "object", title: "y".repeat(chars) } });
    const many = (count) => Array.from({ length: count }, (_, at) => tool("t" + at, 240_000));
    const code = (run) => { try { run(); return "none"; } catch (error) { return error.code; } };
    const { limits } = new ToolSift().settings;
    const sift = new ToolSift({ limits: { bytes: ${LIMITS.bytes / SHARE}, serverBytes: ${LIMITS.serverBytes / SHARE} } });
    const other = new ToolSift();
    const codes = [code(() => sift.register(many(226))), code(() => sift.sync("s", many(226)))];
    codes.push(code(() => sift.register(tool("one", 66 * 1024 * 1024))));
    const fill = (server) => {
      for (let at = 0; at < 2; at++) sift.register(many(${120 / SHARE}).map((one) => ({ ...one, name: one.name + "_" + at })), { server });
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
    console.log(JSON.stringify({ codes, evil, full, rejected, limits, alive: other.tools().length, bytes, serverBytes }));
  `,
  );
  assert.deepEqual(report.codes, ["list_too_large", "list_too_large", "list_too_large"]);
  assert.deepEqual([report.limits.bytes, report.limits.serverBytes], [LIMITS.bytes, LIMITS.serverBytes]);
  const [evil, full] = [report.evil * SHARE, report.full * SHARE];
  assert.ok(evil > 200 && evil < 230, `${evil} tools of 300 KB in 64 MiB`);
  assert.ok(full > 870 && full < 900, `${full} tools of 300 KB in 256 MiB`);
  assert.deepEqual(report.rejected, ["catalog_too_large"]);
  assert.deepEqual([report.alive, report.bytes, report.serverBytes], [1, 1000, 500]);
});
