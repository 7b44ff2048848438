/**
 * Tests reading the configurations of MCP clients.
 * 1. Every client's files are at their documented paths, on every platform.
 * 2. Every client's form gives the same common form. Examples with one server are in clients-change.test.mjs.
 * 3. A broken entry does not affect the others, and its problem names the place.
 * 4. toolsift's own entry is recognised and never returned as a server.
 * 5. Exactly the variables that the client replaces are replaced.
 * 6. Our own file is read with the same tolerance, and changes are noticed.
 */

import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { test } from "vitest";
import { readConfig } from "../../cli/src/clients/config.ts";
import { configOf, isOurs } from "../../cli/src/clients/ours.ts";
import { filesOf } from "../../cli/src/clients/places.ts";
import { readClient } from "../../cli/src/clients/read.ts";
import { CLIENTS, clientOf } from "../../cli/src/clients/table.ts";
import { expand, fromCommon, toCommon } from "../../cli/src/clients/variables.ts";
import { watchPaths } from "../../cli/src/clients/watch.ts";
import { byName, COMMON, plain, SAMPLES, somebody } from "./clients-helpers.mjs";
import { valuesOf } from "./command-line.mjs";

const MAC = "user /home/me/Library/Application Support";
const ROAMING = "user C:\\Users\\me\\AppData\\Roaming";

/** Client, platform, environment, and the files in the order of precedence. */
const PLACES = [
  ["claude-desktop", "darwin", {}, `${MAC}/Claude/claude_desktop_config.json`],
  ["claude-desktop", "win32", { APPDATA: "D:\\Roam" }, "user D:\\Roam\\Claude\\claude_desktop_config.json"],
  ["claude-desktop", "win32", {}, `${ROAMING}\\Claude\\claude_desktop_config.json`],
  ["claude-desktop", "linux", {}, "user /home/me/.config/Claude/claude_desktop_config.json"],
  ["claude-code", "linux", {}, "local /home/me/.claude.json", "project /work/.mcp.json", "user /home/me/.claude.json"],
  [
    "claude-code",
    "darwin",
    { CLAUDE_CONFIG_DIR: "/c" },
    "local /c/.claude.json",
    "project /work/.mcp.json",
    "user /c/.claude.json",
  ],
  [
    ...["claude-code", "win32", {}],
    ...["local C:\\Users\\me\\.claude.json", "project C:\\work\\.mcp.json", "user C:\\Users\\me\\.claude.json"],
  ],
  ["cursor", "linux", {}, "project /work/.cursor/mcp.json", "user /home/me/.cursor/mcp.json"],
  ["cursor", "win32", {}, "project C:\\work\\.cursor\\mcp.json", "user C:\\Users\\me\\.cursor\\mcp.json"],
  ["vscode", "darwin", {}, "project /work/.vscode/mcp.json", `${MAC}/Code/User/mcp.json`],
  ["vscode", "linux", { XDG_CONFIG_HOME: "/xdg" }, "project /work/.vscode/mcp.json", "user /xdg/Code/User/mcp.json"],
  ["vscode", "win32", { APPDATA: "D:\\R" }, "project C:\\work\\.vscode\\mcp.json", "user D:\\R\\Code\\User\\mcp.json"],
  ["windsurf", "darwin", {}, "user /home/me/.codeium/windsurf/mcp_config.json"],
  ["windsurf", "win32", {}, "user C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json"],
  ["codex", "linux", {}, "project /work/.codex/config.toml", "user /home/me/.codex/config.toml"],
  ["codex", "win32", { CODEX_HOME: "D:\\codex" }, "project C:\\work\\.codex\\config.toml", "user D:\\codex\\config.toml"],
  ["opencode", "darwin", {}, "project /work/opencode.json", "user /home/me/.config/opencode/opencode.json"],
  ["opencode", "linux", { XDG_CONFIG_HOME: "/xdg" }, "project /work/opencode.json", "user /xdg/opencode/opencode.json"],
  ["opencode", "win32", {}, "project C:\\work\\opencode.json", "user C:\\Users\\me\\.config\\opencode\\opencode.json"],
  ["zed", "linux", {}, "project /work/.zed/settings.json", "user /home/me/.config/zed/settings.json"],
  ["zed", "darwin", {}, "project /work/.zed/settings.json", "user /home/me/.config/zed/settings.json"],
  ["zed", "win32", { APPDATA: "D:\\R" }, "project C:\\work\\.zed\\settings.json", "user D:\\R\\Zed\\settings.json"],
];

for (const [id, platform, env, ...expected] of PLACES) {
  test(`1. ${id} on ${platform}${Object.keys(env).map((key) => ` with ${key}`)} keeps its files there`, () => {
    const [home, cwd] = platform === "win32" ? ["C:\\Users\\me", "C:\\work"] : ["/home/me", "/work"];
    const located = filesOf(clientOf(id), { platform, home, cwd, env });
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

const [CURSOR, CODEX, WINDSURF] = [SAMPLES.cursor.file, SAMPLES.codex.file, SAMPLES.windsurf.file];
const odd = (text) => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
const servers = (command) => ({ a: { command }, [command]: { command } });
const local = (command, more) => ({ type: "local", command: [command], ...more });
const off = (command) => ({ command, args: [], disabled: true });
const names = (...list) => Object.fromEntries(list.map((name) => [name, { command: name }]));

/** A client's files by their names, the servers in them, and the problems: level, server or line, and a part of the message. */
const READS = {
  "2. Claude Code: the local scope wins over the project's file, which wins over the user's": {
    id: "claude-code",
    files: (me) => ({
      ".claude.json": { mcpServers: servers("user"), projects: { [me.place.cwd]: { mcpServers: servers("local") } } },
      "project/.mcp.json": { mcpServers: servers("shared") },
    }),
    servers: { a: { command: "local" }, ...names("local", "shared", "user") },
    problems: ["note a is also in", "note a is also in"],
  },
  "2. VS Code: a server that needs input says so": {
    id: "vscode",
    files: () => ({
      "project/.vscode/mcp.json": { servers: { asks: { command: "y", env: { K: "${input:k}" } } } },
    }),
    servers: { asks: { command: "y", env: { K: "${input:k}" } } },
    problems: ['error asks needs "${input:k}", which only the client can ask for'],
  },
  "2. opencode: both forms, mixed; the form of version 2 wins": {
    id: "opencode",
    files: () => ({
      ".config/opencode/opencode.jsonc": {
        mcp: {
          ...{ timeout: 5, servers: { a: local("two", { disabled: true }) } },
          ...{ a: local("one"), b: local("b", { enabled: false }) },
        },
      },
    }),
    servers: { a: off("two"), b: off("b") },
    problems: ["note a is switched off", "note b is switched off", "note a is also in"],
  },
  "2. Codex: a token that is named by a variable becomes a header": {
    id: "codex",
    files: () => ({ [CODEX]: '[mcp_servers.a]\nurl = "https://x.test"\nbearer_token_env_var = "TOK"\nenabled = false\n' }),
    servers: { a: { url: "https://x.test", headers: { Authorization: "Bearer t0k" }, disabled: true } },
    problems: ["note a is switched off"],
  },
  "3. An entry of the wrong type affects only itself; unknown keys are reported": {
    id: "cursor",
    files: () => ({
      [CURSOR]: {
        mcpServers: {
          ...{ a: 5, b: { command: 7 }, c: { command: "x", args: "y" }, d: {}, e: { command: "x", env: { A: {} } } },
          ...{ f: { command: "" }, g: { comand: "x" }, good: { command: "x", colour: 1, env: { N: 1, B: true } } },
        },
      },
    }),
    servers: { good: { command: "x", env: { N: "1", B: "true" } } },
    problems: [
      'error a "a" must be an object, got number 5.',
      'error b "b".command is number 7; it must be a text.',
      'error c "c".args is a text; it must be a list of texts.',
      'error d "d" has neither command nor url; a server has one of them.',
      'error e "e".env.A is an object; it must be a text.',
      'error f "f".command is empty; it must be a text that is not empty.',
      'error g "g" has neither command nor url; it has "comand".',
      'note good "good" has keys that toolsift does not apply: "colour".',
    ],
  },
  "3. A file that is broken in the middle says where, and its other servers are read": {
    id: "cursor",
    files: () => ({
      [CURSOR]: '{\n "mcpServers": {\n  "a": { "command": "a" },\n  "b": { "command": },\n  "c": { "command": "c" }\n }\n}',
    }),
    servers: names("a", "c"),
    problems: ["error 4:21 a value is missing", "error b is incomplete because of the syntax error"],
  },
  "3. Broken TOML says where, and no message quotes the file": {
    id: "codex",
    files: () => ({
      [CODEX]:
        '[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.b]\ncommand = "s3cret" oops\n\n[mcp_servers.c]\ncommand = "c"\n',
    }),
    servers: {},
    problems: ["error 5:20 "],
  },
  "3. Hostile names: __proto__, control characters": {
    id: "cursor",
    files: () => ({
      [CURSOR]: `{"mcpServers":{"__proto__":{"command":"x","env":{"__proto__":"v"}},"a\\u001b[2J\\u202e":{"command":5}}}`,
    }),
    servers: JSON.parse('{"__proto__":{"command":"x","env":{"__proto__":"v"}}}'),
    problems: ['error a\u001b[2J\u202e "a\\u{001B}[2J\\u{202E}".command is number 5'],
  },
  "3. A byte order mark and CRLF are no problem": {
    id: "cursor",
    files: () => ({ [CURSOR]: odd(SAMPLES.cursor.text) }),
    servers: COMMON,
  },
  "3. Nor are they in TOML": { id: "codex", files: () => ({ [CODEX]: odd(SAMPLES.codex.text) }), servers: COMMON },
  "3. Nor is an empty file": { id: "windsurf", files: () => ({ [WINDSURF]: "" }), servers: {} },
  "4. toolsift's entry is never a server; the file that it names is known": {
    id: "cursor",
    files: () => ({
      [CURSOR]: {
        mcpServers: { tools: { command: "npx", args: ["-y", "toolsift", "mcp", "--config", "/my.json"] }, ...names("a") },
      },
    }),
    servers: names("a"),
    own: [{ name: "tools", config: "/my.json" }],
  },
};

for (const [name, { id, files, servers, problems = [], own = [] }] of Object.entries(READS)) {
  test(name, async (t) => {
    const me = somebody(t, { env: { TOK: "t0k" } });
    for (const [file, content] of Object.entries(files(me))) {
      me.write(file, typeof content === "string" ? content : JSON.stringify(content));
    }
    const read = await readClient(id, me.place);
    assert.deepEqual(byName(read.servers), servers);
    const told = read.problems.map((one) => [`${one.level} ${one.server ?? `${one.line}:${one.column}`} `, one.message]);
    assert.equal(told.length, problems.length, JSON.stringify(told));
    problems.forEach((expected, place) => {
      const [about, message] = told[place];
      assert.ok(expected.startsWith(about) && message.includes(expected.slice(about.length)), `${about}${message}`);
      assert.ok(!message.includes("s3cret"));
    });
    assert.deepEqual(
      read.files.flatMap((file) => file.own),
      own,
    );
    assert.equal({}.command, undefined);
  });
}

test("2. Cursor's SSE stays SSE", async (t) => {
  const me = somebody(t);
  me.write(CURSOR, '{"mcpServers":{"s":{"url":"https://y.test/sse","type":"sse"}}}');
  assert.equal((await readClient("cursor", me.place)).servers[0].entry.type, "sse");
});

test("3. Hostile files: nesting, size, folders, bytes that are no text", async (t) => {
  const me = somebody(t);
  const file = me.write(CURSOR, "[".repeat(2_000_000));
  const errorOf = async () => (await readClient("cursor", me.place)).problems.map(({ message }) => message).join();
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

/** Command lines that start toolsift's gateway, and others. */
const OURS = [
  ["npx", "-y", "toolsift", "mcp"],
  ["npx", "--yes", "toolsift@1.2.3", "mcp", "--config", "/x"],
  ["toolsift", "mcp"],
  ["toolsift", "--quiet", "mcp"],
  ["cmd", "/c", "npx", "-y", "toolsift", "mcp"],
  ["C:\\Program Files\\nodejs\\npx.cmd", "-y", "toolsift", "mcp"],
  ["node", "/home/me/node_modules/toolsift/bin/toolsift.mjs", "mcp"],
  ["pnpm", "dlx", "toolsift-cli", "mcp"],
  ["bunx", "toolsift", "mcp"],
  ["npx -y toolsift mcp"],
];
const OTHERS = [
  ["npx", "-y", "toolsift", "search"],
  ["npx", "-y", "toolsift"],
  ["npx", "-y", "mcp-toolsift", "mcp"],
  ["npx", "-y", "other", "toolsift", "mcp"],
  ["uvx", "toolsift", "mcp"],
];

test("4. toolsift's entry is told from all others by its command line", () => {
  const entryOf = ([command, ...args]) => (args.length === 0 ? { command } : { command, args });
  for (const words of OURS) assert.ok(isOurs(entryOf(words)), words.join(" "));
  for (const words of OTHERS) assert.ok(!isOurs(entryOf(words)), words.join(" "));
  assert.equal(configOf({ command: "toolsift", args: ["mcp", "--config=/a b"] }), "/a b");
});

const PLACE = { platform: "linux", home: "/home/me", cwd: "/w", env: { A: "1", EMPTY: "", NESTED: "${A}${B}" } };

/** A text of our form, what it becomes, and what has no value. */
const VARIABLES = [
  ["${env:A}-${A}-${B:-two}-${EMPTY:-three}-${EMPTY}.", "1-1-two-three-."],
  ["${workspaceFolder}|${workspaceFolderBasename}|${userHome}|${pathSeparator}", "/w/project|project|/home/me|/"],
  ["$${A} $A ${not a name} ${A", "${A} $A ${not a name} ${A"],
  ["${NESTED}", "${A}${B}"],
  ["${NOPE}${input:t}", "${NOPE}${input:t}", { unset: ["NOPE"], needs: ["${input:t}"] }],
  ["${command:id}", "${command:id}", { needs: ["${command:id}"] }],
  ["x${command:op read op://a/b}", /^x\{\{toolsift-command:[0-9a-f]{16}\}\}$/, { commands: ["op read op://a/b"] }],
];

test("5. Variables of our form", () => {
  for (const [given, expected, lacks] of VARIABLES) {
    const { text, ...rest } = expand(given, PLACE, "/w/project");
    if (typeof expected === "string") assert.equal(text, expected);
    else assert.match(text, expected);
    assert.deepEqual(rest, { unset: [], needs: [], commands: [], ...lacks }, given);
  }
});

test("5. What a client does not replace is literal text, in both directions", () => {
  const texts = ["${A}", "${env:A}", "$${A}", "${input:x}", "{env:A}", "${workspaceFolder}", "echo $HOME ${1:-x}", "$$${A}"];
  for (const known of [[], ["bare"], ["env", "folders"], ["env", "folders", "input"], ["braces"]]) {
    for (const text of texts) assert.equal(fromCommon(toCommon(text, known), known), text, `${text} with ${known}`);
  }
  assert.equal(expand(toCommon("${A} ${env:A} $${A}", ["env"]), PLACE, "/w").text, "${A} 1 $${A}");
  assert.equal(expand(toCommon("{env:A} ${A}", ["braces"]), PLACE, "/w").text, "1 ${A}");
});

const self = { command: "toolsift", args: ["mcp"] };

/** Files of ours: the text, the servers, the settings, and the problems. */
const CONFIGS = [
  [
    "tools.json",
    `{\n // mine\n "mcpServers": ${JSON.stringify({ a: { command: "x", env: { K: "${KEY}" } }, b: 1, self })},\n "toolsift": { "calls": "one", "deny": ["a/*"], },\n}`,
    { a: { command: "x", env: { K: "k" } } },
    { calls: "one", deny: ["a/*"] },
    /"b" must be an object.*"self" starts toolsift itself/,
  ],
  [
    "tools.toml",
    '[toolsift]\ncalls = "one"\n[mcp_servers.a]\ncommand = "x"\nargs = ["${KEY}", "$${KEY}"]\n',
    { a: { command: "x", args: ["k", "${KEY}"] } },
    { calls: "one" },
    /^$/,
  ],
  ["x.json", '{"server":{}}', {}, {}, /has no key "mcpServers"/],
  ["x.json", '{"servers":{}}', {}, {}, /^$/],
  ["x.json", "  ", {}, {}, /is empty/],
  ["x.json", '{"mcpServers":{},"toolsift":[1]}', {}, {}, /"toolsift" must be an object/],
  ["x.json", '{"mcpServers":[]}', {}, {}, /"mcpServers" is no object/],
  ["x.json", "[]", {}, {}, /the file holds no object/],
  ["x.json", '{"mcpServers":{}}', {}, {}, /^$/],
  ["none.json", undefined, {}, {}, /no such file/],
];

test("6. Our own file: servers, settings, comments, Codex' form, and the same tolerance", async (t) => {
  const me = somebody(t, { env: { KEY: "k" } });
  for (const [file, text, servers, settings, told] of CONFIGS) {
    const config = await readConfig(text === undefined ? me.path(file) : me.write(file, text), me.place);
    assert.deepEqual([byName(config.servers), plain(config.settings)], [servers, settings], text);
    assert.match(config.problems.map(({ message }) => message).join(" "), told);
  }
});

/** Follows a file until the test ends: `change` makes a change and waits until it is told. */
function followed(t, file) {
  const calls = [];
  let told = () => {};
  const watcher = watchPaths([file], (changed) => (calls.push(changed), told()));
  // The watcher does not keep the process alive, so the test does.
  const alive = setInterval(() => {}, 1000);
  t.onTestFinished(() => (watcher.close(), clearInterval(alive)));
  const change = (edit) => {
    const next = new Promise((resolve) => (told = resolve));
    edit();
    return next;
  };
  return { calls, watcher, change };
}

test("6. Edits are followed, renames by editors included, once per change, and not after closing", {
  timeout: 20_000,
}, async (t) => {
  const me = somebody(t);
  const file = me.write("conf/tools.json", "1");
  const { calls, watcher, change } = followed(t, file);
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

test("6. A file in a folder that does not exist yet is followed too", { timeout: 20_000 }, async (t) => {
  const me = somebody(t);
  const { calls, change } = followed(t, me.path("later/tools.json"));
  await change(() => me.write("later/tools.json", "{}"));
  assert.deepEqual(calls, [[me.path("later/tools.json")]]);
});
