/** Tests that configurations of MCP clients are read as they are in their files. Python reads the same cases. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";

const { plansOf } = await import("../../pkg/src/servers/plans.ts");
const CASES = JSON.parse(readFileSync(at("tests", "cases", "client-configurations.json"), "utf8"));

for (const { client, file, way, tools } of CASES) {
  test(`a configuration of ${client}`, () => {
    const [plan, ...others] = plansOf(file, { TOKEN: "secret" });
    assert.deepEqual(others, []);
    const { url, ...rest } = plan.way;
    assert.deepEqual(url === undefined ? rest : { ...rest, url: url.href }, way);
    assert.deepEqual(plan.tools, tools);
  });
}

test("an environment in a file is not read, and breaks its server alone", () => {
  const [broken, other] = plansOf({ a: { command: "x", envFile: ".env" }, b: { command: "y" } }, {});
  assert.match(broken.way.reason, /a\.envFile is not read; put its variables into env/);
  assert.equal(other.way.kind, "stdio");
});
