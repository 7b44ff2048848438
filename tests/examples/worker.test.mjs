/**
 * Tests that the example for edge functions works as its README says. The folder is copied into an application with the
 * packed package, its index is built, and it runs in workerd, with its sessions in KV.
 */

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { bundleWorker, runWorker } from "../lib/workerd.mjs";
import { install } from "../../scripts/lib/installed.mjs";

let folder;
let bundle;
/** A worker without settings, for what leaves nothing behind. */
let plain;

beforeAll(async () => {
  const { app } = await install();
  folder = mkdtempSync(join(app, "worker-"));
  cpSync(at("examples", "worker"), folder, { recursive: true });
  const { stdout } = await node(join(folder, "build-index.mjs"), [], { cwd: folder });
  assert.match(stdout, /tracker: 3 tools\n.*catalog\.index: \d+ bytes/s);
  bundle = join(folder, "dist", "cloudflare.js");
  await bundleWorker(join(folder, "src", "cloudflare.ts"), bundle);
  plain = await start();
});

const running = new Set();
afterAll(async () => {
  await Promise.all([...running].map((stop) => stop()));
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The worker in a process of its own; KV is kept in files, so that the next one finds it. */
async function start(bindings = {}) {
  const worker = runWorker(bundle, { kvNamespaces: ["SESSIONS"], kvPersist: join(folder, "kv"), bindings });
  const stop = async () => {
    running.delete(stop);
    await worker.dispose();
  };
  running.add(stop);
  const base = await worker.ready;
  return { ask: client(base), base, stop };
}

/** Asks a service: a body makes it a POST with JSON. */
function client(base) {
  return async (path, body, init = {}) => {
    const headers = { ...(body !== undefined && { "content-type": "application/json" }), ...init.headers };
    const sent = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const method = init.method ?? (body === undefined ? "GET" : "POST");
    const response = await fetch(new URL(path, base), { method, body: sent, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  };
}

test("the index is small, and what it holds is searched", async () => {
  assert.ok(statSync(join(folder, "src", "catalog.index")).size < 10_000);
  const { ask } = plain;
  const { body: about } = await ask("/");
  assert.equal(about.tools, 7);
  assert.match(about.contentHash, /^[0-9a-f]{16}$/);
  const { status, body } = await ask("/search", { query: "open a ticket", limit: 2 });
  assert.equal(status, 200);
  assert.equal(body.hits[0].name, "create_issue");
  assert.equal(body.searched, 7);
});

test("a conversation that began in one worker goes on in another", async () => {
  const first = await start();
  const found = await first.ask("/sessions/chat-42/call", {
    name: "search_tools",
    arguments: { query: "high and low water at a port" },
  });
  assert.deepEqual(found.body.revealed, ["tides"]);
  const before = await first.ask("/sessions/chat-42/assemble", { format: "anthropic" });
  await first.stop();

  const second = await start();
  assert.deepEqual((await second.ask("/sessions/chat-42")).body, { revealed: ["tides"] });
  const again = await second.ask("/sessions/chat-42/assemble", { format: "anthropic" });
  assert.deepEqual(again.body.tools, before.body.tools);
  assert.ok(again.body.tools.some((tool) => tool.name === "tides"));
  const outcome = await second.ask("/sessions/chat-42/call", { name: "tides", arguments: { port: "Brest" } });
  assert.equal(outcome.body.kind, "dispatch");
  assert.equal(outcome.body.server, "weather");
  assert.deepEqual((await second.ask("/sessions/other")).body, { revealed: [] }, "sessions are apart");

  assert.equal((await second.ask("/sessions/chat-42", undefined, { method: "DELETE" })).status, 200);
  assert.deepEqual((await second.ask("/sessions/chat-42")).body, { revealed: [] });
});
