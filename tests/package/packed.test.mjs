/** Tests the packed package with other tools, such as bundlers and type checkers. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import { at, root } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { fileOf, install, pack } from "./installed.mjs";

test("publint finds nothing", async () => {
  const { tarball } = await pack();
  const { output } = await node(at("node_modules", ".bin", "publint"), ["run", tarball, "--strict"]);
  assert.match(output, /All good/);
});

test("attw finds nothing", async () => {
  const { tarball } = await pack();
  // The old resolution knows no subpaths. The slim entry and the wasm are for pages and workers, which have ES modules
  // only; that CommonJS cannot require them there is as it should be.
  const flags = ["--profile", "node16", "--ignore-rules", "cjs-resolves-to-esm", "--format", "ascii", "--no-color"];
  const { exports } = JSON.parse(await fileOf("package.json"));
  const formOf = (path) => JSON.stringify(exports[path]).replaceAll(/[\w/-]+\./g, "");
  const forms = new Map(Object.keys(exports).map((path) => [isFull ? path : formOf(path), path]));
  const paths = [...forms.values()];
  const { output } = await node(at("node_modules", ".bin", "attw"), [tarball, ...flags, "--entrypoints", ...paths]);
  for (const path of paths) assert.ok(output.includes(`"toolsift${path.slice(1)}"`), `${path} was looked at`);
});

test("no folder of this machine is in any file", async () => {
  const { files } = await pack();
  const { home } = await install();
  const local = [root, homedir(), tmpdir(), process.env.CARGO_HOME].filter((path) => path && path.length > 1);
  for (const { path } of files) {
    const bytes = readFileSync(join(home, path));
    for (const place of local) assert.ok(!bytes.includes(`${place}/`), `${path} names ${place}`);
  }
});
