/** docs/trouble.md says which Node each SDK declares: compared with the SDKs that are installed here, of every major that it names. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";

/** Every package that is installed here, also under other names: `name major` to what it declares. */
function declared() {
  const folders = readdirSync(at("node_modules")).flatMap((name) => {
    return name.startsWith("@") ? readdirSync(at("node_modules", name)).map((one) => `${name}/${one}`) : [name];
  });
  const known = new Map();
  for (const folder of folders) {
    try {
      const { name, version, engines } = JSON.parse(readFileSync(at("node_modules", folder, "package.json"), "utf8"));
      known.set(`${name} ${Number.parseInt(version, 10)}`, engines?.node);
    } catch {
      // A folder that is no package.
    }
  }
  return known;
}

test("the versions of Node are those that the SDKs declare", () => {
  const known = declared();
  const [, table] = readFileSync(at("docs", "trouble.md"), "utf8").split("## Which Node");
  const rows = [...table.matchAll(/^\| `([^`]+)` \| (\d+) \| ([\d.]+) \|$/gm)];
  assert.ok(rows.length >= 12);
  for (const [, name, major, node] of rows) {
    const wanted = known.get(`${name} ${major}`);
    assert.match(
      wanted ?? "none",
      new RegExp(`^>=\\s*${node.replace(".", "\\.")}(\\.0)*$`),
      `${name} ${major} declares ${wanted}`,
    );
  }
});
