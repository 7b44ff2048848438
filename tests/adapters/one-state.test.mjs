/**
 * Tests that a session is the same over every adapter.
 * 1. A conversation goes from adapter to adapter: a tool that was loaded in one is sent and callable in every other.
 * 2. The same with a restart between two adapters: a snapshot, a new catalog, the next adapter.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { allDrives } from "./lib/all.mjs";
import { appWith } from "./lib/app.mjs";
import { add, script } from "./lib/calls.mjs";
import { agentOver, siftOf, toolsOf } from "./lib/tools.mjs";

/** One tool for each leg of the way. */
const TOOLS = toolsOf("github").map(({ name }) => name);

for (const restarts of [false, true]) {
  test(`a conversation goes over every adapter${restarts ? ", with a restart before each" : ""}`, async () => {
    const drives = await allDrives();
    assert.ok(drives.length <= TOOLS.length, "there is a tool for each");
    // Every SDK at its newest: they share a process, and one copy of the package.
    const app = await appWith(Object.assign({}, ...drives.map(({ versions }) => versions.at(-1))));
    let sift = await siftOf(app);
    const loaded = [];
    for (const [at, drive] of drives.entries()) {
      if (restarts) {
        const snapshot = JSON.stringify(sift.session("chat").snapshot());
        sift = await siftOf(app);
        sift.restore(JSON.parse(snapshot));
      }
      const before = [...loaded];
      loaded.push(TOOLS[at]);
      const calls = [...before, TOOLS[at]].map((name) => ({ name, args: argumentsFor(name) }));
      const { requests, finish, ran } = await agentOver(drive, app, { sift, script: script([add(TOOLS[at])], calls) });
      const where = `${drive.adapter}, ${drive.road}`;
      assert.equal(finish, "done", where);
      assert.deepEqual(
        requests[0].tools.filter((name) => TOOLS.includes(name)),
        before,
        `${where}: what was loaded before`,
      );
      assert.deepEqual(ran.map(({ name }) => name).sort(), [...loaded].sort(), `${where}: everything can be called`);
      assert.deepEqual(sift.session("chat").revealed, loaded, where);
    }
  });
}

/** Something that the tool's schema takes: some SDKs check it. */
function argumentsFor(name) {
  const { inputSchema } = toolsOf("github").find((tool) => tool.name === name);
  return valueOf(inputSchema);
}

function valueOf({ type, properties = {}, required = [], items, enum: values }) {
  if (values !== undefined) return values[0];
  if (type === "object") return Object.fromEntries(required.map((key) => [key, valueOf(properties[key])]));
  if (type === "array") return items?.type === undefined ? [] : [valueOf(items)];
  return { string: "x", number: 1, integer: 1, boolean: true }[type] ?? "x";
}
