/**
 * Does the example for the edge work as its README says? The folder is copied into an application that has the packed
 * package installed, its index is built, and it answers in workerd, with its sessions in KV.
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

test("what is wrong is said, with a status and a code", async () => {
  const { ask } = plain;
  const json = { "content-type": "application/json" };
  const cases = [
    [["/nowhere"], 404, "not_found"],
    [["/search"], 404, "not_found"],
    [["/sessions/a/b/c", {}], 404, "not_found"],
    [["/sessions/%E0%A4%A/call", {}], 400, "path_invalid"],
    [["/search", "{", { headers: json }], 400, "not_json"],
    [["/search", "[1]", { headers: json }], 400, "not_json"],
    [["/search", "{}", { headers: { "content-type": "text/plain" } }], 415, "type_unsupported"],
    [["/search", JSON.stringify({ query: "x".repeat(300_000) })], 413, "body_too_large"],
    [["/search", {}], 400, "option_invalid"],
    [["/search", { query: "a", limits: 3 }], 400, "option_unknown"],
    [["/search", { query: "a", limit: 0 }], 400, "limit_out_of_range"],
    [["/sessions/a/assemble", { format: "opena" }], 400, "option_invalid"],
    [["/sessions/a/call", { arguments: {} }], 400, "option_invalid"],
    [[`/sessions/${"x".repeat(300)}`], 400, "session_id_invalid"],
  ];
  for (const [request, status, code] of cases) {
    const answer = await ask(...request);
    assert.deepEqual([answer.status, answer.body.error.code], [status, code], JSON.stringify(request).slice(0, 80));
    assert.equal(answer.headers.get("access-control-allow-origin"), "*", "pages can read why");
  }
  const { body } = await ask("/sessions/a/call", { name: "search_tols", arguments: {} });
  assert.equal(body.kind, "refused", "what the model does wrong is an answer for the model");
});

test("pages of another origin ask first, and strangers have to know the token", async () => {
  const { ask } = await start({ TOKEN: "sesame", ORIGIN: "https://app.example" });
  const preflight = await ask("/search", undefined, { method: "OPTIONS", headers: { origin: "https://app.example" } });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-origin"), "https://app.example");
  assert.match(preflight.headers.get("access-control-allow-headers"), /authorization/);
  const stranger = await ask("/search", { query: "ticket" });
  assert.deepEqual([stranger.status, stranger.body.error.code], [401, "unauthorized"]);
  const friend = await ask("/search", { query: "ticket" }, { headers: { authorization: "Bearer sesame" } });
  assert.equal(friend.status, 200);
  for (const authorization of ["Bearer sesam", "Bearer sesame2", "bearer sesame", "sesame", "Bearer"]) {
    const { status } = await ask("/search", { query: "ticket" }, { headers: { authorization } });
    assert.equal(status, 401, authorization);
  }
  const page = (origin) => ({ method: "POST", headers: { authorization: "Bearer sesame", origin } });
  // Without a body, a browser sends this unasked.
  const other = await ask("/sessions/chat/assemble", undefined, page("https://elsewhere.example"));
  assert.deepEqual([other.status, other.body.error.code], [403, "origin_forbidden"]);
  assert.equal((await ask("/sessions/chat/assemble", undefined, page("https://app.example"))).status, 200);
});
