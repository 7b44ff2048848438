/** A Cloudflare Worker with its KV, as docs/sessions.md shows it, in workerd. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { Miniflare } from "miniflare";
import { at } from "../../scripts/lib/paths.mjs";
import { install } from "../package/installed.mjs";
import { tools } from "./lib/shared.mjs";

const WORKER = `
import { env } from "cloudflare:workers";
import { createStorage } from "unstorage";
import kvDriver from "unstorage/drivers/cloudflare-kv-binding";
import { ToolSift } from "toolsift";
import { SessionStore } from "toolsift/store";

const sift = new ToolSift();
sift.register(TOOLS, { server: "s" });
const storage = createStorage({ driver: kvDriver({ binding: env.SESSIONS }) });
const store = new SessionStore(sift, storage, { ttl: 7 * 24 * 3600, settleMs: 60_000 });

export default {
  async fetch(request) {
    const { chat, reveal = [], conceal = [] } = await request.json();
    const work = (session) => (session.reveal(reveal), session.conceal(conceal), session.revealed);
    return Response.json(await store.use(chat, work));
  },
};`;

let miniflare;

beforeAll(async () => {
  const { app } = await install();
  const { build } = await import("esbuild");
  writeFileSync(join(app, "worker.mjs"), WORKER.replace("TOOLS", JSON.stringify(tools())));
  const { outputFiles } = await build({
    entryPoints: [join(app, "worker.mjs")],
    bundle: true,
    format: "esm",
    conditions: ["workerd"],
    external: ["cloudflare:workers", "./toolsift.wasm"],
    // The application has toolsift installed, and unstorage is the workspace's.
    nodePaths: [at("node_modules")],
    write: false,
    logLevel: "silent",
  });
  const wasm = readFileSync(join(app, "node_modules", "toolsift", "dist", "toolsift.wasm"));
  const worker = (name) => ({
    name,
    modules: [
      { type: "ESModule", path: "/worker.mjs", contents: outputFiles[0].text },
      { type: "CompiledWasm", path: "/toolsift.wasm", contents: wasm },
    ],
    modulesRoot: "/",
    compatibilityDate: "2026-01-01",
    kvNamespaces: { SESSIONS: "sessions" },
  });
  miniflare = new Miniflare({ cf: false, workers: [worker("one"), worker("two")] });
});

afterAll(() => miniflare?.dispose());

async function ask(name, body) {
  const worker = await miniflare.getWorker(name);
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  assert.equal(response.status, 200, response.status === 200 ? "" : await response.text());
  return response.json();
}

test("two workers are one conversation", async () => {
  assert.deepEqual(await ask("one", { chat: "42", reveal: ["c", "a"] }), ["c", "a"]);
  assert.deepEqual(await ask("two", { chat: "42", reveal: ["b"] }), ["c", "a", "b"]);
  assert.deepEqual(await ask("one", { chat: "42", conceal: ["a"] }), ["c", "b"]);
  assert.deepEqual(await ask("two", { chat: "42" }), ["c", "b"]);
  assert.deepEqual(await ask("two", { chat: "43" }), []);
  const { keys } = await (await miniflare.getKVNamespace("SESSIONS", "one")).list();
  assert.equal(keys.filter(({ name }) => name.startsWith("toolsift:id-42:")).length, 3, "what has not settled stays");
});
