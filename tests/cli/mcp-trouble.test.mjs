/**
 * Tests many servers and many clients together, and misbehaving servers: nothing else stops, and each client gets a clear
 * error.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import { BIN, folder, toolsift, until } from "./command-line.mjs";
import { call, said, search } from "./gateways.mjs";
import { config, overHttp, overStdio, real, small } from "./processes.mjs";

const tools = (...list) =>
  `server.setRequestHandler(schemas.ListToolsRequestSchema, () => ({ tools: [${list.map(([name, text]) => `tool("${name}", "${text}")`)}] }));`;
const calls = (body) => `server.setRequestHandler(schemas.CallToolRequestSchema, async ({ params }) => { ${body} });`;

/** Servers that misbehave, each in its way. */
const WORST = {
  // It writes without an end, and no line of the protocol.
  flood: `${tools(["pour", "Pours"])}${calls('const line = "x".repeat(1 << 20); for (;;) if (!process.stdout.write(line)) await new Promise((r) => process.stdout.once("drain", r));')}`,
  // It lists for ever, and not so fast that it takes a core meanwhile.
  endless: `let page = 0; server.setRequestHandler(schemas.ListToolsRequestSchema, async () => (await new Promise((r) => setTimeout(r, 20)), { tools: [tool("endless_" + page, "x".repeat(20000))], nextCursor: String(page++) }));`,
  // It never answers.
  hang: `server.setRequestHandler(schemas.ListToolsRequestSchema, () => new Promise(() => {}));`,
  // It ends while it starts, with a word on why.
  dies: 'console.error("error: no licence for this machine"); process.exit(7);',
  // It answers something else.
  junk: 'process.stdout.write("hello, this is no protocol\\n{\\"jsonrpc\\":\\"2.0\\"\\n[1,2\\n"); setInterval(() => {}, 1000); await new Promise(() => {});',
};

test("nine servers at once, five of which do their worst", async (t) => {
  const home = folder();
  const worst = Object.fromEntries(Object.entries(WORST).map(([name, body]) => [name, small(home, name, body)]));
  const good = { memory: real("memory"), files: real("filesystem", home), everything: real("everything", "stdio") };
  const file = config(
    home,
    { ...worst, missing: { command: "no-such-program-anywhere" }, ...good },
    { activation: "on", startTimeoutMs: 5_000 },
  );
  const { client, stderr, pid } = await overStdio(t, home, ["--config", file]);
  const answer = said(await search(client, "read the whole knowledge graph"));
  assert.match(answer, /"name":"read_graph","server":"memory"/);
  assert.match(answer, /Not available now, so their tools may be missing: .*hang .*dies \([^)]*exit code 7/s);
  assert.match(answer, /missing \(.*no-such-program-anywhere/);
  const poured = await call(client, "pour", {}, "call_destructive_tool", { timeout: 60_000 });
  assert.equal(poured.isError, true);
  assert.match(said(poured).slice(0, 1_000), /a line of more than 67108864 bytes.*$/);
  assert.match(said(await call(client, "get-sum", { a: 20, b: 22 }, "call_read_only_tool")), /42/);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)[1]) / 1024;
  assert.ok(peak < 1_200, `it took ${peak} MB`);
  // Each is told when its own time is over.
  const isTold = (what) => until(() => what.test(stderr()), `${what} in what it writes`);
  await isTold(/hang is not available: .*longer than \d+ ms/);
  await isTold(/dies is not available: .*no licence for this machine/);
  await isTold(/endless is (listed in part|not available)/);
  // What failed is kept for a person; what runs is not among it. The counters are written every five seconds.
  const kept = async () => {
    const { stdout } = await toolsift(["mcp", "status", "--json"], { env: { TOOLSIFT_HOME: join(home, "state") } });
    return JSON.parse(stdout).servers.map(({ name }) => name);
  };
  await until(async () => (await kept()).filter((name) => /^(dies|hang|missing)$/.test(name)).length === 3, "the counting");
  assert.ok((await kept()).every((name) => !(name in good)));
  console.log(`peak memory: ${Math.round(peak)} MB`);
});

const CLIENTS = isFull ? 200 : 20;

test(`${CLIENTS} clients over HTTP at once; a server that is killed while it is called fails that call alone`, async (t) => {
  const home = folder();
  const waited = join(home, "waited");
  const waits = `(await import("node:fs")).appendFileSync(${JSON.stringify(waited)}, "w"); return new Promise(() => {});`;
  const body = `${tools(["wait", "Waits"], ["pid", "Tells its process"])}${calls(`if (params.name === "pid") return text(String(process.pid)); ${waits}`)}`;
  const servers = { slow: small(home, "slow", body), memory: real("memory"), files: real("filesystem", home) };
  const file = config(home, servers, { activation: "on" });
  const { client } = await overHttp(t, home, ["--config", file]);
  const eras = ["legacy", "modern"];
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client({ era: eras[at % 2] })));
  const answers = await Promise.all(
    clients.map(async (who, at) => {
      const found = said(
        await search(who, at % 2 === 0 ? "read the entire knowledge graph" : "list the files of a directory"),
      );
      const ran = await call(who, at % 2 === 0 ? "read_graph" : "list_allowed_directories", {}, "call_read_only_tool");
      return [/"name":"(\w+)"/.exec(found)?.[1], ran.isError ?? false];
    }),
  );
  assert.deepEqual([...new Set(answers.map((answer) => answer.join(" ")))].sort(), [
    "list_directory false",
    "read_graph false",
  ]);

  const [one, two] = clients;
  const pid = Number(said(await call(one, "pid")));
  const waiting = [call(one, "wait"), call(two, "wait")].map((answer) =>
    answer.catch((error) => ({ isError: true, content: [{ text: error.message }] })),
  );
  await until(() => existsSync(waited) && readFileSync(waited, "utf8") === "ww", "both calls have reached the server");
  process.kill(pid, "SIGKILL");
  for (const answer of await Promise.all(waiting)) {
    assert.equal(answer.isError, true);
    assert.match(said(answer), /slow did not answer: .*signal SIGKILL/);
  }
  assert.equal((await call(two, "read_graph", {}, "call_read_only_tool")).isError, undefined);
  await until(async () => Number(said(await call(one, "pid"))) > 0, "the new start");
});

test("a gateway that stands before itself ends", async (t) => {
  const home = folder();
  const file = join(home, "servers.json");
  const script = join(home, "mine.sh");
  writeFileSync(script, `exec ${process.execPath} ${BIN} mcp --config ${file}\n`);
  config(home, { mine: { command: "sh", args: [script] }, memory: real("memory") }, { activation: "on" });
  const { client } = await overStdio(t, home, ["--config", file]);
  const answer = said(await search(client, "read the entire knowledge graph"));
  assert.match(answer, /read_graph/);
});
