/**
 * What does everything that takes data do with values that nobody expects, from a model, a server, a user, a vendor, a file, or by a
 * host's honest mistake? The targets of each module are the tests, and that they set every option of what the module covers.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { appWith } from "../adapters/lib/app.mjs";
import { again, find, titleOf } from "./lib/find.mjs";
import { LEFT_OUT } from "./lib/left-out.mjs";
import * as modules from "./lib/modules.mjs";
import { optionInterfaces } from "./lib/surface.mjs";

/** So many runs of each target fit into `npm test`, and into the long form. */
const RUNS = isFull ? 40 : 10;

for (const [module, { packages, covers, targets, world }] of Object.entries(modules)) {
  const app = await appWith(packages);
  const keys = new Set();
  for (const target of targets) {
    test(titleOf(target), async () => {
      const found = await find(target, {
        makeWorld: () => world(app),
        runs: RUNS,
        onArgs: (args) => collectKeys(args, keys),
      });
      assert.ok(found === undefined, found && `${found.message}\n\nagain: ${again(target, found)}`);
    });
  }
  test(`every option of ${module} has a value`, () => {
    for (const [name, options] of optionInterfaces()) {
      if (name in LEFT_OUT || !covers.some((one) => name === one || name.startsWith(`${one}.`))) continue;
      assert.deepEqual(
        options.filter((option) => !keys.has(option)),
        [],
        `options of ${name} that no target sets`,
      );
    }
  });
}

function collectKeys(value, keys, depth = 8) {
  if (typeof value !== "object" || value === null || depth === 0 || ArrayBuffer.isView(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    keys.add(key);
    collectKeys(inner, keys, depth - 1);
  }
}
