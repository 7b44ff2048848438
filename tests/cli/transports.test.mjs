/** Tests transports for the servers of a configuration: processes, and URLs over Streamable HTTP and SSE. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { gateway, processTransport } from "toolsift/gateway";
import { boundedFetch } from "../../cli/src/gateway/bounded-fetch.ts";
import { listen } from "../../cli/src/listen/listen.ts";
import { transportFor } from "../../cli/src/gateway/transports.ts";
import { SignInNeeded } from "../../cli/src/oauth/ask.ts";
import { answerMcp, folder, httpServer, isAlive, program, until } from "./command-line.mjs";
import { mcpAnswer } from "./fixtures.mjs";

const isPosix = process.platform !== "win32";

/** The beginning of a server that answers `initialize` and `tools/list`; `before` runs first, `onCall` answers calls. */
const serverCode = (before = "", onCall = "") => `
  ${before}
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") {
      const serverInfo = { name: "s", version: "1" };
      send({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo } });
    } else if (method === "tools/list") {
      send({ id, result: { tools: [{ name: "one", inputSchema: { type: "object" } }] } });
    } else if (method === "tools/call") { ${onCall} send({ id, result: { content: [] } }); }
  });`;

const entryOf = (code, more = {}) => ({ command: process.execPath, args: ["-e", code], ...more });

/** A gateway before one server, once that was asked; it is closed after the test. */
async function opened(t, entry, transport) {
  const open = await gateway({ mcpServers: { test: entry }, eager: true, ...(transport && { transport }) });
  t.onTestFinished(() => open.close());
  await open.ready();
  return open;
}

/** Connects; the client is closed after the test. */
async function connected(t, entry, hooks, versionNegotiation) {
  const transport = transportFor("test", entry, hooks);
  const client = new Client({ name: "test", version: "1" }, { ...(versionNegotiation && { versionNegotiation }) });
  t.onTestFinished(() => client.close());
  try {
    await client.connect(transport, { timeout: 5_000 });
  } catch (error) {
    throw transport.explain(error);
  }
  return { client, transport };
}

test("a process talks, with the safe environment and its own, and ends", async (t) => {
  const file = join(folder(), "env.json");
  const shared = {
    npm_config_registry: "https://registry.example",
    NPM_CONFIG_CACHE: "/cache",
    HTTPS_PROXY: "http://proxy.example",
    https_proxy: "http://proxy.example",
    no_proxy: "localhost",
    NODE_EXTRA_CA_CERTS: "/none.pem",
    SSL_CERT_FILE: "/none.pem",
    UV_INDEX_URL: "https://index.example",
    PIP_INDEX_URL: "https://index.example",
  };
  const kept = { TOOLSIFT_TEST_SECRET: "private", npm_config_package: "another", NODE_OPTIONS: "", PIPX: "no" };
  const before = { ...process.env };
  Object.assign(process.env, shared, kept);
  t.onTestFinished(() => {
    for (const name of Object.keys({ ...shared, ...kept })) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
  const code = serverCode(`require("fs").writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env));`);
  const { client, transport } = await connected(t, entryOf(code, { env: { MINE: "${HERE}" } }));
  assert.equal((await client.listTools()).tools[0].name, "one");
  const env = JSON.parse(readFileSync(file, "utf8"));
  assert.equal(env.MINE, "${HERE}", "variables are filled in before");
  assert.deepEqual(Object.fromEntries(Object.keys(shared).map((name) => [name, env[name]])), shared);
  assert.deepEqual(
    Object.keys(kept).filter((name) => env[name] !== undefined),
    [],
  );
  const { pid } = transport;
  await client.close();
  assert.equal(isAlive(pid), false);
});

test("the children of a process end with it", { skip: !isPosix }, async (t) => {
  const file = join(folder(), "pids");
  // One child ignores SIGTERM and keeps the pipes of its parent open.
  const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
  const args = JSON.stringify(["-e", stubborn]);
  const child = `require("child_process").spawn(process.execPath, ${args}, { stdio: "inherit" }).pid`;
  const code = serverCode(`require("fs").writeFileSync(${JSON.stringify(file)}, String(${child}));`, "process.exit(3);");
  const closed = await connected(t, entryOf(code));
  const first = Number(readFileSync(file, "utf8"));
  assert.equal(isAlive(first), true);
  await sleep(200);
  await closed.client.close();
  await until(() => !isAlive(first), "the child of a closed server ends");

  const { client, transport } = await connected(t, entryOf(code));
  const second = Number(readFileSync(file, "utf8"));
  await sleep(200);
  const error = await client.callTool({ name: "one", arguments: {} }).catch((one) => one);
  assert.match(transport.explain(error).message, /the process ended with exit code 3/);
  await until(() => !isAlive(second), "the child of a server that died ends");
});

test("servers end with a process that does not close them", { skip: !isPosix }, async () => {
  const stubborn = serverCode('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);');
  const code = `
    import { Client } from "@modelcontextprotocol/client";
    import { transportFor } from "./cli/dist/gateway/transports.js";
    const transport = transportFor("test", { command: process.execPath, args: ["-e", process.argv[1]] });
    await new Client({ name: "test", version: "1" }).connect(transport);
    console.log(transport.pid);
    process.exit(0);`;
  const { stdout: pid } = await program(code, [stubborn]).done;
  await until(() => !isAlive(Number(pid)), "the server ends");
});

/** A program of a name in a folder of its own; it needs a while to end after SIGTERM, and writes then. */
function slowToEnd(name, ms = 3_000) {
  const home = folder();
  const [path, ready, ended] = [name, "ready", "ended"].map((one) => join(home, one));
  const code = `#!${process.execPath}
    process.on("SIGTERM", () => setTimeout(() => (require("fs").writeFileSync(${JSON.stringify(ended)}, ""), process.exit()), ${ms}));
    require("fs").writeFileSync(${JSON.stringify(ready)}, "");
    setInterval(() => {}, 1000);`;
  writeFileSync(path, code, { mode: 0o755 });
  return { path, ready, ended };
}

test("who installs has ten seconds to end, others have two", { skip: !isPosix, timeout: 60_000 }, async () => {
  const closed = async ({ path, ready }) => {
    const transport = processTransport({ command: path, args: [] });
    await transport.start();
    await until(() => existsSync(ready), "the program runs");
    await transport.close();
  };
  const [npx, other] = [slowToEnd("npx"), slowToEnd("server")];
  await Promise.all([closed(npx), closed(other)]);
  assert.deepEqual([existsSync(npx.ended), existsSync(other.ended)], [true, false]);
  // A process that ends leaves it the time, and sees to its end.
  const leave = `
    import { existsSync } from "node:fs";
    import { processTransport } from "toolsift/gateway";
    const transport = processTransport({ command: process.argv[1], args: [] });
    await transport.start();
    while (!existsSync(process.argv[2])) await new Promise((done) => setTimeout(done, 25));
    console.log(transport.pid);
    process.exit(0);`;
  const [slow, stubborn] = [slowToEnd("npx"), slowToEnd("uvx", 60_000)];
  const left = await Promise.all([slow, stubborn].map(({ path, ready }) => program(leave, [path, ready]).done));
  await until(() => existsSync(slow.ended), "npx ends by itself");
  const pid = Number(left[1].stdout);
  assert.equal(isAlive(pid), true);
  await until(() => !isAlive(pid), "uvx is killed");
});

test("who may have to download says so, and has three minutes", async (t) => {
  const commands = {
    npx: ["npx", "-y", "a"],
    exec: ["npm", "exec", "--yes", "a"],
    dlx: ["pnpm", "dlx", "a"],
    windows: ["C:\\Program Files\\nodejs\\npx.cmd", "-y", "a"],
    cmd: ["cmd", "/c", "npx", "-y", "a"],
    shell: ["sh", "-c", "A=b exec uvx a"],
    env: ["env", "A=b", "yarn", "dlx", "a"],
    docker: ["/usr/bin/docker", "run", "-i", "a"],
    node: ["node", "npx.js", "docker"],
    npm: ["npm", "start"],
    python: ["python", "-m", "a"],
  };
  const mcpServers = Object.fromEntries(
    Object.entries(commands).map(([name, [command, ...args]]) => [name, { command, args }]),
  );
  const transport = () => ({ start: () => new Promise(() => {}), send: async () => {}, close: async () => {} });
  const open = await gateway({ mcpServers, transport, eager: true });
  t.onTestFinished(() => open.close());
  await until(() => open.status().filter(({ note }) => note).length >= 8, "who may download says so");
  const notes = Object.fromEntries(
    open.status().map(({ name, note = "" }) => [name, note.replace(" may be downloading it", "")]),
  );
  assert.deepEqual(notes, {
    ...{ npx: "npx", exec: "npm exec", dlx: "pnpm dlx", windows: "npx", cmd: "npx", shell: "uvx", env: "yarn dlx" },
    ...{ docker: "docker", node: "", npm: "", python: "" },
  });
});

test("a process that dies while it starts says why", async (t) => {
  const wrote = 'console.error("loading\\nError: no \\u001b[31mTOKEN\\u001b[0m"); process.exit(7)';
  await assert.rejects(connected(t, entryOf(wrote)), ({ message }) => {
    assert.match(message, /the process ended with exit code 7; it wrote: Error: no \\u\{001B\}\[31mTOKEN/);
    return true;
  });
  const trace = JSON.stringify({ origin: "string", path: ["a"] }, null, 2).replaceAll("\n", "\\n");
  const long = `console.error(\`loading\\nFatal error: ${trace}\\n\${"at x\\n".repeat(30)}at the end\`); process.exit(1)`;
  await assert.rejects(connected(t, entryOf(long)), ({ message }) => {
    assert.match(message, /it wrote: Fatal error: \{\n {2}…\n( {2}at x\n){13} {2}at the end$/);
    return true;
  });
  await assert.rejects(
    connected(t, { command: "no-such-command-here" }),
    /cannot start "no-such-command-here": there is no such command/,
  );
  await assert.rejects(
    connected(t, entryOf("", { cwd: "/no/such/folder" })),
    /the folder "\/no\/such\/folder" does not exist/,
  );
});

test("a flood on standard error is read, and its end is kept", async (t) => {
  const before = 'for (let n = 0; n < 2000; n++) process.stderr.write("x".repeat(10_000) + "\\n");';
  const { client, transport } = await connected(
    t,
    entryOf(serverCode(before, 'process.stderr.write("Error: the end\\n");')),
  );
  await client.callTool({ name: "one", arguments: {} });
  await until(() => transport.explain(new Error("it failed")).message.endsWith("it wrote: Error: the end"), "the last line");
});

test("a message of more than 64 MiB ends its server, and memory stays", async (t) => {
  const flood = 'for (let n = 0; n < 70; n++) process.stdout.write("y".repeat(1 << 20));';
  const { client, transport } = await connected(t, entryOf(serverCode("", flood)));
  const { pid } = transport;
  const before = process.memoryUsage().rss;
  const error = await client.callTool({ name: "one", arguments: {} }).catch((one) => one);
  assert.match(transport.explain(error).message, /the server sent a line of more than 67108864 bytes, and was ended/);
  assert.ok(process.memoryUsage().rss - before < 200 << 20);
  await until(() => !isAlive(pid), "the process ends");
});

test("a server that hangs is killed when it is closed", async (t) => {
  const { client, transport } = await connected(t, entryOf(serverCode('process.on("SIGTERM", () => {});', "for (;;);")));
  const { pid } = transport;
  await assert.rejects(client.callTool({ name: "one", arguments: {} }, { timeout: 100 }));
  await client.close();
  assert.equal(isAlive(pid), false);
  await assert.rejects(transport.send({ jsonrpc: "2.0", method: "notifications/initialized" }), /closed|ended/);
});

test("messages are read whole, whatever pieces they come in, and text between them is passed over", async (t) => {
  const before = `
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text) => { for (const byte of Buffer.from("loading é\\r\\n\\n" + text.replace("\\n", "\\r\\n"))) write(Buffer.from([byte])); };`;
  const { client } = await connected(t, entryOf(serverCode(before).replace('name: "one"', 'name: "öne"')));
  assert.equal((await client.listTools()).tools[0].name, "öne");
});

test("both eras are spoken, over HTTP and with a process", async (t) => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "both", version: "1" });
    server.registerTool("one", { description: "one" }, async () => ({ content: [{ type: "text", text: "called" }] }));
    return server;
  });
  const { url, close } = await listen((request) => handler.fetch(request), { port: 0 });
  t.onTestFinished(close);
  for (const [negotiation, era] of [
    [undefined, "legacy"],
    [{ mode: "auto" }, "modern"],
  ]) {
    const { client } = await connected(t, { url: `${url}/mcp` }, {}, negotiation);
    assert.equal(client.getProtocolEra(), era);
    assert.equal((await client.callTool({ name: "one", arguments: {} })).content[0].text, "called");
    await client.close();
  }
  const refusing = serverCode("", "").replace(
    'else if (method === "tools/call")',
    'else if (method === "server/discover") send({ id, error: { code: -32601, message: "no" } }); $&',
  );
  const { client } = await connected(t, entryOf(refusing), {}, { mode: "auto" });
  assert.equal(client.getProtocolEra(), "legacy");
  assert.equal((await client.listTools()).tools[0].name, "one");
});

test("who leaves the newer protocol's first question unanswered is asked in the older one", {
  timeout: 60_000,
}, async (t) => {
  const before = ({ method }) => method === "server/discover";
  const { url } = await httpServer((request, response) => answerMcp(request, response, { before }));
  const file = join(folder(), "starts");
  // Of the newer protocol alone, and slow: it reads what it was sent when it is ready.
  const slow = `
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const more = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    setTimeout(() => require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "server/discover") send({ id, result: { ...more, supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } } } });
      else if (method === "tools/list") send({ id, result: { ...more, tools: [{ name: "one", inputSchema: { type: "object" } }] } });
      else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
    }), 6_000);`;
  const silent = serverCode(`require("fs").appendFileSync(${JSON.stringify(file)}, "started\\n");`);
  const entries = [{ url, type: "http" }, entryOf(silent), entryOf(slow)];
  const opens = await Promise.all(entries.map((entry) => opened(t, entry)));
  assert.deepEqual(
    opens.map((open) => open.tools().map(({ tool }) => tool)),
    [["one"], ["one"], ["one"]],
  );
  assert.equal(readFileSync(file, "utf8"), "started\n", "on the same process");
});

/** A server of SSE: `answer` says what comes on its stream of a message. */
async function sseServer(answer) {
  let stream;
  const { url } = await httpServer(async (request, response) => {
    if (request.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      return stream.write("event: endpoint\ndata: /messages\n\n");
    }
    if (request.url !== "/messages") return response.writeHead(405).end();
    const said = answer(await json(request));
    if (said !== undefined) stream.write(`data: ${JSON.stringify(said)}\n\n`);
    return response.writeHead(202).end();
  });
  return `${url}/sse`;
}

test("a server of SSE is found behind a URL without a type", async (t) => {
  const tools = [{ name: "old_tool", inputSchema: { type: "object" } }];
  const answer = (message) => mcpAnswer({ ...message, params: { protocolVersion: "2024-11-05" } }, tools);
  const entry = { url: await sseServer(answer) };
  const asked = [];
  const ours = (name, { kind }) => (asked.push(kind), transportFor(name, { ...entry, type: kind }));
  for (const transport of [undefined, ours]) {
    const open = await opened(t, entry, transport);
    assert.equal(
      open
        .tools()
        .map(({ name }) => name)
        .join(),
      "old_tool",
    );
  }
  assert.deepEqual(asked, ["http", "sse"]);
  await assert.rejects(connected(t, { ...entry, type: "http" }), /answered HTTP 405/);
});

test("of a server that speaks neither, its first answer is told, unless SSE has its user sign in", async (t) => {
  const neither = await httpServer((request, response) => response.writeHead(request.method === "GET" ? 404 : 405).end());
  const entry = { url: `${neither.url}/mcp` };
  const ours = (name, { kind }) => transportFor(name, { ...entry, type: kind });
  for (const transport of [undefined, ours]) {
    const [{ error }] = (await opened(t, entry, transport)).status();
    assert.match(error, /HTTP 405/);
    assert.doesNotMatch(error, /HTTP 404/);
  }
  const signing = (name, way) => {
    const made = ours(name, way);
    const page = new URL("https://login.example/");
    if (way.kind === "sse") made.start = () => Promise.reject(new SignInNeeded(name, page));
    return made;
  };
  const [{ error }] = (await opened(t, entry, signing)).status();
  assert.match(error, /needs you to sign in: https:\/\/login\.example/);
});

test("a server of SSE that lets nobody in, or refuses the client, is told by what it says to SSE", async (t) => {
  const closed = await httpServer((request, response) => response.writeHead(request.method === "GET" ? 403 : 405).end());
  const error = { code: -32602, message: "no client of this kind", data: { status: 404 } };
  const picky = await sseServer(({ id }) => ({ jsonrpc: "2.0", id, error }));
  for (const [url, told] of [
    [`${closed.url}/sse`, /403/],
    [picky, /no client of this kind/],
  ]) {
    const entry = { url };
    const ours = (name, { kind }) => transportFor(name, { ...entry, type: kind });
    for (const transport of [undefined, ours]) {
      const [{ error }] = (await opened(t, entry, transport)).status();
      assert.match(error, told);
      assert.doesNotMatch(error.replace(/:\d+/, ""), /40[45]/, "the port may hold such a number");
    }
  }
});

test("an answer that is too large ends the connection with a clear error", async (t) => {
  for (const type of ["application/json", "text/event-stream"]) {
    const { url: origin } = await httpServer(async (request, response) => {
      for await (const _ of request);
      if (request.method !== "POST") return response.writeHead(405).end();
      response.writeHead(200, { "content-type": type });
      const timer = setInterval(() => response.write("data: " + "z".repeat(100_000)), 1);
      return response.on("close", () => clearInterval(timer)).on("error", () => {});
    });
    await assert.rejects(
      connected(t, { url: `${origin}/mcp` }, { responseBytes: 1 << 20 }),
      /sent more than 1048576 bytes in one answer/,
    );
  }
});

test("a stream may be longer than the bound, its events may not", async () => {
  const body = (pieces) =>
    new Response(ReadableStream.from(pieces.map((piece) => Buffer.from(piece))), {
      headers: { "content-type": "text/event-stream" },
    });
  const read = async (pieces) => (await boundedFetch(async () => body(pieces), { bytes: 20 })("http://a.example/")).text();
  const event = "data: 123\n\n";
  assert.equal((await read(Array(50).fill(event))).length, 50 * event.length);
  assert.equal((await read(["data: 1\r\n\r", "\ndata: 2\r\n", "\r\ndata: 345678\n\n"])).length, 36);
  await assert.rejects(read(["data: 12345678", "9012345"]), /more than 20 bytes/);
});

test("a redirect to another origin is not followed", async (t) => {
  const asked = [];
  const other = await httpServer((request, response) => response.end(asked.push(request.headers)));
  const { url } = await httpServer((_, response) => response.writeHead(307, { location: `${other.url}/mcp` }).end());
  const entry = { url: `${url}/mcp`, type: "http", headers: { "x-key": "private" } };
  await assert.rejects(connected(t, entry), /[Rr]edirect to .* not followed/);
  assert.deepEqual(asked, []);
});

test("a URL that nobody serves is named with the cause, and by its origin alone, whatever the server repeats of it", async (t) => {
  const { url: away, close } = await httpServer();
  await close();
  // As a framework answers what it has no route for.
  const { url: lost } = await httpServer((request, response) => {
    request.resume();
    response.writeHead(404).end(`Cannot ${request.method} ${request.url}; nobody knows ${request.url.split("/")[3]}`);
  });
  const reasons = { [away]: /ECONNREFUSED/, [lost]: /HTTP 404/ };
  const keys = ["/s/priv%41te-key-1/mcp", "/s/priv%41te-key-1/", "/mcp?key=private-key-1", "/mcp?private-key-1"];
  for (const [url, reason] of Object.entries(reasons)) {
    for (const key of keys) {
      const told = await connected(t, { url: `${url}${key}` }).catch(({ message }) => message);
      const open = await gateway({ mcpServers: { one: { url: `${url}${key}` } } });
      await open.ready();
      const [{ error }] = open.status();
      await open.close();
      for (const text of [told, error]) {
        assert.match(text, reason);
        assert.ok(text.includes(`${url}:`) || text.includes(`${url} answered`), text);
        assert.doesNotMatch(text, /key-1|\/mcp|\/s\//);
      }
    }
  }
  const open = await gateway({ mcpServers: { port: { url: "http://127.0.0.1:9/mcp" } } });
  t.onTestFinished(() => open.close());
  await open.ready();
  assert.match(open.status()[0].error, /^cannot connect to http:\/\/127\.0\.0\.1:9: fetch failed \(bad port\)$/);
});
