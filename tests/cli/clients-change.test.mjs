/**
 * Writing toolsift into clients' configurations, and taking it out.
 *  1. `add` moves the servers behind toolsift, and touches nothing else.
 *  2. Add, then remove gives the same bytes, whatever the file looked like.
 *  3. Adding twice changes nothing more; servers that were put beside toolsift since move too.
 *  4. `remove` gives back what the user changed meanwhile, in the client and behind toolsift.
 *  5. What toolsift cannot carry stays in the client, with a reason.
 *  6. Where something is wrong, nothing is written.
 *  7. The commands: dry run, JSON, exit codes, no secrets on the terminal.
 *  8. Servers are never lost: where our files are gone, they come from the undo record, or the command refuses.
 *  9. An entry may lead to a gateway over HTTP, with the token that the gateway asks for.
 */

import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { test } from "node:test";
import { addTo } from "../../cli/dist/clients/add.js";
import { readConfig } from "../../cli/dist/clients/config.js";
import { replace } from "../../cli/dist/clients/files.js";
import { readClient } from "../../cli/dist/clients/read.js";
import { removeFrom } from "../../cli/dist/clients/remove.js";
import { isFull } from "../../scripts/lib/full.mjs";
import { toolsift } from "./command-line.mjs";
import { byName, COMMON, plain, SAMPLES, somebody } from "./clients-helpers.mjs";

/** What a client's files say now: its servers, and toolsift's entries. */
async function seen(id, place) {
  const { servers, files, problems } = await readClient(id, place);
  return {
    servers: byName(servers),
    own: files.flatMap(({ own }) => own),
    errors: problems.filter(({ level }) => level === "error"),
  };
}

/** What they say where all servers have moved into a configuration. */
const moved = (config) => ({ servers: {}, own: [{ name: "toolsift", config }], errors: [] });

/** A user whose servers of a client's sample have moved; `added` is the client's file since then, and `name` the file in the home. */
async function added(t, id = "cursor") {
  const me = somebody(t);
  const { file: name, text } = SAMPLES[id];
  const file = me.write(name, text);
  const { config, backup } = await addTo(id, me.place);
  return { me, name, text, file, config, backup, added: me.read(name) };
}

const backups = (file) => readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.toolsift-backup-`));

for (const [id, { file, text }] of Object.entries(SAMPLES)) {
  test(`1, 2, 3. ${id}: servers move behind toolsift, once, and come back as they were`, async (t) => {
    const me = somebody(t);
    me.write(file, text);
    const before = await readClient(id, me.place);
    assert.deepEqual([byName(before.servers), before.problems], [COMMON, []]);
    const change = await addTo(id, me.place);
    assert.deepEqual([change.changed, change.moved, change.kept], [true, ["gh", "web"], []]);
    assert.equal(change.config, me.path(`state/clients/${id}.json`));
    assert.deepEqual(await seen(id, me.place), moved(change.config));
    assert.deepEqual(byName((await readConfig(change.config, me.place)).servers), COMMON);
    assert.equal(statSync(change.config).mode & 0o777, 0o600);
    assert.equal(readFileSync(change.backup, "utf8"), text);
    for (const comment of text.match(/\/\/ .*|# .*|\/\*.*?\*\//g) ?? []) {
      if (comment !== "# runs it") assert.ok(me.read(file).includes(comment), `${comment} stays`);
    }

    const added = me.read(file);
    const again = await addTo(id, me.place);
    assert.deepEqual([again.changed, again.moved, again.notes, me.read(file)], [false, [], [], added]);
    assert.equal(backups(me.path(file)).length, 1, "what changes nothing needs no backup");

    const removal = await removeFrom(id, me.place);
    assert.deepEqual([removal.changed, removal.moved], [true, ["gh", "web"]]);
    assert.equal(me.read(file), text);
    assert.deepEqual(readdirSync(me.path("state/clients")), []);
    assert.equal((await removeFrom(id, me.place)).changed, false);
  });
}

test("1. Windows: cmd /c where the client needs it", async (t) => {
  const me = somebody(t);
  const at = (platform) => ({ ...me.place, platform, env: { ...me.place.env, APPDATA: me.home } });
  const entry = async (id) => (await addTo(id, { ...at("win32"), dryRun: true, create: true })).diff;
  assert.match(await entry("claude-code"), /"command": "cmd",[^]*"\/c",[^]*"npx",/);
  assert.match(await entry("codex"), /command = "cmd"/);
  assert.match(await entry("cursor"), /"command": "npx",/);
  assert.match((await addTo("claude-code", { ...at("linux"), dryRun: true, create: true })).diff, /"command": "npx",/);
});

/** Texts of the files of Cursor and Codex that are hard to edit. */
const TEXTS = {
  "no servers": '{\n  "mcpServers": {}\n}',
  "no key": '{ "a": 1 }\n',
  "an empty object": "{}",
  "an empty file": "",
  spaces: " \n\n",
  "only comments": "// nothing yet\n",
  "comments in the empty object": '{ "mcpServers": { /* none */ // yet\n } }',
  "a byte order mark": '\uFEFF{"mcpServers":{"a":{"command":"x"}}}',
  CRLF: '{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "x" }, // one\r\n\t\t"b": { "command": "y" }\r\n\t}\r\n}\r\n',
  "four spaces":
    '{\n    "mcpServers": {\n        "a": {\n            "command": "x"\n        }\n    },\n    "z": [1,\n2]\n}',
  "trailing commas and odd places": '{"mcpServers":\n{ "a" : {"command":"x",},\n\n/* b */ "b":{"command":"y"} , } , }',
  __proto__: '{"mcpServers":{"__proto__":{"command":"x"},"constructor":{"command":"y","env":{"__proto__":"1"}}}}',
  "strings that look like structure":
    '{"mcpServers":{"a":{"command":"}, \\"b\\": {","args":["// no comment","{","\\u007d"]}}}',
  "characters beyond the plane": '{"mcpServers":{"🔧🔨":{"command":"🔧"},"🔧":{"command":"\\ud83d\\udd28"}},"🔧":"🔨"}',
  "a server named toolsift": '{"mcpServers":{"toolsift":{"command":"other"},"a":{"command":"x"}}}',
};

const TOMLS = {
  "an empty file": "",
  "no servers": 'model = "x"',
  CRLF: '# a\r\n[mcp_servers.a]\r\ncommand = "x"\r\n\r\n[b]\r\nc = 1\r\n',
  "strings that look like tables":
    '[mcp_servers.a]\ncommand = """\n[mcp_servers.b]\n"""\nargs = [\n"[c]", # ]\n\'\'\'\n[d]\'\'\',\n]\n[e]\nf = "#"\n',
  "quoted names":
    '[mcp_servers."a.b"]\ncommand = "x"\n[mcp_servers."a.b".env]\nK = \'v\'\n[mcp_servers.__proto__]\ncommand = "y"\n',
  "arrays of tables": '[[profiles]]\nname = "1"\n[mcp_servers.a]\ncommand = "x"\n[[profiles]]\nname = "2"\n',
  "an empty table": '[mcp_servers]\n\n[mcp_servers.a]\ncommand="x"',
};

for (const [id, texts] of [
  ["cursor", TEXTS],
  ["codex", TOMLS],
]) {
  for (const [name, text] of Object.entries(texts)) {
    test(`2. ${id}: add, then remove gives the same bytes: ${name}`, async (t) => {
      const me = somebody(t);
      const { file } = SAMPLES[id];
      me.write(file, text);
      const before = await seen(id, me.place);
      const { config } = await addTo(id, me.place);
      assert.deepEqual(await seen(id, me.place), moved(config));
      assert.deepEqual(byName((await readConfig(config, me.place)).servers), before.servers);
      if (text.includes("\r\n")) assert.doesNotMatch(me.read(file), /[^\r]\n/);
      await removeFrom(id, me.place);
      assert.equal(me.read(file), text);
    });
  }
}

test("2. Property: made-up files come back byte by byte", async (t) => {
  const me = somebody(t);
  let seed = 14;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const pick = (...list) => list[random(list.length)];
  for (let round = 0; round < (isFull ? 200 : 50); round += 1) {
    const eol = pick("\n", "\r\n");
    const gap = () => pick("", " ", eol, `${eol}\t`, ` // c${random(9)}${eol}`, "/* , } */", `${eol}${eol}    `);
    const object = (pairs, trailing) =>
      `{${gap()}${pairs.map((pair) => gap() + pair + gap()).join(",")}${trailing && pairs.length > 0 ? "," : ""}${gap()}}`;
    const pair = (key, value) => `${JSON.stringify(key)}${gap()}:${gap()}${value}`;
    const server = () =>
      object(
        [pair("command", JSON.stringify(pick("x", "}", "//", '"'))), ...(random(2) ? [pair("args", '["a", "b"]')] : [])],
        random(2),
      );
    const servers = pick("a", "b c", "__proto__", "toolsift", "é")
      .split("")
      .map((key, place) => pair(`${key}${place}`, server()));
    const others = Array.from({ length: random(3) }, (_, place) =>
      pair(`k${place}`, pick("1", "[1, 2]", '{ "mcpServers": {} }', '"}"')),
    );
    const text =
      pick("", "\uFEFF") + gap() + object([...others, pair("mcpServers", object(servers, random(2)))], random(2)) + gap();
    me.write(".cursor/mcp.json", text);
    const { moved } = await addTo("cursor", me.place);
    assert.equal(moved.length, servers.length, JSON.stringify(text));
    await removeFrom("cursor", me.place);
    assert.equal(me.read(".cursor/mcp.json"), text);
  }
});

test("2. A file that did not exist is gone again", async (t) => {
  const me = somebody(t);
  const refusal = /Windsurf was not found on this machine\. Neither ".*mcp_config\.json" nor .* Pass --create/;
  await assert.rejects(addTo("windsurf", me.place), refusal);
  await assert.rejects(addTo("windsurf", { ...me.place, dryRun: true }), refusal);
  assert.deepEqual([me.has(".codeium"), me.has("state")], [false, false]);
  const change = await addTo("windsurf", { ...me.place, create: true });
  assert.ok(change.notes.some((note) => note.includes("did not exist")));
  assert.ok(me.has(".codeium/windsurf/mcp_config.json"));
  await removeFrom("windsurf", me.place);
  assert.equal(me.has(".codeium/windsurf/mcp_config.json"), false);
});

test("2. A client without a file is found by its folder; --create is a flag of the command", async (t) => {
  for (const [id, folder] of [
    ["cursor", ".cursor"],
    ["claude-code", ".claude"],
    ["vscode", ".config/Code/User"],
  ]) {
    const me = somebody(t);
    const refused = await run(me, "add", id, "--yes");
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /was not found on this machine/);
    mkdirSync(me.path(folder), { recursive: true });
    assert.equal((await addTo(id, me.place)).changed, true);
  }
  const me = somebody(t);
  assert.equal((await run(me, "add", "zed", "--yes", "--create")).code, 0);
  assert.ok(me.has(SAMPLES.zed.file));
});

test("3. Servers that were put beside toolsift move too, and all come back", async (t) => {
  const { me, name, added: text } = await added(t);
  me.write(name, text.replace('"mcpServers": {', '"mcpServers": { "new": { "command": "n" }, '));
  const change = await addTo("cursor", me.place);
  assert.deepEqual(change.moved, ["new"], "the others moved before");
  assert.deepEqual(byName((await readConfig(change.config, me.place)).servers), { ...COMMON, new: { command: "n" } });
  await removeFrom("cursor", me.place);
  assert.deepEqual((await seen("cursor", me.place)).servers, { ...COMMON, new: { command: "n" } });
  assert.ok(me.read(name).includes("// all of mine"));
});

test("3. Servers to keep stay, also the next time, until the user says otherwise", async (t) => {
  const me = somebody(t);
  me.write(SAMPLES.zed.file, SAMPLES.zed.text);
  const first = await addTo("zed", { ...me.place, keep: ["web", "none"] });
  assert.deepEqual([first.moved, first.kept], [["gh"], [{ name: "web", reason: "it is to be kept" }]]);
  assert.ok(first.notes.some((note) => note.includes('no server "none" to keep')));
  assert.deepEqual((await seen("zed", me.place)).servers, { web: COMMON.web });
  assert.equal((await addTo("zed", me.place)).changed, false);
  assert.deepEqual((await addTo("zed", { ...me.place, keep: [] })).moved, ["web"]);
  await removeFrom("zed", me.place);
  assert.equal(me.read(SAMPLES.zed.file), SAMPLES.zed.text);
});

for (const id of ["claude-code", "codex", "opencode"]) {
  test(`4. ${id}: changes in both files meanwhile are kept`, async (t) => {
    const { me, name: file, config } = await added(t, id);
    const ours = JSON.parse(readFileSync(config, "utf8"));
    ours.mcpServers.gh.args.push("--more");
    delete ours.mcpServers.web;
    ours.mcpServers.fresh = { command: "f", env: { A: "1" } };
    writeFileSync(config, JSON.stringify(ours));
    me.write(file, id === "codex" ? `added = 1\n${me.read(file)}` : me.read(file).replace("{", '{ "added": 1,'));
    await removeFrom(id, me.place);
    const { servers, own, errors } = await seen(id, me.place);
    const gh = { ...COMMON.gh, args: ["-y", "gh", "--more"] };
    const fresh = { command: "f", env: { A: "1" }, ...(id === "opencode" && { args: [] }) };
    assert.deepEqual([servers, own, errors], [{ gh, fresh }, [], []]);
    assert.match(me.read(file), /"?added"?/);
    if (id === "codex") assert.match(me.read(file), /# the profile\n\[profiles\.work\]/);
    if (id === "claude-code") assert.deepEqual(JSON.parse(me.read(file)).projects, { "/p": { mcpServers: {} } });
  });
}

test("4. opencode: a server that was switched off behind toolsift is off in the form of the file", async (t) => {
  for (const [at, key, value] of [
    ["servers", "disabled", true],
    [undefined, "enabled", false],
  ]) {
    const me = somebody(t);
    const servers = { a: { type: "local", command: ["x"] } };
    me.write(SAMPLES.opencode.file, JSON.stringify({ mcp: at ? { [at]: servers } : servers }));
    const { config } = await addTo("opencode", me.place);
    writeFileSync(config, JSON.stringify({ mcpServers: { a: { command: "x", disabled: true } } }));
    await removeFrom("opencode", me.place);
    const { mcp } = JSON.parse(me.read(SAMPLES.opencode.file));
    assert.deepEqual(at ? mcp[at] : mcp, { a: { type: "local", command: ["x"], [key]: value } });
  }
});

test("4. A client that rewrites its whole file loses nothing", async (t) => {
  const { me, name, text, added: now } = await added(t, "claude-code");
  me.write(name, JSON.stringify({ firstStart: 1, ...JSON.parse(now), numStartups: 4 }, null, 4));
  await removeFrom("claude-code", me.place);
  assert.deepEqual(JSON.parse(me.read(name)), { firstStart: 1, ...JSON.parse(text), numStartups: 4 });
});

test("4. Settings and comments in our file stay when toolsift is removed", async (t) => {
  const { me, config } = await added(t);
  writeFileSync(config, readFileSync(config, "utf8").replace("{", '{ // tuned\n  "toolsift": { "calls": "one" },'));
  assert.equal((await addTo("cursor", me.place)).changed, false);
  await removeFrom("cursor", me.place);
  assert.equal(me.read(SAMPLES.cursor.file), SAMPLES.cursor.text);
  const left = readFileSync(config, "utf8");
  assert.match(left, /\/\/ tuned/);
  assert.doesNotMatch(left, /s3cret/);
  await addTo("cursor", me.place);
  assert.deepEqual(plain((await readConfig(config, me.place)).settings), { calls: "one" });
});

test("4. What cannot be given back stays in our file, and remove names it", async (t) => {
  const me = somebody(t);
  const { file } = SAMPLES.cursor;
  const [a, web, out] = [{ command: "a" }, { url: "https://w.test" }, { command: "o" }];
  const text = JSON.stringify({ mcpServers: { a, web, both: { command: "b" }, out } });
  me.write(file, text);
  const { config, backup } = await addTo("cursor", me.place);
  const ours = JSON.parse(readFileSync(config, "utf8"));
  ours.toolsift = { calls: "one" };
  ours.mcpServers.web.oauth = { clientId: "c" };
  ours.mcpServers.wrong = { command: 5 };
  delete ours.mcpServers.out;
  writeFileSync(config, JSON.stringify(ours));
  me.write(file, me.read(file).replace('"mcpServers":{', '"mcpServers":{ "both": { "command": "other" }, '));

  const dry = await removeFrom("cursor", { ...me.place, dryRun: true });
  const { moved, notes } = await removeFrom("cursor", me.place);
  assert.deepEqual(moved, ["a", "web"]);
  assert.deepEqual(dry.notes, notes);
  assert.deepEqual(notes, [
    `"both" stays in "${config}": the client has another server of this name.`,
    `"oauth" of "web" stays in "${config}": Cursor has no such setting.`,
    `"wrong" stays in "${config}": it is wrong ("wrong".command is number 5; it must be a text).`,
    `Deleted behind toolsift, so not restored: "out". The backup "${backup}" holds servers.`,
    `"toolsift" stays in "${config}": these settings belong to toolsift, not to Cursor.`,
  ]);
  const both = { command: "other" };
  assert.deepEqual((await seen("cursor", me.place)).servers, { a, web, both });
  const left = JSON.parse(readFileSync(config, "utf8"));
  assert.deepEqual(Object.keys(left.mcpServers), ["web", "both", "wrong"]);
  assert.deepEqual([left.toolsift, left.mcpServers.web.oauth], [{ calls: "one" }, { clientId: "c" }]);

  const again = await addTo("cursor", me.place);
  assert.deepEqual(again.moved, ["a", "web"], "how web signs in does not keep it from moving again");
  assert.deepEqual(JSON.parse(readFileSync(config, "utf8")).mcpServers.web.oauth, { clientId: "c" });
});

test("4. A moved server whose entry the user broke behind toolsift comes back as it was", async (t) => {
  const { me, config } = await added(t);
  const good = JSON.parse(readFileSync(config, "utf8"));
  const bad = JSON.stringify({ mcpServers: { ...good.mcpServers, gh: { command: 5 } } });
  writeFileSync(config, bad);
  const again = await addTo("cursor", me.place);
  assert.match(again.notes.join(), /was wrong and is as before the move again: "gh"\.command is number 5/);
  assert.deepEqual(byName((await readConfig(config, me.place)).servers), COMMON);
  writeFileSync(config, bad);
  const { notes } = await removeFrom("cursor", me.place);
  assert.match(notes.join(), /"gh" stays in ".*cursor\.json": it is wrong .*Cursor gets the entry from before the move/);
  assert.equal(me.read(SAMPLES.cursor.file), SAMPLES.cursor.text);
  assert.deepEqual(JSON.parse(readFileSync(config, "utf8")).mcpServers, { gh: { command: 5 } });
});

test("4. Claude Code's project scopes have configurations of their own", async (t) => {
  const me = somebody(t);
  const projects = { [me.place.cwd]: { mcpServers: { mine: { command: "m" } }, history: [] } };
  const text = JSON.stringify({ mcpServers: { all: { command: "a" } }, projects }, null, 2);
  me.write(".claude.json", text);
  me.write("project/.mcp.json", '{"mcpServers":{"team":{"command":"t"}}}');
  const local = await addTo("claude-code", { ...me.place, scope: "local" });
  const project = await addTo("claude-code", { ...me.place, scope: "project" });
  const user = await addTo("claude-code", me.place);
  assert.deepEqual([local.moved, project.moved, user.moved], [["mine"], ["team"], ["all"]]);
  assert.equal(new Set([local.config, project.config, user.config]).size, 3);
  assert.ok(project.notes.some((note) => note.includes("Do not commit")));
  for (const scope of ["local", "project", "user"]) await removeFrom("claude-code", { ...me.place, scope });
  assert.equal(me.read(".claude.json"), text);
  assert.equal(me.read("project/.mcp.json"), '{"mcpServers":{"team":{"command":"t"}}}');
  await assert.rejects(
    addTo("windsurf", { ...me.place, scope: "project" }),
    /Windsurf has no file for the scope "project"\. It has: user\./,
  );
});

test("5. What toolsift cannot carry stays, with a reason", async (t) => {
  const me = somebody(t);
  const servers = {
    asks: { command: "a", env: { K: "${input:k}" } },
    boxed: { command: "b", sandboxEnabled: true },
    wrong: { command: 5 },
    fine: { command: "f" },
  };
  me.write(SAMPLES.vscode.file, JSON.stringify({ servers }));
  const { moved, kept } = await addTo("vscode", me.place);
  assert.deepEqual(moved, ["fine"]);
  const reasons = Object.fromEntries(kept.map(({ name, reason }) => [name, reason]));
  assert.match(reasons.asks, /needs "\$\{input:k\}", which only the client can ask for/);
  assert.match(reasons.boxed, /uses "sandboxEnabled", which toolsift does not apply/);
  assert.match(reasons.wrong, /"wrong"\.command is number 5/);
  await removeFrom("vscode", me.place);
  assert.equal(me.read(SAMPLES.vscode.file), JSON.stringify({ servers }));
});

test("5. Settings that toolsift does not apply are named before and after the move, and come back", async (t) => {
  const CASES = {
    codex: {
      file: SAMPLES.codex.file,
      text: '[mcp_servers.a]\ncommand = "x"\nstartup_timeout_sec = 2\ntool_timeout_sec = 5\n[mcp_servers.b]\ncommand="y"\n',
      keys: ["startup_timeout_sec", "tool_timeout_sec"],
      message: '"a" is moved without "startup_timeout_sec", "tool_timeout_sec": toolsift does not apply these settings.',
    },
    cursor: {
      file: SAMPLES.cursor.file,
      text: '{"mcpServers":{"a":{"command":"x","weirdOption":1,"alwaysAllow":[],"description":"d"},"b":{"command":"y"}}}',
      keys: ["weirdOption"],
      message: '"a" is moved without "weirdOption": toolsift does not apply this setting.',
    },
    windsurf: {
      file: SAMPLES.windsurf.file,
      text: '{"mcpServers":{"a":{"serverUrl":"https://x.test","env":{"K":"1"}},"b":{"command":"y","headers":{}}}}',
      keys: ["env"],
      message: '"a" is moved without "env": toolsift does not apply this setting.',
    },
  };
  for (const [id, { file, text, keys, message }] of Object.entries(CASES)) {
    const me = somebody(t);
    me.write(file, text);
    const listed = async () => {
      const { stdout } = await run(me, "clients", "--json");
      return JSON.parse(stdout).clients.find((one) => one.id === id).files[0].unapplied;
    };
    assert.deepEqual(await listed(), [{ server: "a", keys }]);
    for (const dryRun of [true, false]) {
      const { notes } = await addTo(id, { ...me.place, dryRun });
      assert.equal(notes.filter((note) => note.includes("without")).join(), message);
    }
    assert.deepEqual(await listed(), [{ server: "a", keys }]);
    assert.ok((await run(me, "clients")).stdout.includes(`    toolsift does not apply "${keys.join('", "')}" of a\n`));
    await removeFrom(id, me.place);
    assert.equal(me.read(file), text);
  }
});

test("5. TOML servers that are not tables stay; ${…} that Codex takes literally stays literal", async (t) => {
  const me = somebody(t, { env: { HOME: "/h" } });
  const text = 'mcp_servers.dotted.command = "d"\n\n[mcp_servers.a]\ncommand = "sh"\nargs = ["-c", "echo ${HOME}"]\n';
  me.write(".codex/config.toml", text);
  const { moved, kept, config } = await addTo("codex", me.place);
  assert.deepEqual([moved, kept.map(({ name }) => name)], [["a"], ["dotted"]]);
  assert.match(kept[0].reason, /not written as a table of its own \(\[mcp_servers\.dotted\]\)/);
  assert.deepEqual((await readConfig(config, me.place)).servers[0].entry.args, ["-c", "echo ${HOME}"]);
  await removeFrom("codex", me.place);
  assert.equal(me.read(".codex/config.toml"), text);
});

test("5. A remote server without a token of its own: the login is asked for again", async (t) => {
  const me = somebody(t);
  me.write(
    ".cursor/mcp.json",
    '{"mcpServers":{"o":{"url":"https://o.test"},"k":{"url":"https://k.test","headers":{"authorization":"x"}}}}',
  );
  const { notes } = await addTo("cursor", me.place);
  const [note] = notes.filter((one) => one.includes("login"));
  assert.match(note, /^"o": if the server asks for a login, toolsift asks once more/);
  assert.doesNotMatch(note, /"k"/);
});

/** Cursor files that cannot be edited, and what the refusal says. */
const BROKEN = [
  ['{"mcpServers":{"a":{"command":}}}', /mcp\.json":1:31 is broken: a value is missing\. Nothing was written/],
  ['{"mcpServers":[]}', /is broken: "mcpServers" is no object/],
  ["[]", /the file holds no object/],
  ['{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}', /safely: it names "a" more than once\. Delete/],
  ['{"mcpServers":{"a":{"command":"x"},"a":5}}', /safely: it names "a" more than once\. Delete/],
  [Buffer.from([0xff]), /is not UTF-8/],
  [
    '{"mcpServers":{"t":{"command":"npx","args":["toolsift","mcp"]}}}',
    /has toolsift already, as "t" with no configuration\. Delete/,
  ],
];

for (const [text, message] of BROKEN) {
  test(`6. Nothing is written for ${text}`, async (t) => {
    const me = somebody(t);
    const file = me.write(".cursor/mcp.json", text);
    await assert.rejects(addTo("cursor", me.place), message);
    assert.deepEqual(readFileSync(file), Buffer.from(text));
    assert.deepEqual(backups(file), []);
    assert.equal(me.has("state"), false);
  });
}

test("6. TOML servers that cannot be taken out are named", async (t) => {
  const me = somebody(t);
  me.write(".codex/config.toml", 'mcp_servers = { inline = { command = "x" } }\n');
  await assert.rejects(addTo("codex", me.place), /it would be broken \(.+\)\. Write each server as a table of its own/);
  assert.equal(me.has("state"), false);
});

test("6. The refusal of a file that broke after add names the backup and the undo record", async (t) => {
  const { me, file, config, backup, added: text } = await added(t);
  const record = me.path("state/clients/cursor.undo.json");
  const sources = `The servers as they were before stand in the backup "${backup}" and in the undo record "${record}".`;
  for (const broken of [config, file]) {
    writeFileSync(broken, '{ "mcpServers": {');
    for (const change of [addTo, removeFrom]) {
      const refused = await change("cursor", me.place).catch(({ message }) => message);
      assert.ok(refused.startsWith(`"${broken}":1:18 is broken: `), refused);
      assert.ok(refused.endsWith(`Repair the file first. ${sources}`), refused);
    }
    writeFileSync(file, text);
  }
});

test("6. A file that is read-only, too large or a folder is refused, and our files are put back", async (t) => {
  const me = somebody(t);
  const file = me.write(".cursor/mcp.json", SAMPLES.cursor.text);
  chmodSync(file, 0o444);
  await assert.rejects(addTo("cursor", me.place), /is read-only\. Make it writable/);
  assert.deepEqual(readdirSync(me.path("state/clients")), []);
  chmodSync(file, 0o644);
  truncateSync(file, 50 * 1024 * 1024);
  await assert.rejects(addTo("cursor", me.place), /has 50 MB\. toolsift reads at most 10 MB/);
  rmSync(file);
  mkdirSync(file);
  await assert.rejects(addTo("cursor", me.place), /is no regular file/);
});

test("6. A file that changed between reading and writing is not replaced", async (t) => {
  const me = somebody(t);
  const file = me.write("x.json", "now");
  await assert.rejects(replace(file, "before", "after"), /changed while toolsift worked on it\. Nothing was written/);
  await assert.rejects(replace(me.path("new.json"), "before", "after"), /changed while/);
  assert.equal(me.read("x.json"), "now");
  assert.ok(readdirSync(me.home).every((name) => !name.endsWith(".tmp")));
});

test("6. A symbolic link stays one, its target keeps its mode, and five backups are kept", async (t) => {
  const me = somebody(t);
  const target = me.write("dotfiles/cursor.json", SAMPLES.cursor.text);
  chmodSync(target, 0o640);
  mkdirSync(me.path(".cursor"));
  symlinkSync(target, me.path(".cursor/mcp.json"));
  let oldest;
  for (let round = 0; round < 4; round += 1) {
    const { backup } = await addTo("cursor", me.place);
    oldest ??= basename(backup);
    await removeFrom("cursor", me.place);
  }
  assert.ok(lstatSync(me.path(".cursor/mcp.json")).isSymbolicLink());
  assert.equal(me.read("dotfiles/cursor.json"), SAMPLES.cursor.text);
  assert.equal(statSync(target).mode & 0o777, 0o640);
  assert.equal(backups(target).length, 5);
  assert.ok(backups(target).includes(oldest), "the backup from before the first change stays");
  for (const name of backups(target)) assert.equal(statSync(me.path(`dotfiles/${name}`)).mode & 0o777, 0o600);
});

test("6. A damaged record of the change is named, and nothing is written", async (t) => {
  const { me, name, added: text } = await added(t);
  me.write("state/clients/cursor.undo.json", "{");
  await assert.rejects(removeFrom("cursor", me.place), /cursor\.undo\.json" is damaged\. Delete it/);
  assert.equal(me.read(name), text);
  rmSync(me.path("state/clients/cursor.undo.json"));
  await removeFrom("cursor", me.place);
  assert.deepEqual((await seen("cursor", me.place)).servers, COMMON);
});

test("8. Without our configuration, the servers come back from the undo record, byte by byte", async (t) => {
  for (const [id, lose] of [
    ["cursor", (config) => rmSync(config)],
    ["codex", (config) => writeFileSync(config, " \n")],
  ]) {
    const { me, name, text, config, added: now } = await added(t, id);
    lose(config);
    const missing = /clients\/\w+\.json", which is missing\. Nothing was written\. Run `toolsift mcp remove \w+`/;
    await assert.rejects(addTo(id, me.place), missing);
    assert.equal(me.read(name), now);
    assert.doesNotMatch((await removeFrom(id, { ...me.place, dryRun: true })).diff, /s3cret|k3y-of-web/);
    const { moved, notes } = await removeFrom(id, me.place);
    assert.deepEqual([moved, me.read(name)], [["gh", "web"], text]);
    assert.match(notes.join(), /is missing\. The servers come from ".*undo\.json"/);
  }
});

test("8. Servers come back from the undo record too where the user deleted the entry", async (t) => {
  const { me, name, config } = await added(t);
  rmSync(config);
  me.write(name, "{}");
  await removeFrom("cursor", me.place);
  assert.deepEqual((await seen("cursor", me.place)).servers, COMMON);
});

test("8. The undo record stays where it holds the only copy of an entry", async (t) => {
  const { me, name, config, added: text } = await added(t);
  rmSync(config);
  me.write(name, text.replace('"mcpServers": {', '$& "gh": { "command": "other" }, '));
  const { moved, notes } = await removeFrom("cursor", me.place);
  assert.deepEqual(moved, ["web"]);
  assert.match(notes.join("\n"), /"gh" stays in ".*cursor\.undo\.json": the client has another server of this name/);
  assert.deepEqual((await seen("cursor", me.place)).servers, { web: COMMON.web, gh: { command: "other" } });
  assert.match(me.read("state/clients/cursor.undo.json"), /s3cret-token/);
});

test("8. Where the undo record is gone too, both commands refuse and name the newest backup with servers", async (t) => {
  for (const lose of [
    (me) => rmSync(me.path("state"), { recursive: true }),
    (me) => {
      rmSync(me.path("state/clients/cursor.undo.json"));
      me.write("state/clients/cursor.json", '{"mcpServers":{}}');
    },
  ]) {
    const { me, name, file, backup, added: text } = await added(t);
    writeFileSync(`${file}.toolsift-backup-9999`, text);
    lose(me);
    for (const change of [addTo, removeFrom]) {
      const refused = await change("cursor", me.place).catch(({ message }) => message);
      assert.ok(refused.includes(`The newest backup with servers is "${backup}". Copy it to "${file}".`), refused);
      assert.equal(me.read(name), text);
    }
    rmSync(backup);
    if (!me.has("state")) await assert.rejects(removeFrom("cursor", me.place), /No backup .* Delete the entry by hand/);
  }
});

test("8. An entry that was added with another TOOLSIFT_HOME is not taken out without its servers", async (t) => {
  const { me, name, added: text } = await added(t);
  const other = { ...me.place, env: { TOOLSIFT_HOME: me.path("other") } };
  for (const change of [addTo, removeFrom]) {
    const refused = await change("cursor", other).catch(({ message }) => message);
    assert.ok(refused.includes(`Set TOOLSIFT_HOME to "${me.path("state")}"`), refused);
    assert.equal(me.read(name), text);
  }
});

test("8. An undo record whose servers are no servers is named as damaged", async (t) => {
  const { me, config } = await added(t);
  const record = JSON.parse(me.read("state/clients/cursor.undo.json"));
  rmSync(config);
  for (const servers of [[null], [{ name: 5, entry: {} }], [{ name: "a" }]]) {
    me.write("state/clients/cursor.undo.json", JSON.stringify({ ...record, servers }));
    await assert.rejects(removeFrom("cursor", me.place), /cursor\.undo\.json" is damaged/);
  }
});

/** Runs a command of a user whose home is the test's folder. */
const run = (me, ...args) => toolsift(["mcp", ...args], { cwd: me.place.cwd, env: { HOME: me.home, ...me.place.env } });

test("7. A dry run shows the difference without secrets and writes nothing", async (t) => {
  const me = somebody(t);
  me.write(SAMPLES.cursor.file, SAMPLES.cursor.text);
  const { code, stdout, stderr } = await run(me, "add", "cursor", "--dry-run");
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^Cursor: .*mcp\.json would change\./);
  assert.match(
    stdout,
    /^- {5}"gh": \{ "command": "npx", "args": \["-y", "gh"\], "env": \{ "TOKEN": "•••" \} \}, \/\/ work$/m,
  );
  assert.match(stdout, /^\+ {5}"toolsift": \{$/m);
  assert.doesNotMatch(stdout, /s3cret|k3y-of-web/);
  assert.equal(me.read(SAMPLES.cursor.file), SAMPLES.cursor.text);
  assert.equal(me.has("state"), false);
});

test("7. add, clients and remove as commands, for people and as JSON", async (t) => {
  const me = somebody(t);
  me.write(SAMPLES.cursor.file, SAMPLES.cursor.text);
  const added = await run(me, "add", "cursor", "--keep", "web", "--json");
  const change = JSON.parse(added.stdout);
  assert.deepEqual([added.code, change.moved, change.dryRun], [0, ["gh"], false]);
  assert.doesNotMatch(added.stdout, /s3cret|k3y-of-web/);
  const listed = JSON.parse((await run(me, "clients", "--json")).stdout).clients.find(({ id }) => id === "cursor");
  assert.deepEqual(listed.files, [{ file: me.path(SAMPLES.cursor.file), scope: "user", servers: ["web"], behind: ["gh"] }]);
  const text = (await run(me, "clients")).stdout;
  assert.match(text, /^ {4}behind toolsift: gh$/m);
  assert.match(text, /^Zed: not configured here/m);
  assert.doesNotMatch(text, /s3cret|k3y-of-web/);
  const removed = await run(me, "remove", "cursor", "--yes");
  assert.match(removed.stdout, /^Servers that moved: gh$/m);
  assert.equal(me.read(SAMPLES.cursor.file), SAMPLES.cursor.text);
});

test("7. clients lists a file once, also where a client keeps the servers of a user and of a folder in it", async (t) => {
  const me = somebody(t);
  const project = { [me.place.cwd]: { mcpServers: { mine: { command: "y" } } } };
  me.write(".claude.json", JSON.stringify({ mcpServers: { everywhere: { command: "x" } }, projects: project }));
  const { stdout } = await run(me, "clients", "--json");
  const { files } = JSON.parse(stdout).clients.find(({ id }) => id === "claude-code");
  assert.deepEqual(files, [{ file: me.path(".claude.json"), scope: "local, user", servers: ["mine", "everywhere"] }]);
});

for (const [id, { file, text }] of Object.entries(SAMPLES).filter(([id]) => id !== "claude-desktop")) {
  test(`9. ${id}: an entry that leads to a gateway over HTTP has its token, which no terminal shows`, async (t) => {
    const me = somebody(t);
    me.write(file, text);
    const dry = await addTo(id, { ...me.place, http: 8_123, dryRun: true });
    assert.deepEqual([me.has("state"), dry.changed, me.read(file)], [false, true, text]);
    const change = await addTo(id, { ...me.place, http: 8_123 });
    const token = me.read("state/http-token").trim();
    assert.deepEqual([change.moved, await seen(id, me.place)], [["gh", "web"], moved(change.config)]);
    assert.ok(me.read(file).includes(`Bearer ${token}`) && me.read(file).includes("http://127.0.0.1:8123/mcp"));
    assert.ok(change.notes.some((note) => note.includes(change.config) && note.endsWith("--http 8123")));
    for (const shown of [dry, change]) assert.doesNotMatch(JSON.stringify(shown), new RegExp(`${token}|Bearer`));
    assert.equal((await addTo(id, { ...me.place, http: 8_123 })).changed, false);
    assert.equal((await addTo(id, me.place)).changed, true, "the entry starts a gateway again");
    assert.doesNotMatch(me.read(file), /8123/);
    await addTo(id, { ...me.place, http: 8_123 });
    assert.deepEqual((await removeFrom(id, me.place)).moved, ["gh", "web"]);
    assert.equal(me.read(file), text);
  });
}

test("9. No entry with a token goes where it cannot work, or where others read it", async (t) => {
  const me = somebody(t);
  for (const id of ["claude-desktop", "claude-code"]) me.write(SAMPLES[id].file, SAMPLES[id].text);
  me.write("project/.mcp.json", "{}");
  const http = 8_123;
  await assert.rejects(addTo("claude-desktop", { ...me.place, http }), /takes no URL/);
  await assert.rejects(addTo("claude-code", { ...me.place, scope: "project", http }), /would hold this machine's token/);
  assert.equal(me.has("state"), false);
  assert.equal((await addTo("claude-code", { ...me.place, scope: "local", create: true, http })).changed, true);
  const env = { ...me.place.env, TOOLSIFT_TOKEN: "a-token-of-my-own" };
  await addTo("claude-code", { ...me.place, env, http });
  assert.match(me.read(SAMPLES["claude-code"].file), /Bearer a-token-of-my-own/);
});

test("7. Without a terminal, a change needs --yes or --json", async (t) => {
  const me = somebody(t);
  me.write(SAMPLES.cursor.file, SAMPLES.cursor.text);
  const refused = await run(me, "add", "cursor");
  assert.deepEqual([refused.code, refused.stdout], [2, ""]);
  assert.match(refused.stderr, /^error: cannot ask without a terminal\..* pass --yes\./);
  assert.equal(me.read(SAMPLES.cursor.file), SAMPLES.cursor.text);
  assert.equal((await run(me, "add", "cursor", "--yes")).code, 0);
  const added = me.read(SAMPLES.cursor.file);
  assert.equal((await run(me, "remove", "cursor")).code, 2);
  assert.equal(me.read(SAMPLES.cursor.file), added);
  assert.equal((await run(me, "remove", "cursor", "--json")).code, 0);
  assert.equal(me.read(SAMPLES.cursor.file), SAMPLES.cursor.text);
});

test("7. A wrong command line ends with 2, a failure with 1, without a stack trace", async (t) => {
  const me = somebody(t);
  me.write(".cursor/mcp.json", "{");
  for (const args of [["add"], ["add", "emacs"], ["remove", "cursor", "--scope", "all"]]) {
    const { code, stderr } = await run(me, ...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, /^error: /);
  }
  const { code, stderr } = await run(me, "add", "cursor", "--yes");
  assert.equal(code, 1);
  assert.match(stderr, /^error: ".*mcp\.json":1:2 is broken: a closing brace is missing/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});
