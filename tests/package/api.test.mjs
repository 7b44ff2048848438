/**
 * Is the public surface the one that is committed?
 *
 * 1. api/ has a report for each entry, and each is what the built package exports and declares. 2. A change is shown line by
 * line, also a report that is missing or left over. 3. What is deprecated is listed, there and in docs/stability.md.
 * 4. Nothing that is marked as internal, no comment and no path is in a report. 5. The report of the crate has what its root
 *    names and nothing private.
 */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { changes } from "../../scripts/api.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";

/** That of the crate is compared by `npm run api`, which needs a tool; here it is only held against the crate's root. */
const CRATE = "crate.api.md";
const FILES = readdirSync(at("api")).filter((name) => name !== CRATE);
const read = (name) => readFileSync(at("api", name), "utf8");
const reports = () => new Map(FILES.map((name) => [name, read(name)]));

test("the surface is that of api/", () => {
  assert.deepEqual(changes(), [], "if that is meant: npm run api -- --update");
  const { exports } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
  const entries = Object.keys(exports).filter((path) => path !== "./package.json");
  const names = entries.map((path) => `${path === "." ? "toolsift" : path.slice(2)}.api.md`);
  assert.deepEqual(FILES.toSorted(), [...names, "shared.api.md"].sort());
});

test("a change is shown", () => {
  const old = reports();
  old.set("toolsift.api.md", old.get("toolsift.api.md").replace("    dispose(): void;", "    dispose(now: boolean): void;"));
  assert.deepEqual(changes(old), ["api/toolsift.api.md\n-     dispose(now: boolean): void;\n+     dispose(): void;"]);
  const moved = reports();
  moved.set("store.api.md", moved.get("store.api.md").split("\n").reverse().join("\n"));
  assert.deepEqual(changes(moved), ["api/store.api.md\n  the order of lines"]);
  const without = reports();
  without.delete("mcp.api.md");
  without.set("gone.api.md", "# gone\n");
  const [gone, missing, ...others] = changes(without);
  assert.equal(gone, "api/gone.api.md\n- # gone");
  assert.match(missing, /^api\/mcp\.api\.md\n\+ # toolsift\/mcp\n/);
  assert.deepEqual(others, []);
});

test("the reports hold declarations and nothing else", () => {
  const root = read("toolsift.api.md");
  for (const part of [
    "- class `ToolSift`\n",
    "export declare class Session {",
    "export interface ToolSiftOptions ",
    "export type ErrorCode =",
  ]) {
    assert.ok(root.includes(part), part);
  }
  for (const name of FILES) {
    const text = read(name);
    assert.doesNotMatch(text, /\/\*|\*\/|@internal|node_modules|file:\/\//, name);
    assert.ok(text.endsWith("\n") && !text.includes("\n\n\n"), name);
  }
  assert.match(read("core.wasm.api.md"), /- const `default`, declared as `module`/);
});

test("the crate has what its root names", () => {
  const report = read(CRATE);
  const root = readFileSync(at("src", "lib.rs"), "utf8");
  // What is hidden from the documentation is for tests and bindings.
  const modules = [...root.matchAll(/^(#\[doc\(hidden\)\]\n)?pub mod (\w+);/gm)]
    .filter(([, hidden]) => !hidden)
    .map(([, , name]) => name);
  const names = [...root.matchAll(/^pub use \w+::(?:\{([^}]+)\}|(\w+));/gm)].flatMap(([, list, one]) =>
    (list ?? one).split(","),
  );
  const items = names.map((name) => name.trim()).filter(Boolean);
  assert.ok(modules.length > 0 && items.length > 40, `${modules} and ${items.length} items`);
  const missing = [
    ...modules.filter((name) => !report.includes(`\npub mod toolsift::${name}\n`)),
    ...items.filter((name) => !new RegExp(`^pub .*toolsift::${name}\\b`, "m").test(report)),
  ];
  assert.deepEqual(missing, []);
  const of = [...report.matchAll(/^pub mod toolsift::(\w+)/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(of)].sort(), modules.sort());
});

test("what is deprecated is in docs/stability.md", () => {
  const page = readFileSync(at("docs", "stability.md"), "utf8");
  for (const name of FILES) {
    const [, list = ""] = /## Deprecated\n\n((?:- .*\n)*)/.exec(read(name)) ?? [];
    for (const [, of, member] of list.matchAll(/^- `(.*)`: `(.*)`$/gm)) {
      assert.ok(page.includes(`\`${of === member ? of : `${of}.${member}`}\``), `docs/stability.md has ${of}, ${member}`);
    }
  }
});

test("the command says what it does, and refuses what it does not know", async () => {
  const help = await node(at("scripts", "api.mjs"), ["--help"]);
  assert.match(help.stdout, /npm run api[^]*--update/);
  assert.equal((await node(at("scripts", "api.mjs"), ["--updat"], { fails: false })).code, 2);
});
