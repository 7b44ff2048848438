/**
 * Reading the configurations of MCP clients.
 *  1. Every client's files are at their documented places, on every platform.
 *  2. Every client's spelling gives the same common form: those of one server each are moved in clients-change.test.mjs.
 *  3. What is broken costs itself only, and its problem says where it is.
 *  4. toolsift's own entry is recognised and never returned as a server.
 *  5. Variables are replaced as the client replaces them, and nothing else is.
 *  6. The client that starts us is found by its process, else by its own variable, else all files are read.
 *  7. Our own file is read with the same tolerance, and edits are followed.
 */

import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { readConfig } from "../../cli/dist/clients/config.js";
import { configOf, isOurs } from "../../cli/dist/clients/ours.js";
import { filesOf } from "../../cli/dist/clients/places.js";
import { findServers, readClient } from "../../cli/dist/clients/read.js";
import { CLIENTS, clientOf } from "../../cli/dist/clients/table/index.js";
import { expand, fromCommon, toCommon } from "../../cli/dist/clients/variables.js";
import { watchPaths } from "../../cli/dist/clients/watch.js";
import { byName, COMMON, plain, SAMPLES, somebody } from "./clients-helpers.mjs";
import { valuesOf } from "./command-line.mjs";

const MAC = "/home/me/Library/Application Support";

/** Client, platform, environment, and the files in the order of precedence. */
const PLACES = [
  ["claude-desktop", "darwin", {}, [`user ${MAC}/Claude/claude_desktop_config.json`]],
  ["claude-desktop", "win32", { APPDATA: "D:\\Roam" }, ["user D:\\Roam\\Claude\\claude_desktop_config.json"]],
  ["claude-desktop", "win32", {}, ["user C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json"]],
  ["claude-desktop", "linux", {}, ["user /home/me/.config/Claude/claude_desktop_config.json"]],
  ["claude-code", "linux", {}, ["local /home/me/.claude.json", "project /work/.mcp.json", "user /home/me/.claude.json"]],
  [
    "claude-code",
    "darwin",
    { CLAUDE_CONFIG_DIR: "/c" },
    ["local /c/.claude.json", "project /work/.mcp.json", "user /c/.claude.json"],
  ],
  [
    "claude-code",
    "win32",
    {},
    ["local C:\\Users\\me\\.claude.json", "project C:\\work\\.mcp.json", "user C:\\Users\\me\\.claude.json"],
  ],
  ["cursor", "linux", {}, ["project /work/.cursor/mcp.json", "user /home/me/.cursor/mcp.json"]],
  ["cursor", "win32", {}, ["project C:\\work\\.cursor\\mcp.json", "user C:\\Users\\me\\.cursor\\mcp.json"]],
  ["vscode", "darwin", {}, ["project /work/.vscode/mcp.json", `user ${MAC}/Code/User/mcp.json`]],
  ["vscode", "linux", { XDG_CONFIG_HOME: "/xdg" }, ["project /work/.vscode/mcp.json", "user /xdg/Code/User/mcp.json"]],
  ["vscode", "win32", { APPDATA: "D:\\R" }, ["project C:\\work\\.vscode\\mcp.json", "user D:\\R\\Code\\User\\mcp.json"]],
  ["windsurf", "darwin", {}, ["user /home/me/.codeium/windsurf/mcp_config.json"]],
  ["windsurf", "win32", {}, ["user C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json"]],
  ["codex", "linux", {}, ["project /work/.codex/config.toml", "user /home/me/.codex/config.toml"]],
  ["codex", "win32", { CODEX_HOME: "D:\\codex" }, ["project C:\\work\\.codex\\config.toml", "user D:\\codex\\config.toml"]],
  ["opencode", "darwin", {}, ["project /work/opencode.json", "user /home/me/.config/opencode/opencode.json"]],
  ["opencode", "win32", {}, ["project C:\\work\\opencode.json", "user C:\\Users\\me\\.config\\opencode\\opencode.json"]],
  ["zed", "linux", {}, ["project /work/.zed/settings.json", "user /home/me/.config/zed/settings.json"]],
  ["zed", "darwin", {}, ["project /work/.zed/settings.json", "user /home/me/.config/zed/settings.json"]],
  ["zed", "win32", { APPDATA: "D:\\R" }, ["project C:\\work\\.zed\\settings.json", "user D:\\R\\Zed\\settings.json"]],
];

for (const [id, platform, env, expected] of PLACES) {
  test(`1. ${id} on ${platform}${Object.keys(env).map((key) => ` with ${key}`)} keeps its files there`, () => {
    const [home, cwd] = platform === "win32" ? ["C:\\Users\\me", "C:\\work"] : ["/home/me", "/work"];
    const located = filesOf(clientOf(id), { platform, home, cwd, env }).filter(({ source }) => !source.legacy);
    assert.deepEqual([...new Set(located.map(({ file, source }) => `${source.scope} ${file}`))], expected);
  });
}

test("1. Every client has an id, a title and a file for the user", () => {
  assert.deepEqual(Object.keys(SAMPLES).sort(), CLIENTS.map(({ id }) => id).sort());
  for (const { id, title, sources } of CLIENTS) assert.ok(id && title && sources.some(({ scope }) => scope === "user"), id);
  assert.throws(() => clientOf("emacs"), /Unknown client "emacs"\. Known clients: claude-code,/);
});

test("1. The project's file is found from a folder inside of it, and the home directory is no project", async (t) => {
  const me = somebody(t);
  me.write("project/.cursor/mcp.json", '{"mcpServers":{"inner":{"command":"a"}}}');
  me.write(".cursor/mcp.json", '{"mcpServers":{"outer":{"command":"b"}}}');
  mkdirSync(me.path("project/deep/er"), { recursive: true });
  const read = await readClient("cursor", { ...me.place, cwd: me.path("project/deep/er") });
  assert.deepEqual(valuesOf(read.servers, "name"), ["inner", "outer"]);
  const atHome = await readClient("cursor", { ...me.place, cwd: me.home });
  assert.deepEqual(valuesOf(atHome.files, "file"), [me.path(".cursor/mcp.json")]);
});

test("2. Claude Code: the local scope wins over the project's file, which wins over the user's", async (t) => {
  const me = somebody(t);
  const servers = (command) => ({ a: { command }, [command]: { command } });
  const projects = { [me.place.cwd]: { mcpServers: servers("local") } };
  me.write(".claude.json", JSON.stringify({ mcpServers: servers("user"), projects }));
  me.write("project/.mcp.json", JSON.stringify({ mcpServers: servers("shared") }));
  const { servers: found, problems } = await readClient("claude-code", me.place);
  const names = found.map(({ name, entry }) => `${name} ${entry.command}`);
  assert.deepEqual(names, ["a local", "local local", "shared shared", "user user"]);
  assert.equal(problems.filter(({ level, server }) => level === "note" && server === "a").length, 2);
});

test("2. VS Code: older servers in settings.json are read too; a server that needs input says so", async (t) => {
  const me = somebody(t);
  me.write(".config/Code/User/settings.json", '{ "mcp": { "servers": { "old": { "command": "x" } } } }');
  me.write("project/.vscode/mcp.json", '{ "servers": { "asks": { "command": "y", "env": { "K": "${input:k}" } } } }');
  const { servers, problems } = await readClient("vscode", me.place);
  assert.deepEqual(plain(servers.map(({ name, fault }) => [name, fault ?? null])), [
    ["asks", 'it needs "${input:k}", which only the client can ask for'],
    ["old", null],
  ]);
  const { message } = problems.find(({ server }) => server === "asks");
  assert.match(message, /needs "\$\{input:k\}", which only the client can ask for/);
});

test("2. opencode: both forms, mixed; the form of version 2 wins", async (t) => {
  const me = somebody(t);
  const local = (command, more) => ({ type: "local", command: [command], ...more });
  const mcp = {
    timeout: 5,
    servers: { a: local("two", { disabled: true }) },
    a: local("one"),
    b: local("b", { enabled: false }),
  };
  me.write(".config/opencode/opencode.jsonc", JSON.stringify({ mcp }));
  const { servers, problems } = await readClient("opencode", me.place);
  const off = (command) => ({ command, args: [], disabled: true });
  assert.deepEqual(byName(servers), { a: off("two"), b: off("b") });
  assert.deepEqual(
    problems.map(({ message }) => message.replace(/ in .*|\.$/, "")),
    ['"a" is switched off', '"b" is switched off', '"a" stands'],
  );
});

test("2. Codex: a token that is named by a variable becomes a header; Cursor's SSE stays SSE", async (t) => {
  const me = somebody(t, { env: { TOK: "t0k" } });
  me.write(".codex/config.toml", '[mcp_servers.a]\nurl = "https://x.test"\nbearer_token_env_var = "TOK"\nenabled = false\n');
  me.write(".cursor/mcp.json", '{"mcpServers":{"s":{"url":"https://y.test/sse","type":"sse"}}}');
  assert.deepEqual(byName((await readClient("codex", me.place)).servers), {
    a: { url: "https://x.test", headers: { Authorization: "Bearer t0k" }, disabled: true },
  });
  assert.equal((await readClient("cursor", me.place)).servers[0].entry.type, "sse");
});

test("3. An entry of the wrong type affects only itself; unknown keys are reported", async (t) => {
  const me = somebody(t);
  const [a, b, c, d] = [5, { command: 7 }, { command: "x", args: "y" }, {}];
  const [e, f] = [{ command: "x", env: { A: {} } }, { command: "" }];
  const g = { comand: "x" };
  const good = { command: "x", colour: 1, env: { N: 1, B: true } };
  me.write(".cursor/mcp.json", JSON.stringify({ mcpServers: { a, b, c, d, e, f, g, good } }, null, 1));
  const { servers, problems } = await readClient("cursor", me.place);
  assert.deepEqual(byName(servers), { good: { command: "x", env: { N: "1", B: "true" } } });
  assert.deepEqual(
    problems.filter(({ level }) => level === "error").map(({ message }) => message),
    [
      '"a" must be an object, got number 5.',
      '"b".command is number 7; it must be a text.',
      '"c".args is a text; it must be a list of texts.',
      '"d" has neither command nor url; a server has one of them.',
      '"e".env.A is an object; it must be a text.',
      '"f".command is empty; it must be a text that is not empty.',
      '"g" has neither command nor url; it has "comand".',
    ],
  );
  assert.match(problems.find(({ level }) => level === "note").message, /keys that toolsift does not apply: "colour"/);
});

test("3. A file that is broken in the middle says where, and its other servers are read", async (t) => {
  const me = somebody(t);
  const lines = [
    "{",
    '  "mcpServers": {',
    '    "a": { "command": "x" },',
    '    "b": { "command": },',
    '    "c": { "command": "z" }',
    "  }",
    "}",
  ];
  const file = me.write(".cursor/mcp.json", lines.join("\n"));
  const cursor = await readClient("cursor", me.place);
  assert.deepEqual(valuesOf(cursor.servers, "name"), ["a", "c"]);
  const [problem] = cursor.problems.filter(({ server }) => server === undefined);
  assert.deepEqual(problem, { level: "error", file, message: "a value is missing", line: 4, column: 23 });
  me.write(
    ".codex/config.toml",
    '[mcp_servers.a]\ncommand = "x"\n\n[mcp_servers.b]\ncommand = \n\n[mcp_servers.c]\ncommand = "z"\n',
  );
  const codex = await readClient("codex", me.place);
  assert.deepEqual(valuesOf(codex.servers, "name"), ["a", "c"]);
  assert.deepEqual([codex.problems[0].level, codex.problems[0].line], ["error", 5]);
});

test("3. Messages about broken TOML do not quote the file", async (t) => {
  const me = somebody(t);
  me.write(".codex/config.toml", '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nTOKEN = "s3cret" oops\n');
  const { problems } = await readClient("codex", me.place);
  assert.equal(problems.length, 1);
  assert.doesNotMatch(JSON.stringify(problems), /s3cret/);
});

test("3. Hostile names and files: __proto__, control characters, nesting, size, folders, bytes that are no text", async (t) => {
  const me = somebody(t);
  const servers = '"__proto__":{"command":"x","env":{"__proto__":"v"}},"a\\u001b[2J\\u202e":{"command":5}';
  const file = me.write(".cursor/mcp.json", `{"mcpServers":{${servers}}}`);
  const read = await readClient("cursor", me.place);
  assert.deepEqual(valuesOf(read.servers, "name"), ["__proto__"]);
  assert.deepEqual(Object.entries(read.servers[0].entry.env), [["__proto__", "v"]]);
  assert.equal({}.command, undefined);
  assert.match(read.problems[0].message, /^"a\\u\{001B\}\[2J\\u\{202E\}"\.command is number 5/);

  const errorOf = async () => (await readClient("cursor", me.place)).problems.map(({ message }) => message).join();
  writeFileSync(file, "[".repeat(2_000_000));
  assert.match(await errorOf(), /nested too deeply/);
  writeFileSync(file, "");
  truncateSync(file, 50 * 1024 * 1024);
  assert.match(await errorOf(), /has 50 MB\. toolsift reads at most 10 MB/);
  writeFileSync(file, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  assert.match(await errorOf(), /is not UTF-8 text/);
  rmSync(file);
  mkdirSync(file);
  assert.match(await errorOf(), /is no regular file/);
});

test("3. A byte order mark, CRLF and an empty file are no problem", async (t) => {
  const me = somebody(t);
  me.write(".cursor/mcp.json", `\uFEFF${SAMPLES.cursor.text.replaceAll("\n", "\r\n")}`);
  me.write(".codex/config.toml", `\uFEFF${SAMPLES.codex.text.replaceAll("\n", "\r\n")}`);
  me.write(".codeium/windsurf/mcp_config.json", "");
  for (const id of ["cursor", "codex"]) {
    const { servers, problems } = await readClient(id, me.place);
    assert.deepEqual([byName(servers), problems], [COMMON, []], id);
  }
  assert.deepEqual((await readClient("windsurf", me.place)).problems, []);
});

/** Command lines, and whether they start toolsift's gateway. */
const COMMANDS = [
  [["npx", "-y", "toolsift", "mcp"], true],
  [["npx", "--yes", "toolsift@1.2.3", "mcp", "--config", "/x"], true],
  [["toolsift", "mcp"], true],
  [["toolsift", "--quiet", "mcp"], true],
  [["cmd", "/c", "npx", "-y", "toolsift", "mcp"], true],
  [["C:\\Program Files\\nodejs\\npx.cmd", "-y", "toolsift", "mcp"], true],
  [["node", "/home/me/node_modules/toolsift/bin/toolsift.mjs", "mcp"], true],
  [["pnpm", "dlx", "toolsift-cli", "mcp"], true],
  [["bunx", "toolsift", "mcp"], true],
  [["npx -y toolsift mcp"], true],
  [["npx", "-y", "toolsift", "search"], false],
  [["npx", "-y", "toolsift"], false],
  [["npx", "-y", "mcp-toolsift", "mcp"], false],
  [["npx", "-y", "other", "toolsift", "mcp"], false],
  [["uvx", "toolsift", "mcp"], false],
];

for (const [[command, ...args], expected] of COMMANDS) {
  test(`4. ${[command, ...args].join(" ")} ${expected ? "is" : "is not"} toolsift`, () => {
    assert.equal(isOurs(args.length === 0 ? { command } : { command, args }), expected);
  });
}

test("4. toolsift's entry is never a server; the file that it names is known", async (t) => {
  const me = somebody(t);
  const tools = { command: "npx", args: ["-y", "toolsift", "mcp", "--config", "/my.json"] };
  me.write(".cursor/mcp.json", JSON.stringify({ mcpServers: { tools, a: { command: "x" } } }));
  const { servers, files } = await readClient("cursor", me.place);
  assert.deepEqual(valuesOf(servers, "name"), ["a"]);
  assert.deepEqual(files.at(-1).own, [{ name: "tools", config: "/my.json" }]);
  assert.equal(configOf({ command: "toolsift", args: ["mcp", "--config=/a b"] }), "/a b");
});

test("5. Variables of our form", () => {
  const place = { platform: "linux", home: "/home/me", cwd: "/w", env: { A: "1", EMPTY: "" } };
  const of = (text) => expand(text, place, "/w/project").text;
  assert.equal(of("${env:A}-${A}-${B:-two}-${EMPTY:-three}-${EMPTY}."), "1-1-two-three-.");
  assert.equal(
    of("${workspaceFolder}|${workspaceFolderBasename}|${userHome}|${pathSeparator}"),
    "/w/project|project|/home/me|/",
  );
  assert.equal(of("$${A} $A ${not a name} ${A"), "${A} $A ${not a name} ${A");
  const missing = { text: "${NOPE}${input:t}", unset: ["NOPE"], needs: ["${input:t}"], commands: [] };
  assert.deepEqual(expand("${NOPE}${input:t}", place, "/w"), missing);
  const printed = expand("x${command:op read op://a/b}", place, "/w");
  assert.match(printed.text, /^x\{\{toolsift-command:[0-9a-f]{16}\}\}$/);
  assert.deepEqual(printed.commands, ["op read op://a/b"]);
  assert.deepEqual(expand("${command:id}", place, "/w").needs, ["${command:id}"], "VS Code's own");
  const nested = { ...place, env: { A: "${A}${B}" } };
  assert.equal(expand("${A}", nested, "/w").text, "${A}${B}", "values are not replaced again");
});

test("5. What a client does not replace is literal text, in both directions", () => {
  const texts = ["${A}", "${env:A}", "$${A}", "${input:x}", "{env:A}", "${workspaceFolder}", "echo $HOME ${1:-x}", "$$${A}"];
  for (const known of [[], ["bare"], ["env", "folders"], ["env", "folders", "input"], ["braces"]]) {
    for (const text of texts) assert.equal(fromCommon(toCommon(text, known), known), text, `${text} with ${known}`);
  }
  const place = { platform: "linux", home: "/h", cwd: "/w", env: { A: "1" } };
  assert.equal(expand(toCommon("${A} ${env:A} $${A}", ["env"]), place, "/w").text, "${A} 1 $${A}");
  assert.equal(expand(toCommon("{env:A} ${A}", ["braces"]), place, "/w").text, "1 ${A}");
});

test("6. The nearest ancestor decides, then a client's own variable, else all files are read", async (t) => {
  const me = somebody(t);
  me.write(".cursor/mcp.json", '{"mcpServers":{"both":{"command":"cursor"},"c":{"command":"c"}}}');
  me.write(".claude.json", '{"mcpServers":{"both":{"command":"claude"}}}');
  const find = (options) => findServers({ ...me.place, ...options });
  const claude = await find({ ancestors: ["sh", "claude", "bash", "/usr/share/cursor/cursor"] });
  assert.deepEqual([claude.client, byName(claude.servers)], ["claude-code", { both: { command: "claude" } }]);
  const helper = "Cursor Helper (Plugin)";
  const mac = `/Applications/Cursor.app/Contents/Frameworks/${helper}.app/Contents/MacOS/${helper}`;
  assert.equal((await find({ ancestors: ["npm exec toolsift", mac] })).client, "cursor");
  assert.equal((await find({ ancestors: ["/Applications/Claude.app/Contents/MacOS/Claude"] })).client, "claude-desktop");
  assert.equal((await find({ ancestors: ["C:\\Programs\\Code.exe"] })).client, "vscode");
  assert.equal((await find({ ancestors: [], env: { ...me.place.env, CLAUDECODE: "1" } })).client, "claude-code");
  assert.equal((await find({ from: "cursor", ancestors: ["claude"] })).client, "cursor");
  const all = await find({ ancestors: ["node", "bash"] });
  assert.deepEqual([all.client, byName(all.servers)], [undefined, { both: { command: "claude" }, c: { command: "c" } }]);
  const note = all.problems.find(({ server }) => server === "both");
  assert.match(note.message, /^"both" stands in ".*\.claude\.json" too\. That entry counts/);
  await assert.rejects(find({ from: "emacs" }), /Unknown client/);
});

test("7. Our own file: servers, settings, comments, and the same tolerance", async (t) => {
  const me = somebody(t, { env: { KEY: "k" } });
  const servers =
    '"a": { "command": "x", "env": { "K": "${KEY}" } }, "b": 1, "self": { "command": "toolsift", "args": ["mcp"] }';
  const text = `{\n // mine\n "mcpServers": { ${servers} },\n "toolsift": { "calls": "one", "deny": ["a/*"], },\n}`;
  const config = await readConfig(me.write("tools.json", text), me.place);
  assert.deepEqual(byName(config.servers), { a: { command: "x", env: { K: "k" } } });
  assert.deepEqual(plain(config.settings), { calls: "one", deny: ["a/*"] });
  assert.equal(config.problems.map(({ level, server }) => `${level} ${server}`).join(), "error b,note self");
});

test("7. Our own file in Codex' form, without servers, with settings of the wrong type, and missing", async (t) => {
  const me = somebody(t, { env: { KEY: "k" } });
  const text = '[toolsift]\ncalls = "one"\n[mcp_servers.a]\ncommand = "x"\nargs = ["${KEY}", "$${KEY}"]\n';
  const toml = await readConfig(me.write("tools.toml", text), me.place);
  assert.deepEqual(byName(toml.servers), { a: { command: "x", args: ["k", "${KEY}"] } });
  assert.deepEqual([plain(toml.settings), toml.problems], [{ calls: "one" }, []]);
  const message = async (text) =>
    (await readConfig(me.write("x.json", text), me.place)).problems.map((one) => one.message).join();
  assert.match(await message('{"server":{}}'), /has no key "mcpServers"/);
  assert.equal(await message('{"servers":{}}'), "");
  assert.match(await message("  "), /is empty/);
  assert.match(await message('{"mcpServers":{},"toolsift":[1]}'), /"toolsift" must be an object/);
  assert.match(await message('{"mcpServers":[]}'), /"mcpServers" is no object/);
  assert.match(await message("[]"), /the file holds no object/);
  assert.equal(await message('{"mcpServers":{}}'), "");
  const missing = await readConfig(me.path("none.json"), me.place);
  assert.deepEqual([missing.servers, missing.problems[0].level], [[], "error"]);
  assert.match(missing.problems[0].message, /no such file/);
});

/** Follows a file until the test ends: `heard()` promises the next change. */
function followed(t, file) {
  const calls = [];
  let told = () => {};
  const watcher = watchPaths([file], (changed) => (calls.push(changed), told()));
  // The watcher does not keep the process alive, so the test does.
  const alive = setInterval(() => {}, 1000);
  t.after(() => (watcher.close(), clearInterval(alive)));
  return { calls, watcher, heard: () => new Promise((resolve) => (told = resolve)) };
}

test("7. Edits are followed, renames by editors included, once per change, and not after closing", {
  timeout: 20_000,
}, async (t) => {
  const me = somebody(t);
  const file = me.write("conf/tools.json", "1");
  const { calls, watcher, heard } = followed(t, file);
  const change = async (edit) => {
    const next = heard();
    edit();
    await next;
  };
  await change(() => {
    writeFileSync(file, "22");
    writeFileSync(file, "333");
  });
  assert.deepEqual(calls, [[file]], "two writes at once are one change");
  await change(() => {
    writeFileSync(`${file}.new`, "4444");
    renameSync(`${file}.new`, file);
  });
  await change(() => rmSync(file));
  await change(() => writeFileSync(file, "again"));
  assert.equal(calls.length, 4);
  watcher.close();
  writeFileSync(file, "unheard");
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(calls.length, 4);
});

test("7. A file in a folder that does not exist yet is followed too", { timeout: 20_000 }, async (t) => {
  const me = somebody(t);
  const { calls, heard } = followed(t, me.path("later/tools.json"));
  const next = heard();
  me.write("later/tools.json", "{}");
  await next;
  assert.deepEqual(calls, [[me.path("later/tools.json")]]);
});
