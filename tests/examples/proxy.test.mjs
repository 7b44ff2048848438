/** Tests the examples of tool search with the proxy, each with its SDK. */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { bundleWorker, runWorker } from "../lib/workerd.mjs";
import { install } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node, run } from "../../scripts/lib/run.mjs";
import { add, call, DISCOVERY, script } from "../adapters/lib/calls.mjs";
import { serveProxy } from "../proxy/lib/agents.mjs";
import { pythonForClients } from "../proxy/lib/clients/python.mjs";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { gemini } from "../apis/gemini.mjs";
import { messages } from "../apis/messages.mjs";
import { responsesWire } from "../apis/responses.mjs";

const MOST_LINES = 10;
const PACKAGES = ["openai", "@anthropic-ai/sdk", "@google/genai", "ai", "@ai-sdk/openai", "unstorage"];
/** What the user asks for finds the tool, so that the model has it in its first request. */
const TIDES = [[call("tides", { port: "Brest" })]];

let folder;

beforeAll(async () => {
  const { app, home } = await install();
  folder = mkdtempSync(join(app, "proxy-"));
  for (const name of ["proxy", "worker"]) cpSync(at("examples", name), join(folder, name), { recursive: true });
  const link = (from, name) => {
    const to = join(folder, "node_modules", name);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to, "junction");
  };
  link(home, "toolsift");
  for (const name of PACKAGES) link(at("node_modules", name), name);
});

afterAll(() => folder && rmSync(folder, { recursive: true, force: true }));

/** A vendor that follows a script, until the test ends. */
async function upstream(t, wire, ...replies) {
  const vendor = await startVendor(wire, script(...replies));
  t.onTestFinished(() => vendor.close());
  return vendor;
}

const linesOf = (file) =>
  readFileSync(at("examples", "proxy", file), "utf8")
    .trim()
    .split("\n");

/** The environment in which each SDK finds the vendor. */
const ENV = {
  "openai.mjs": [chat, (url) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1` })],
  "anthropic.mjs": [messages, (url) => ({ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: url })],
  "google.mjs": [gemini, (url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url })],
  "ai-sdk.mjs": [responsesWire(), (url) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1` })],
};

for (const [file, [wire, env]] of Object.entries(ENV)) {
  test(`${file} is at most ten lines, and its model has the tool`, async (t) => {
    assert.ok(linesOf(file).length <= MOST_LINES);
    const vendor = await upstream(t, wire, ...TIDES);
    const { stdout } = await node(join(folder, "proxy", file), [], { cwd: folder, env: env(vendor.url) });
    assert.equal(stdout.trim(), "[ 'tides' ]");
    assert.deepEqual(vendor.requests[0].tools, [...DISCOVERY, "tides"]);
    assert.equal(vendor.requests.length, 1);
  });
}

test("agent.py is at most ten lines, and its model has the tool", async (t) => {
  assert.ok(linesOf("agent.py").length <= MOST_LINES);
  const { python, reason } = await pythonForClients();
  if (reason !== undefined) return t.skip(reason);
  const vendor = await upstream(t, chat, ...TIDES);
  const served = await serveProxy({ upstream: vendor.url });
  t.onTestFinished(() => served.close());
  const env = { OPENAI_API_KEY: "none", PROXY_URL: served.url };
  const { stdout } = await run(python, ["-I", join(folder, "proxy", "agent.py")], { env });
  assert.equal(stdout.trim(), "['tides']");
});

test("a worker serves it from workerd, with sessions in KV that the next one goes on with", async (t) => {
  const file = join(folder, "dist", "proxy.js");
  await bundleWorker(join(folder, "worker", "src", "proxy.ts"), file);
  const vendor = await upstream(t, chat, [add("tides")], [call("tides", { port: "Brest" })]);
  const workers = [];
  t.onTestFinished(() => Promise.all(workers.map((worker) => worker.dispose())));
  const start = () => {
    const bindings = { UPSTREAM: vendor.url, ACTIVATION: "on" };
    const worker = runWorker(file, { kvNamespaces: ["SESSIONS"], kvPersist: join(folder, "kv"), bindings });
    workers.push(worker);
    return worker;
  };
  const { chat: tools } = await import(join(folder, "proxy", "tools.mjs"));
  const ask = async (worker, content) => {
    const base = await worker.ready;
    const headers = { authorization: "Bearer none", "content-type": "application/json", "x-toolsift-session": "chat-42" };
    const body = JSON.stringify({ model: "m", tools, messages: [{ role: "user", content }] });
    const response = await fetch(new URL("/v1/chat/completions", base), { method: "POST", headers, body });
    assert.equal(response.status, 200);
    return (await response.json()).choices[0].message;
  };
  const first = start();
  const { tool_calls: calls } = await ask(first, "When is high water in Brest?");
  assert.deepEqual(
    calls.map(({ function: { name } }) => name),
    ["tides"],
  );
  await workers.pop().dispose();
  await ask(start(), "And tomorrow?");
  assert.ok(vendor.requests.at(-1).tools.includes("tides"), "what was found stays found");
});
