/** Tests that every adapter can be loaded with `require` and with `import`, together with its SDK. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "vitest";
import { allDrives } from "./lib/all.mjs";
import { appWith } from "./lib/app.mjs";
import { call, script } from "./lib/calls.mjs";
import { agentOver } from "./lib/tools.mjs";

for (const drive of await allDrives()) {
  test(`${drive.adapter}, ${drive.road}: it is required as well as imported`, async () => {
    const imported = await appWith(drive.versions.at(-1));
    const require = createRequire(join(imported.folder, "program.cjs"));
    const app = { ...imported, load: async (name) => require(name) };
    const replies = script([call("read_graph")], [call("read_graph")]);
    const { finish, requests, ran } = await agentOver(drive, app, { script: replies });
    assert.match(requests[1].answers[0], /was not loaded/);
    assert.deepEqual([finish, ran.length], ["done", 1]);
  });
}
