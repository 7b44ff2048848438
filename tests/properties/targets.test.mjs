/** What happens to data that nobody expects, from a model, a vendor, a server or a user? The targets are the tests. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import { appWith } from "../adapters/lib/app.mjs";
import { again, find } from "./lib/find.mjs";
import * as core from "./targets/core.mjs";
import * as servers from "./targets/servers.mjs";
import * as vendors from "./targets/vendors.mjs";

/** So many runs of each target fit into `npm test`, and into the long form; a search for more takes 1,000. */
const RUNS = Number(process.env.TOOLSIFT_RUNS ?? (isFull ? 40 : 10));
/** What is tried; a find prints its seed and its path. */
const seed = Number(process.env.TOOLSIFT_SEED ?? 20_261_123);
const path = process.env.TOOLSIFT_PATH;

for (const { packages, targets, world } of [core, servers, vendors]) {
  const app = await appWith(packages);
  for (const target of targets) {
    test(target.title, async () => {
      const found = await find(target, { makeWorld: () => world(app), runs: RUNS, seed, path });
      assert.ok(found === undefined, found && `${found.message}\n\nagain: ${again(target, found)}`);
    });
  }
}
