/**
 * Are MCP servers started, listed and stopped?
 * 1. A configuration and `--server` list real processes, a URL a server behind HTTP; variables are filled in.
 * 2. A server that does not start is told, and the others are used; the exit code is 1.
 * 3. No process is left: not at the end, not after Ctrl-C, and not of a server that ignores the end of its input.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { folder, httpServer, isAlive, start, toolsift, TRACKER, until } from "./command-line.mjs";

/** A server of MCP in a few lines. It writes its process id, and says of itself what its first argument is. */
const SERVER = `
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [pidFile, mode] = process.argv.slice(2);
writeFileSync(pidFile, String(process.pid));
if (mode === "stubborn") setInterval(() => {}, 1000);
const tools = ${JSON.stringify(TRACKER.tools)};
tools[0].description += process.env.MARK ?? "";
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } }),
  "tools/list": () => ({ tools }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (mode === "stubborn" || id === undefined) continue;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
}
`;

const cwd = folder({ "mcp-server-tracker.mjs": SERVER });
const script = join(cwd, "mcp-server-tracker.mjs");

const pidIn = (name) => {
  try {
    return Number(readFileSync(join(cwd, name), "utf8"));
  } catch {
    return 0;
  }
};

test("--server starts a command, and it has ended when the command line has", async () => {
  const server = `'${process.execPath}' "${script}" one.pid`;
  const { code, stdout, stderr } = await toolsift(["size", "--json", "--server", server], { cwd });
  assert.equal(code, 0, stderr);
  const [{ server: name, tools }, ...others] = JSON.parse(stdout).servers;
  assert.deepEqual([name, tools, others], ["tracker", 3, []]);
  await until(() => pidIn("one.pid") > 0 && !isAlive(pidIn("one.pid")), "the end of the server");
});

test("a configuration starts its servers, with variables and files beside them", async () => {
  const config = {
    mcpServers: {
      // Clients have keys of their own, which are passed over.
      first: { command: process.execPath, args: [script, "a.pid"], env: { MARK: "${MARKED}" }, alwaysAllow: ["x"] },
      second: { command: "${NODE_BIN}", args: [script, "b.pid"], disabled: true },
      third: { type: "stdio", command: "${NODE_BIN}", args: [script, "c.pid"] },
    },
    toolsift: { calls: "one" },
  };
  const files = folder({ "mcp.json": config, "chat.json": TRACKER });
  const sources = [join(files, "chat.json"), join(files, "mcp.json")];
  const env = { MARKED: " Marked.", NODE_BIN: process.execPath };
  const { code, stdout, stderr } = await toolsift(["search", "marked", ...sources, "--json"], { cwd, env });
  assert.equal(code, 0, stderr);
  const { hits, searched } = JSON.parse(stdout);
  assert.equal(searched, 9);
  assert.deepEqual([hits[0].server, hits[0].description], ["first", "Create a new issue in a project. Marked."]);
  assert.equal(pidIn("b.pid"), 0);
});

test("the settings of VS Code are read", async () => {
  const servers = { one: { type: "stdio", command: process.execPath, args: [script, "v.pid"] } };
  const files = folder({ "mcp.json": { servers, inputs: [] }, "settings.json": { "editor.tabSize": 2, mcp: { servers } } });
  for (const name of ["mcp.json", "settings.json"]) {
    const { stdout } = await toolsift(["size", join(files, name), "--json"], { cwd });
    assert.equal(JSON.parse(stdout).full.tools, 3, name);
  }
});

test("a server that does not start is told, and the others are used", async () => {
  const config = {
    mcpServers: {
      gone: { command: "no-such-command-\u001b[31m" },
      unset: { command: "${NO_SUCH_VARIABLE}" },
      fine: { command: process.execPath, args: [script, "d.pid"] },
    },
  };
  const path = join(folder({ "mcp.json": config }), "mcp.json");
  const { code, stdout, stderr } = await toolsift(["size", path, "--json"], { cwd });
  assert.equal(code, 1);
  assert.equal(JSON.parse(stdout).full.tools, 3);
  assert.match(stderr, /warning: the server gone: .*there is no such command/);
  assert.match(stderr, /warning: .*"unset" is left out: the environment has no NO_SUCH_VARIABLE/);
  assert.ok(!stderr.includes("\u001b"));
});

test("an entry that is wrong is told, and the other servers are used", async () => {
  const servers = { typo: { comand: "x" }, tracker: { command: process.execPath, args: [script, "beside.pid"] } };
  const path = join(folder({ "mcp.json": { mcpServers: servers } }), "mcp.json");
  const { code, stdout, stderr } = await toolsift(["search", "file a bug", path], { cwd });
  assert.equal(code, 1);
  assert.match(stderr, /"typo" has neither command nor url; it has "comand"/);
  assert.match(stdout, /create_issue/);
});

test("a configuration that is wrong is a failure that names the place", async () => {
  const path = join(
    folder({ "mcp.json": { mcpServers: { odd: { command: "x", url: "http://127.0.0.1:1" } } } }),
    "mcp.json",
  );
  const { code, stderr } = await toolsift(["size", path], { cwd });
  assert.equal(code, 1);
  assert.match(stderr, /error: .*mcp\.json:1:\d+: "odd" has both command and url/);
});

test("a URL is a server behind HTTP; one that does not answer is told", async () => {
  const sent = new Set();
  const server = await httpServer(async (request, response) => {
    sent.add(request.headers.authorization);
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method, params } = await json(request);
    if (id === undefined) return response.writeHead(202).end();
    const info = { serverInfo: { name: "t", version: "1" }, capabilities: { tools: {} } };
    const results = { initialize: { protocolVersion: params?.protocolVersion, ...info }, "tools/list": TRACKER };
    const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: "no such method" } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
  const url = `${server.url}/mcp`;
  for (const args of [[url], ["--server", url]]) {
    const { code, stdout, stderr } = await toolsift(["size", "--json", ...args], { cwd });
    assert.equal(code, 0, stderr);
    const [{ server, tools }, ...others] = JSON.parse(stdout).servers;
    assert.deepEqual([server, tools, others], ["127.0.0.1", 3, []]);
  }
  sent.clear();
  const env = { TOKEN: "t0p-secret" };
  const listed = await toolsift(["tools", url, "--header", "Authorization: Bearer ${TOKEN}"], { cwd, env });
  assert.equal(listed.code, 0, listed.stderr);
  assert.deepEqual([...sent], ["Bearer t0p-secret"]);
  const expected = TRACKER.tools.map((one) => ({ ...one, server: "127.0.0.1" }));
  assert.deepEqual(JSON.parse(listed.stdout).tools, expected);
  const wrong = await toolsift(["tools", url, "--header", "Bearer"], { cwd, env });
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /a name and a value, such as/);

  await server.close();
  // A process of its own has no connection that it still holds for open.
  const dead = await start(["size", `${url}?key=secret`], { cwd }).done;
  assert.equal(dead.code, 1);
  assert.match(dead.stderr, /ECONNREFUSED/);
  assert.match(dead.stderr, /no source has a tool/);
  assert.ok(!dead.stderr.includes("secret"), dead.stderr);
});

for (const [signal, expected] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
]) {
  test(`${signal} stops servers that are being started, and ends with ${expected}`, async () => {
    const name = `${signal}.pid`;
    const { child, done } = start(["doctor", "--server", `${process.execPath} ${script} ${name} stubborn`], { cwd });
    await until(() => pidIn(name) > 0, "the start of the server");
    child.kill(signal);
    assert.equal((await done).code, expected);
    await until(() => !isAlive(pidIn(name)), "the end of the server");
  });
}

test("--timeout bounds the start, and a server that ignores the end of its input is stopped", async () => {
  const server = `${process.execPath} ${script} slow.pid stubborn`;
  const { code, stderr } = await toolsift(["size", "--timeout", "1", "--server", server], { cwd });
  assert.equal(code, 1);
  assert.match(stderr, /warning: the server .*: .*(1,?000|timed out)/i);
  await until(() => !isAlive(pidIn("slow.pid")), "the end of the server");
});

test("a process that ends is told with its code and its words, and a whole line as command with what to do", async () => {
  const program = `'${process.execPath}' -e 'console.error("no key given"); process.exit(3)'`;
  const ended = await toolsift(["size", "--server", program], { cwd });
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /warning: the server node: .*exit code 3; it wrote: no key given/);
  const path = join(folder({ "mcp.json": { mcpServers: { line: { command: "node server.js" } } } }), "mcp.json");
  const { code, stderr } = await toolsift(["size", path], { cwd });
  assert.equal(code, 1);
  assert.match(stderr, /cannot start "node server\.js": .*write "node" there and the rest into "args"/);
});

test("a server that hangs does not hold back what the others have", async () => {
  const hangs = `${process.execPath} -e setInterval(()=>{},1000)`;
  const server = `${process.execPath} ${script} others.pid`;
  const { code, stdout, stderr } = await toolsift(["tools", "--server", hangs, "--server", server], { cwd });
  assert.equal(code, 1);
  assert.ok(JSON.parse(stdout).tools.length > 0);
  assert.match(
    stderr,
    /warning: the server node: it has not answered yet; the others have\. --timeout SECONDS waits for it/,
  );
});

test("after some seconds, people are told once what is waited for", async () => {
  const server = `${process.execPath} ${script} wait.pid stubborn`;
  const { code, stderr } = await toolsift(["size", "--timeout", "4", "--server", server], { cwd });
  assert.equal(code, 1);
  assert.equal(stderr.match(/still waiting for tracker to answer; --timeout is 4 seconds/g)?.length, 1, stderr);
  await until(() => !isAlive(pidIn("wait.pid")), "the end of the server");
});
