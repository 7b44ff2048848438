/** Tests unexpected data from a model, a vendor, a server or a user. Each target is a test. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import { appWith } from "../adapters/lib/app.mjs";
import { edit } from "./lib/hostile.mjs";
import { player } from "./lib/play.mjs";
import * as core from "./targets/core.mjs";
import * as servers from "./targets/servers.mjs";
import * as vendors from "./targets/vendors.mjs";

/** So many runs of each target fit into `npm test`, and into the long form; a search for more takes 1,000. */
const numRuns = Number(process.env.TOOLSIFT_RUNS ?? (isFull ? 40 : 10));
/** What is tried; a find prints its seed and its path, which repeats that find alone. */
const seed = Number(process.env.TOOLSIFT_SEED ?? 20_261_123);
const path = process.env.TOOLSIFT_PATH;
const edits = fc.array(edit, { minLength: 1, maxLength: 3 });

for (const { packages, targets, world } of [core, servers, vendors]) {
  const app = await appWith(packages);
  for (const target of targets) {
    test(target.title, async () => {
      const play = await player(target, () => world(app));
      await play([]);
      const property = fc.asyncProperty(edits, async (made) => void (await play(made)));
      const again = path === undefined ? {} : { path, endOnFailure: true };
      const { failed, counterexamplePath, counterexample, errorInstance } = await fc.check(property, {
        numRuns,
        seed,
        ...again,
      });
      const found = `TOOLSIFT_SEED=${seed} TOOLSIFT_PATH=${counterexamplePath}`;
      const command = `${found} npm test -- --project properties -t ${JSON.stringify(target.title)}`;
      const stack = errorInstance?.stack ?? errorInstance;
      assert.ok(!failed, `after ${fc.stringify(counterexample)}:\n${stack}\n\nagain: ${command}`);
      await play.end();
    });
  }
}
