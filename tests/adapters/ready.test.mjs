/**
 * Tests that a server that hangs does not delay the others.
 * 1. `toolsift()` returns as `ready` says: with all servers, with the first one, or after a time, but never without any
 *    server. By default, a hanging server delays the others by at most ten seconds.
 * 2. `status()`, `onStatus`, or the console without a listener, report missing servers and servers that connect later. Their
 *    tools can then be called. `servers.refresh()` waits for them.
 * 3. The order of the configuration decides about names, for the servers that start in time.
 * 4. `close` ends servers that are still starting, also those of a user.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock as mocks } from "node:test";
import { afterEach, test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { configOf, MCP, processes } from "./lib/doorway.mjs";
import { until } from "./lib/mcp.mjs";
import { MAJORS } from "./lib/mock-model.mjs";
import { pluck } from "./lib/tools.mjs";

afterEach(() => mocks.reset());

const [{ packages: AI }] = MAJORS;
const app = await appWith({ ...AI, ...MCP });
const { toolsift } = await app.load("toolsift/ai-sdk");

const quiet = { onStatus: () => {} };
const states = (sift) => Object.fromEntries(sift.status().map(({ name, state }) => [name, state]));

/** A server that hangs, a real one, and the same one that begins when its file is written. */
function world() {
  const { folder, mcpServers } = configOf("memory");
  const { memory } = mcpServers;
  const begin = join(folder, "begin");
  const wait = `const { existsSync } = await import("node:fs"); while (!existsSync(${JSON.stringify(begin)})) await new Promise((done) => setTimeout(done, 20)); process.argv[1] = ${JSON.stringify(memory.args[0])}; await import(${JSON.stringify(memory.args[0])});`;
  const late = { ...memory, args: ["--input-type=module", "-e", wait, folder] };
  const hangs = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)", folder] };
  return { folder, memory, hangs, late, begin: () => writeFileSync(begin, "") };
}

/** Keeps back the end of the wait of so many milliseconds until these many clients have listed their tools; packs would take longer. */
function waitOf(_t, wait, count) {
  const { setTimeout: begin } = globalThis;
  const ends = [];
  mocks.method(globalThis, "setTimeout", (run, ms, ...rest) => {
    if (ms !== wait) return begin(run, ms, ...rest);
    // Files of a check share a process: a timer of another one's may take as long, and is a timer still.
    ends.push(run);
    return begin(() => {}, ms).unref();
  });
  const listTools = async () => {
    count -= 1;
    if (count === 0) setImmediate(() => ends.forEach((end) => end()));
    return { tools: [{ name: "read_graph", inputSchema: { type: "object" } }] };
  };
  return () => ({ listTools, callTool: async () => ({ content: [] }) });
}

test("by default, a server that hangs delays toolsift() by ten seconds at most, and the console says who is missing", async (t) => {
  const { mock: warned } = mocks.method(console, "warn", () => {});
  const { mock: told } = mocks.method(console, "info", () => {});
  const { folder, hangs, late, begin } = world();
  const clientOf = waitOf(t, 10_000, 1);
  const sift = await toolsift({ mcpServers: { hangs, late, prompt: clientOf() }, startTimeoutMs: 60_000, packs: false });
  assert.deepEqual(states(sift), { hangs: "starting", late: "starting", prompt: "connected" });
  assert.deepEqual(
    warned.calls.map((call) => call.arguments[0]),
    ["hangs", "late"].map(
      (name) => `toolsift: The MCP server ${name} is still starting. Its tools are added when it is connected.`,
    ),
  );
  begin();
  await until("the late server", () => states(sift).late === "connected");
  assert.deepEqual(
    told.calls.map((call) => call.arguments[0]),
    ["toolsift: The MCP server late is connected with 9 tools."],
  );
  await sift.close();
  assert.equal(await processes(folder, 0), 0);
});

test("with `any` it returns with the first server, and what comes later is told and can be called", async () => {
  const { folder, hangs, memory, late, begin } = world();
  const seen = [];
  const onStatus = ({ name, state }) => seen.push(`${name} ${state}`);
  const sift = await toolsift({ mcpServers: { hangs, late, memory }, ready: "any", startTimeoutMs: 60_000, onStatus });
  assert.deepEqual(seen, ["memory connected", "hangs starting", "late starting"]);
  assert.deepEqual(
    sift
      .status()
      .map(({ message }) => message)
      .slice(0, 1),
    ["The MCP server hangs is still starting. Its tools are added when it is connected."],
  );
  const session = sift.session("chat");
  const before = sift.tools().length;
  begin();
  const [status] = await sift.servers.refresh("late");
  assert.equal(status.state, "connected");
  assert.equal(seen.at(-1), "late connected");
  assert.equal(sift.tools().length, 2 * before);
  // The server that was first keeps its names.
  assert.equal(sift.tools().find(({ name }) => name === "read_graph").server, "memory");
  session.reveal(["late__read_graph"]);
  const { content } = await sift.servers.execute(session.call("late__read_graph", {}));
  assert.match(content[0].text, /"entities"/);
  await sift.close();
  assert.equal(await processes(folder, 0), 0);
});

test("where no server is there when the time is over, it waits for the first one: no request is made without any", async () => {
  const { folder, hangs, late, begin } = world();
  setTimeout(begin, 500);
  const sift = await toolsift({ mcpServers: { hangs, late }, ready: 0, startTimeoutMs: 60_000, ...quiet });
  assert.deepEqual(states(sift), { hangs: "starting", late: "connected" });
  await sift.close();
  assert.equal(await processes(folder, 0), 0);
});

test("with `all` it waits until each server is connected or has failed", async (t) => {
  const mcpServers = { hangs: world().hangs, prompt: waitOf(t)() };
  const sift = await toolsift({ mcpServers, ready: "all", startTimeoutMs: 500, ...quiet });
  assert.deepEqual(states(sift), { hangs: "failed", prompt: "connected" });
  await sift.close();
});

test("a user's server that hangs delays the user as long, and ends with the user", async (t) => {
  const { folder, hangs } = world();
  const sift = await toolsift({ mcpServers: { prompt: waitOf(t)() }, ready: 100, ...quiet });
  const user = await sift.user("ada", { mcpServers: { hangs } });
  assert.deepEqual(pluck(user.status(), "state"), ["starting"]);
  assert.equal(await processes(folder, 1), 1);
  await user.close();
  assert.equal(await processes(folder, 0), 0);
  await sift.close();
});

test("a function of the host's that does not connect in time is called again, and what it gives too late is closed", async () => {
  const closed = [];
  const clientOf = (name) => ({
    listTools: async () => ({ tools: [{ name: "read_graph", inputSchema: { type: "object" } }] }),
    callTool: async () => ({ content: [] }),
    close: async () => void closed.push(name),
  });
  let calls = 0;
  let give;
  const slow = () => {
    calls += 1;
    if (calls > 1) return clientOf("prompt");
    return new Promise((resolve) => (give = () => resolve(clientOf("late"))));
  };
  const sift = await toolsift({ mcpServers: { slow }, startTimeoutMs: 50, packs: false, ...quiet });
  assert.equal(states(sift).slow, "failed");
  assert.match(sift.status()[0].error, /took longer than 50 ms/);
  give();
  await until("the next call", () => states(sift).slow === "connected");
  assert.deepEqual([calls, closed], [2, ["late"]]);
  await sift.close();
  assert.deepEqual(closed, ["late", "prompt"]);
});
