/**
 * Tests the part of `toolsift()` that all SDKs share.
 * 1. Servers are started from the JSON of Claude, Cursor and VS Code, with either MCP SDK. A server that cannot be started
 *    reports the reason, does not stop the others, and can be started later.
 * 2. `close` ends every process, also if it is called twice, if a later step of `toolsift()` failed, or if a server started
 *    further processes. Nothing keeps the program alive afterwards.
 * 3. A wrong configuration is refused before anything is started, with a stable code and the wrong place.
 * 4. Variables get values only from what the program allows.
 * 5. The default is `activation: "auto"`.
 * 6. Without an MCP SDK, the error names the command that installs one. Without servers, `toolsift()` opens anyway.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { mock as mocks } from "node:test";
import { afterEach, test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { answering, configOf, MCP, MCP_V1, processes } from "./lib/doorway.mjs";
import { tool, until, wireTo } from "./lib/mcp.mjs";
import { MAJORS } from "./lib/mock-model.mjs";
import { pluck } from "./lib/tools.mjs";

afterEach(() => mocks.reset());

const [{ packages: AI }] = MAJORS;
const app = await appWith({ ...AI, ...MCP });
const { toolsift } = await app.load("toolsift/ai-sdk");
const { ToolSift } = await app.load("toolsift");
const quiet = { onStatus: () => {} };

const states = (sift) => sift.status().map(({ name, state }) => [name, state]);
const refused = async (options, code, message) => {
  const error = await toolsift(options).catch((reason) => reason);
  assert.deepEqual([error.name, error.code], ["ToolSiftError", code]);
  assert.match(error.message, message);
  assert.doesNotMatch(error.message, /s3cret/);
};

for (const [label, sdk] of [
  ["v2", MCP],
  ["v1", MCP_V1],
]) {
  test(`${label}: real servers start, what does not start says why, and close ends all`, async () => {
    const { load } = await appWith({ ...AI, ...sdk });
    const { toolsift } = await load("toolsift/ai-sdk");
    const { folder, mcpServers } = configOf("memory", "filesystem");
    const told = [];
    const sift = await toolsift({
      mcpServers: {
        missing: { command: "no-such-command-of-toolsift", args: [folder] },
        dying: { command: process.execPath, args: ["-e", 'console.error("no token"); process.exit(3)', folder] },
        away: { type: "http", url: "http://127.0.0.1:9/mcp" },
        off: { ...mcpServers.memory, disabled: true },
        ...mcpServers,
      },
      onStatus: (status) => told.push(status),
    });
    const failed = ["missing", "dying", "away"].map((name) => [name, "failed"]);
    assert.deepEqual(states(sift), [...failed, ["memory", "connected"], ["filesystem", "connected"]]);
    const [missing, dying, away, memory] = sift.status();
    assert.match(missing.error, /cannot start "no-such-command-of-toolsift": there is no such command on the PATH/);
    assert.match(dying.error, /it wrote: no token/);
    assert.match(away.error, /^cannot connect to http:\/\/127\.0\.0\.1:9: /);
    assert.match(away.message, /^The MCP server away did not come up: cannot connect to /);
    assert.equal(memory.tools, 9);
    assert.deepEqual(
      told.map(({ name, state }) => `${name} ${state}`).sort(),
      states(sift)
        .map((one) => one.join(" "))
        .sort(),
    );
    const session = sift.session("chat");
    session.reveal(["read_graph"]);
    const outcome = session.call("read_graph", {});
    const { content } = await sift.servers.execute(outcome);
    assert.match(content[0].text, /"entities": \[\]/);

    assert.equal(await processes(folder, 1), 1);
    const closing = sift.close();
    assert.equal(sift.close(), closing);
    await closing;
    assert.equal(await processes(folder, 0), 0);
    assert.throws(() => sift.session("chat"), { code: "disposed" });
    assert.deepEqual(sift.status(), []);
  });
}

test("a server that did not start is started by refresh, and one whose process died comes back", async () => {
  const { folder, mcpServers } = configOf("memory");
  const script = join(folder, "later.mjs");
  const { args, ...memory } = mcpServers.memory;
  const later = { ...memory, args: [script] };
  const sift = await toolsift({ mcpServers: { later }, ...quiet });
  assert.deepEqual(states(sift), [["later", "failed"]]);
  assert.match(sift.status()[0].error, /Cannot find module/);
  writeFileSync(script, `await import(${JSON.stringify(args[0])});\n`);
  const [{ state, tools, error }] = await sift.servers.refresh("later");
  assert.deepEqual({ state, tools, error }, { state: "connected", tools: 9, error: null });

  const first = sift.servers.client("later");
  process.kill(first.transport.pid);
  await until("another process", () => sift.servers.client("later") !== first && states(sift)[0][1] === "connected");
  await sift.close();
  assert.equal(await processes(folder, 0), 0);
});

test("a server that fails is written to the console where nobody listens", async () => {
  const { mock } = mocks.method(console, "warn", () => {});
  const sift = await toolsift({ mcpServers: { missing: { command: "no-such-command-of-toolsift" } } });
  await sift.close();
  assert.equal(mock.callCount(), 1);
  assert.match(mock.calls[0].arguments[0], /^toolsift: the MCP server missing does not answer: .*there is no such command/);
});

test("tools that a guard quarantines, or that are new beside pinned ones, are written to the console where nobody listens", async () => {
  const { guard } = await app.load("toolsift/guard");
  const { mcpServers } = configOf("memory");
  const { mock } = mocks.method(console, "warn", () => {});
  const pins = [{ server: "memory", name: "read_graph", hash: "0".repeat(64) }];
  const sift = await toolsift({ mcpServers, guard: guard({ pins }) });
  await sift.close();
  assert.equal(mock.callCount(), 1);
  const told =
    /^toolsift: The MCP server memory is connected with 8 tools\. Quarantined until .*: read_graph\. New beside pinned ones: .*, ….$/;
  assert.match(mock.calls[0].arguments[0], told);
});

test("a step that fails later leaves no process", async () => {
  const { folder, mcpServers } = configOf("memory");
  const sift = new ToolSift();
  await refused(
    { sift, mcpServers: { ...mcpServers, " ": mcpServers.memory }, ...quiet },
    "option_invalid",
    /name of a server/,
  );
  assert.equal(await processes(folder, 0), 0);
  assert.deepEqual(sift.tools(), []);
  await refused({ mcpServers, mcp: { maxTools: 0 } }, "limit_out_of_range", /maxTools/);
  assert.ok(!existsSync(join(folder, "memory.jsonl")));
});

test("a server that never answers ends with what it started, and the host can go", async () => {
  // A sleep of a length that nothing else has.
  const seconds = String(300 + process.pid / 1e7);
  const program = `
    import { toolsift } from "toolsift/ai-sdk";
    const bad = { command: "sh", args: ["-c", "sleep ${seconds}; true"] };
    const sift = await toolsift({ mcpServers: { bad }, startTimeoutMs: 500, onStatus: () => {} });
    await sift.close();
    console.log("closed");`;
  const options = { cwd: app.folder, encoding: "utf8", timeout: 120_000 };
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], options);
  assert.equal(stdout.trim(), "closed");
  assert.equal(status, 0);
  assert.equal(await processes(`sleep ${seconds}`, 0), 0);
});

for (const [when, wait] of [
  ["at once", ""],
  ["a moment later", "await new Promise((done) => setTimeout(done, 500));"],
]) {
  test(`close() ends the servers of a user that is being opened, ${when}, and user() says so`, async () => {
    const seconds = String(600 + process.pid / 1e7);
    const program = `
      import { toolsift } from "toolsift/ai-sdk";
      const bad = { command: "sh", args: ["-c", "sleep ${seconds}; true"] };
      const never = () => new Promise(() => {});
      const sift = await toolsift({ mcpServers: {}, onStatus: () => {} });
      const user = sift.user("ada", { mcpServers: { bad, never } }).then(() => "opened", ({ code, message }) => code + ": " + message);
      ${wait}
      await sift.close();
      console.log(await user);`;
    const options = { cwd: app.folder, encoding: "utf8", timeout: 120_000 };
    const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], options);
    assert.equal(stdout.trim(), 'disposed: the session "ada" was closed while it was opened');
    assert.equal(status, 0);
    assert.equal(await processes(`sleep ${seconds}`, 0), 0);
  });
}

test("a catalog that was passed stays, without what came with the door", async () => {
  const sift = new ToolSift();
  sift.register({ name: "old", description: "Old" });
  const { mcpServers } = configOf("memory");
  const door = await toolsift({ sift, mcpServers, execute: () => "ran" });
  assert.deepEqual(door.tools(), sift.tools());
  assert.equal(door.session("chat").opening, sift.session("chat").opening);
  assert.equal(sift.tools().length, 10);
  assert.ok(door instanceof ToolSift);
  assert.deepEqual([door.size(), door.search("graph").hits.length], [sift.size(), sift.search("graph").hits.length]);
  door.dispose();
  await door.close();
  assert.deepEqual(pluck(sift.tools(), "name"), ["old"]);
  const another = await toolsift({ sift, mcpServers, execute: () => "ran" });
  sift.dispose();
  await another.close();
});

test("clients, and functions that connect one", async () => {
  const { Client } = await app.load("@modelcontextprotocol/client");
  const connect = async (name) => {
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(wireTo({ tools: [tool(name)] }));
    return client;
  };
  let made = 0;
  const again = () => connect(`two${++made}`);
  const sift = await toolsift({
    mcpServers: {
      one: await connect("one"),
      two: again,
      three: () => Promise.reject(new Error("no login")),
      four: () => null,
    },
    ...quiet,
  });
  assert.deepEqual(pluck(sift.tools(), "name"), ["one", "two1"]);
  assert.equal(sift.status()[2].error, "no login");
  assert.match(sift.status()[3].error, /its function returned null, which is no MCP client/);
  await sift.servers.client("two").transport.close();
  await until("the new list", () => sift.tools().some(({ name }) => name === "two2"));
  await sift.close();
});

test("headers are sent, and a server that speaks no streamable HTTP is asked for SSE unless the type says otherwise", async () => {
  for (const [type, methods] of [
    [undefined, ["POST Bearer s3", "GET Bearer s3"]],
    ["http", ["POST Bearer s3"]],
    ["streamableHttp", ["POST Bearer s3"]],
    ["sse", ["GET Bearer s3"]],
  ]) {
    const http = await answering(405);
    const server = { url: http.url, headers: { authorization: "Bearer ${TOKEN}" }, ...(type && { type }) };
    const sift = await toolsift({ mcpServers: { server }, env: { TOKEN: "s3" }, ...quiet });
    assert.deepEqual([...new Set(http.asked)], methods);
    assert.equal(sift.status()[0].state, "failed");
    await sift.close();
    await http.close();
  }
});

test("variables", async () => {
  const url = "http://127.0.0.1:9/${env:PATH_OF}";
  await refused(
    { mcpServers: { a: { url } } },
    "option_invalid",
    /mcpServers\.a\.url holds "\$\{env:PATH_OF\}"; pass options\.env/,
  );
  await refused({ mcpServers: { a: { url } }, env: "x" }, "option_invalid", /options\.env/);
  const own = { command: process.execPath, env: { KEY: "${KEY}" } };
  const input = { command: process.execPath, args: ["${input:token}"] };
  const other = {
    command: process.execPath,
    args: ["-e", "console.error(process.argv[1]); process.exit(1)", "${A:-none}-${B:-none}-${constructor:-x}"],
  };
  const sift = await toolsift({ mcpServers: { own, input, other }, env: { A: "${B}" }, ...quiet });
  const [first, second, third] = sift.status().map(({ error }) => error);
  assert.match(first, /mcpServers\.own\.env\.KEY holds "\$\{KEY\}", and the environment has no KEY/);
  assert.match(second, /"\$\{input:token\}", which is not a variable/);
  assert.match(third, /it wrote: \$\{B\}-none-x$/);
  await sift.close();
});

const WRONG = [
  [[], "option_invalid", /options\.mcpServers must be an object, got a list/],
  [{ a: null }, "option_invalid", /options\.mcpServers\.a must be an object, got null/],
  [{ a: { command: "npx", url: "http://x" } }, "option_conflict", /a has both command and url/],
  [{ a: {} }, "option_invalid", /a has neither command nor url/],
  [{ a: { comand: "npx" } }, "option_unknown", /a has no "comand"; did you mean command\?/],
  [{ a: { command: "npx", includeTools: "x" } }, "option_invalid", /a\.includeTools is .*list of names/],
  [{ a: { command: "npx", headers: {} } }, "option_conflict", /a\.headers does not go with command/],
  [{ a: { url: "http://x", args: [] } }, "option_conflict", /a\.args does not go with url/],
  [{ a: { type: "stdio", url: "http://x" } }, "option_conflict", /type is "stdio", which does not go with url/],
  [{ a: { command: "npx", args: ["-y", 5] } }, "option_invalid", /a\.args\[1\] is number 5/],
  [{ a: { command: "npx", env: { PORT: [80] } } }, "option_invalid", /a\.env\.PORT is a list/],
  [{ a: { url: "github" } }, "option_invalid", /a\.url is string github; it must be a URL/],
  [{ a: { url: "file:///etc/passwd" } }, "option_invalid", /http:\/\/ or https:\/\//],
  [{ a: { url: "http://x", disabled: "no" } }, "option_invalid", /a\.disabled is string no; it must be true or false/],
  [{ a: { url: "http://u:s3cret@x" } }, "option_invalid", /a\.url must not hold a user or a password; use headers$/],
  [{ a: { url: "http://x", headers: { a: "s3cret\nb: c" } } }, "option_invalid", /a\.headers\.a is not a header/],
  [{ a: { url: "http://x", headers: { "a b": "s3cret" } } }, "option_invalid", /a\.headers\.a b is not a header/],
  [{ a: { command: "c\0" } }, "option_invalid", /U\+0000/],
  [{ a: { command: "x".repeat(200_000) } }, "option_invalid", /200000 characters/],
];

test("what is wrong in mcpServers is told with its place", async () => {
  for (const [mcpServers, code, pattern] of WRONG) await refused({ mcpServers }, code, pattern);
});

test("activation is the profile's unless the host says one, or a configuration that does", async () => {
  for (const [options, expected] of [
    [{ activation: undefined }, "auto"],
    [{ profile: "search-add" }, "on"],
    [{ activation: { tokens: 9000 } }, { tokens: 9000 }],
    [{ profile: { name: "stub", config: { threshold: 20 } } }, { tools: 20 }],
    [{ sift: new ToolSift({ activation: "on" }) }, "on"],
  ]) {
    const door = await toolsift({ ...options, ...quiet });
    assert.deepEqual(door.settings.activation, expected);
    await door.close();
  }
});

test("a program without an MCP SDK can be bundled, and with one it is in the bundle", async () => {
  const { build } = await import("esbuild");
  for (const [packages, isThere] of [
    [AI, false],
    [{ ...AI, ...MCP_V1 }, true],
  ]) {
    const { folder } = await appWith(packages);
    const stdin = { contents: 'export { toolsift } from "toolsift/ai-sdk";', resolveDir: folder };
    const { outputFiles } = await build({
      stdin,
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      logLevel: "silent",
    });
    assert.equal(
      /class StreamableHTTPClientTransport|StreamableHTTPClientTransport = class/.test(outputFiles[0].text),
      isThere,
    );
  }
});

test("without an MCP SDK", async () => {
  const { load, folder } = await appWith(AI);
  const { toolsift } = await load("toolsift/ai-sdk");
  const missing = toolsift({ mcpServers: { a: { command: "npx" } } });
  await assert.rejects(missing, { code: "peer_missing", message: /npm install @modelcontextprotocol\/client/ });
  const door = await toolsift({ tools: {} });
  await door.close();
  // Required, it makes a catalog of the class that the program requires, too.
  const require = createRequire(join(folder, "program.cjs"));
  const required = await require("toolsift/ai-sdk").toolsift();
  assert.ok(required instanceof require("toolsift").ToolSift);
  await required.close();
});
