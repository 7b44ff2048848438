/**
 * Can each source file be understood after the files that it uses?
 *
 * 1. No files of the package, the playground or the scripts import each other in a circle, also where only types are
 * imported, or a file is imported on demand. 2. The search for circles finds them.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { at, root } from "../../scripts/lib/paths.mjs";

const SPECIFIER = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** The source files below a folder. */
function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesUnder(path);
    return /\.(ts|tsx|js|mjs)$/.test(entry.name) ? [path] : [];
  });
}

/** What each file imports of the others; `text` reads a file. */
function importsOf(files, text) {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const sources = [...text(file).matchAll(SPECIFIER)].map(([, specifier]) => {
        const path = join(dirname(file), specifier);
        return [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")].find((one) => known.has(one));
      });
      return [file, new Set(sources.filter((source) => source !== undefined))];
    }),
  );
}

/** One circle through each file that is in any, as the files along it: the shortest one. */
function circles(imports) {
  const found = [];
  for (const start of imports.keys()) {
    const before = new Map();
    const queue = [start];
    for (const file of queue) {
      for (const next of imports.get(file)) {
        if (next === start) {
          const path = [file];
          while (path[0] !== start) path.unshift(before.get(path[0]));
          found.push(path);
          queue.length = 0;
          break;
        }
        if (before.has(next)) continue;
        before.set(next, file);
        queue.push(next);
      }
    }
  }
  return found;
}

test("circles are found", () => {
  const texts = {
    "a/one.ts": 'import { two } from "./two.js";',
    "a/two.ts": 'export type * from "../three.js";',
    "three.tsx": 'const one = await import("./a/one.js");',
    "four.mjs": 'import type { A } from "./a/one.js";\nimport "./five.mjs";',
    "five.mjs": 'import fs from "node:fs";',
    "six.ts": 'import { six } from "./six.js";',
  };
  const imports = importsOf(Object.keys(texts), (file) => texts[file]);
  assert.deepEqual(circles(imports), [
    ["a/one.ts", "a/two.ts", "three.tsx"],
    ["a/two.ts", "three.tsx", "a/one.ts"],
    ["three.tsx", "a/one.ts", "a/two.ts"],
    ["six.ts"],
  ]);
});

for (const folder of [["pkg", "src"], ["www", "src"], ["scripts"]]) {
  test(`no circles in ${folder.join("/")}`, () => {
    const imports = importsOf(filesUnder(at(...folder)), (file) => readFileSync(file, "utf8"));
    assert.ok(imports.size > 50, `${imports.size} files`);
    const used = [...imports.values()].reduce((sum, one) => sum + one.size, 0);
    assert.ok(used > imports.size, `${used} imports`);
    assert.deepEqual(
      circles(imports).map((path) => path.map((file) => relative(root, file))),
      [],
    );
  });
}
