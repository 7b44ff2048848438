/**
 * Does a gateway end, and leave nothing?
 *
 * 1. A server that hangs, wherever it does, holds a gateway that is told to end no longer than five seconds.
 * 2. Drafts of writes that were killed are removed; those of writes that may be under way stay.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, isAlive, start, until } from "./command-line.mjs";
import { config } from "./processes.mjs";

const END_MS = 5_000;

/** A server that answers until it is asked for `method`, and then nothing more, whatever it is told. */
function hanging(inside, method) {
  const file = join(inside, "hanging.cjs");
  writeFileSync(
    file,
    `process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
require("fs").writeFileSync(${JSON.stringify(join(inside, "pid"))}, String(process.pid));
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === ${JSON.stringify(method)}) return require("fs").writeFileSync(${JSON.stringify(join(inside, "hangs"))}, "");
  if (id === undefined) return;
  const answers = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {}, prompts: {} }, serverInfo: { name: "h", version: "1" } },
    "tools/list": { tools: [{ name: "one", inputSchema: { type: "object" } }] },
  };
  const answer = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: "Method not found" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});`,
  );
  return { command: process.execPath, args: [file] };
}

const HANGS = ["initialize", "tools/list", "prompts/list"];
const ENDS = { SIGTERM: (child) => child.kill("SIGTERM"), "the end of its input": (child) => child.stdin.end() };

for (const method of HANGS) {
  for (const [how, end] of Object.entries(ENDS)) {
    test(`a server that hangs in ${method} does not hold a gateway beyond ${how}`, async () => {
      const inside = folder();
      const file = config(inside, { h: hanging(inside, method) });
      const { child, done } = start(["mcp", "--config", file, "--eager"], {
        env: { TOOLSIFT_HOME: join(inside, "state") },
        input: false,
      });
      await until(() => readdirSync(inside).includes("hangs"), "the hang");
      const since = performance.now();
      end(child);
      await done;
      assert.ok(performance.now() - since < END_MS, `${performance.now() - since} ms`);
      const pid = Number(readFileSync(join(inside, "pid"), "utf8"));
      await until(() => !isAlive(pid), "the end of the server");
    });
  }
}

test("drafts of killed writes are removed, those of now stay", async () => {
  const name = (at) => `${at}.json.0123abcd-0123-4567-89ab-0123456789ab.tmp`;
  const home = folder({ "state/pins/one.json": "{}", [`state/pins/${name("old")}`]: "", [`state/pins/${name("new")}`]: "" });
  const pins = join(home, "state", "pins");
  const before = (Date.now() - 7_200_000) / 1_000;
  for (const one of ["one.json", name("old")]) utimesSync(join(pins, one), before, before);
  const { done } = start(["mcp", "--config", config(home, {})], { env: { TOOLSIFT_HOME: join(home, "state") } });
  await done;
  assert.deepEqual(readdirSync(pins).sort(), [name("new"), "one.json"]);
});
