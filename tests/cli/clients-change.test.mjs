/**
 * Tests adding toolsift to clients' configurations, and removing it.
 * 1. `add` moves the servers to toolsift, and changes nothing else.
 * 2. `add` and then `remove` restores the same bytes, for every form of file.
 * 3. A second `add` changes nothing, but moves servers that were added to the client in the meantime.
 * 4. `remove` keeps the user's later changes, in the client and in toolsift's configuration.
 * 5. Servers with settings that toolsift does not support stay in the client, with a reason.
 * 6. After an error, nothing is written.
 * 7. The commands are in transcripts/clients.md.
 * 8. Servers are never lost: if our configuration is missing, they come from the backup, or the command refuses.
 * 9. An entry may connect to a gateway over HTTP, with the gateway's token.
 */

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { test } from "vitest";
import { addTo } from "../../cli/src/clients/add.ts";
import { readConfig } from "../../cli/src/clients/config.ts";
import { replace } from "../../cli/src/clients/files.ts";
import { readClient } from "../../cli/src/clients/read.ts";
import { removeFrom } from "../../cli/src/clients/remove.ts";
import { isFull } from "../../scripts/lib/full.mjs";
import { toolsift } from "./command-line.mjs";
import { byName, COMMON, SAMPLES, somebody } from "./clients-helpers.mjs";

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

/** A user whose servers of a client's file have moved; `added` is the client's file since then, and `name` the file in the home. */
async function added(t, id = "cursor", text = SAMPLES[id].text) {
  const me = somebody(t);
  const { file: name } = SAMPLES[id];
  const file = me.write(name, text);
  const { config, backup } = await addTo(id, me.place);
  /** Changes our configuration. */
  const ours = (edit) => fs.writeFileSync(config, JSON.stringify(edit(JSON.parse(fs.readFileSync(config, "utf8")))));
  return { me, name, text, file, config, backup, added: me.read(name), ours };
}

const backups = (file) =>
  fs.readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.toolsift-backup-`));

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
    assert.equal(fs.statSync(change.config).mode & 0o777, 0o600);
    assert.equal(fs.readFileSync(change.backup, "utf8"), text);
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
    assert.deepEqual(fs.readdirSync(me.path("state/clients")), []);
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

test("2. A client without a file is found by its folder", async (t) => {
  const folders = { cursor: ".cursor", "claude-code": ".claude", vscode: ".config/Code/User" };
  for (const [id, folder] of Object.entries(folders)) {
    const me = somebody(t);
    await assert.rejects(addTo(id, me.place), /was not found on this machine/);
    fs.mkdirSync(me.path(folder), { recursive: true });
    assert.equal((await addTo(id, me.place)).changed, true);
  }
});

const fresh = { command: "f", env: { A: "1" } };
const more = { ...COMMON.gh, args: ["-y", "gh", "--more"] };
const mcp = (mcp) => JSON.stringify({ mcp });
const local = (rest) => ({ type: "local", command: ["x"], ...rest });
const json = (change) => (text) => JSON.stringify(change(JSON.parse(text)));
const off = json(() => ({ mcpServers: { a: { command: "x", disabled: true } } }));
const changes = json(() => ({ mcpServers: { gh: more, fresh } }));
const breaks = json(({ mcpServers }) => ({ mcpServers: { ...mcpServers, gh: { command: 5 } } }));
const adds = (text) => text.replace("{", '{ "added": 1,');
const beside = (server) => (text) => text.replace('"mcpServers": {', `$& ${JSON.stringify(server).slice(1, -1)},`);
const settings = (text) => text.replace("{", '{ // tuned\n  "toolsift": { "calls": "one" },');

/**
 * What happens after `add`: `ours` and `theirs` change our configuration and the client's file, `add` and `remove` run. Then `servers`
 * stand in the client, or all of it is as `text` says, or as it was; `moved`, `notes` and `left` (our file) are those of the last command.
 */
const STORIES = {
  "3. servers beside toolsift move too": {
    steps: [{ theirs: beside({ fresh }) }, "add"],
    moved: ["fresh"],
    behind: { ...COMMON, fresh },
  },
  "3. and all come back": {
    steps: [{ theirs: beside({ fresh }) }, "add", "remove"],
    servers: { ...COMMON, fresh },
    text: /\/\/ all of mine/,
  },
  "4. changes in both files meanwhile are kept": {
    id: "claude-code",
    steps: [{ ours: changes, theirs: adds }, "remove"],
    servers: { gh: more, fresh },
    text: /"added"[^]*"projects": \{ "\/p": \{ "mcpServers": \{\} \} \}/,
  },
  "4. in TOML too": {
    id: "codex",
    steps: [{ ours: changes, theirs: (text) => `added = 1\n${text}` }, "remove"],
    servers: { gh: more, fresh },
    text: /^added = 1[^]*# the profile\n\[profiles\.work\]/,
  },
  "4. and in a spelling of the client's own": {
    id: "opencode",
    steps: [{ ours: changes, theirs: adds }, "remove"],
    servers: { gh: more, fresh: { ...fresh, args: [] } },
    text: /"added"/,
  },
  "4. what is off behind toolsift is off in opencode's version 2": {
    id: "opencode",
    from: mcp({ servers: { a: local() } }),
    steps: [{ ours: off }, "remove"],
    parsed: { mcp: { servers: { a: local({ disabled: true }) } } },
  },
  "4. and in that of version 1": {
    id: "opencode",
    from: mcp({ a: local() }),
    steps: [{ ours: off }, "remove"],
    parsed: { mcp: { a: local({ enabled: false }) } },
  },
  "4. a client rewrites its file": {
    id: "claude-code",
    steps: [{ theirs: json((all) => ({ first: 1, ...all, numStartups: 4 })) }, "remove"],
    parsed: { first: 1, ...JSON.parse(SAMPLES["claude-code"].text), numStartups: 4 },
  },
  "4. settings and comments of ours stay": {
    steps: [{ ours: settings }, "add", "remove"],
    left: /\/\/ tuned\n {2}"toolsift": \{ "calls": "one" \}/,
  },
  "4. what the user broke behind toolsift moves again as it was": {
    steps: [{ ours: breaks }, "add"],
    notes: /invalid entry in .* is replaced by the one from before the move: "gh"\.command is number 5/,
    behind: COMMON,
  },
  "4. or comes back as it was": {
    steps: [{ ours: breaks }, "remove"],
    notes: /"gh" stays in ".*cursor\.json": it is wrong .*Cursor gets the entry from before the move/,
    left: /^\{\s*"mcpServers": ?\{\s*"gh": ?\{\s*"command": ?5\s*\}\s*\}\s*\}\s*$/,
  },
  "8. the backup is named where it has the only copy": {
    steps: [{ ours: () => undefined, theirs: beside({ gh: { command: "other" } }) }, "remove"],
    moved: ["web"],
    notes: /"gh" stays in ".*\.toolsift-backup-cursor": the client has another server of this name\./,
    servers: { web: COMMON.web, gh: { command: "other" } },
  },
  "8. servers come back though the entry was deleted": { steps: [{ theirs: () => "{}" }, "remove"], servers: COMMON },
};

/** Replaces a file by what a function makes of its text; a file of which nothing is made goes. */
function edit(file, by) {
  const text = by(fs.readFileSync(file, "utf8"));
  if (text === undefined) fs.rmSync(file);
  else fs.writeFileSync(file, text);
}

for (const [title, { id = "cursor", from, steps, ...expected }] of Object.entries(STORIES)) {
  test(title, async (t) => {
    const { moved, notes, servers, behind, text, parsed, left } = expected;
    const { me, name, text: before, file, config, backup } = await added(t, id, from);
    let change;
    for (const step of steps) {
      if (step === "add") change = await addTo(id, me.place);
      else if (step === "remove") change = await removeFrom(id, me.place);
      if (step.theirs) edit(file, step.theirs);
      if (step.ours) edit(config, step.ours);
    }
    if (moved) assert.deepEqual(change.moved, moved);
    if (notes) assert.match(change.notes.join("\n"), notes);
    if (behind) assert.deepEqual(byName((await readConfig(config, me.place)).servers), behind);
    if (left) assert.match(fs.readFileSync(config, "utf8"), left);
    if (servers) assert.deepEqual(await seen(id, me.place), { servers, own: [], errors: [] });
    if (text) assert.match(me.read(name), text);
    if (parsed) assert.deepEqual(JSON.parse(me.read(name)), parsed);
    if (steps.at(-1) === "remove" && !servers && !parsed) assert.equal(me.read(name), before);
    assert.equal(fs.readFileSync(backup, "utf8").includes("toolsift"), false);
  });
}

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

test("4. What cannot be given back stays in our file, and remove names it", async (t) => {
  const [a, web, out, both] = [{ command: "a" }, { url: "https://w.test" }, { command: "o" }, { command: "other" }];
  const before = JSON.stringify({ mcpServers: { a, web, both: { command: "b" }, out } });
  const { me, name, config, backup, ours, added: text } = await added(t, "cursor", before);
  ours(({ mcpServers: { out: _, ...servers } }) => ({
    toolsift: { calls: "one" },
    mcpServers: { ...servers, web: { ...web, oauth: { clientId: "c" } }, wrong: { command: 5 } },
  }));
  me.write(name, text.replace('"mcpServers": {', `$& "both": ${JSON.stringify(both)}, `));

  const dry = await removeFrom("cursor", { ...me.place, dryRun: true });
  const { moved, notes } = await removeFrom("cursor", me.place);
  assert.deepEqual([moved, dry.notes], [["a", "web"], notes]);
  assert.deepEqual(notes, [
    `"both" stays in "${config}": the client has another server of this name.`,
    `"oauth" of "web" stays in "${config}": Cursor has no such setting.`,
    `"wrong" stays in "${config}": it is wrong ("wrong".command is number 5; it must be a text).`,
    `Not restored, because they were deleted from toolsift's configuration: "out". The backup "${backup}" has the servers as they were.`,
    `"toolsift" stays in "${config}": these settings belong to toolsift, not to Cursor.`,
  ]);
  assert.deepEqual((await seen("cursor", me.place)).servers, { a, web, both });
  const left = JSON.parse(fs.readFileSync(config, "utf8"));
  assert.deepEqual(Object.keys(left.mcpServers), ["web", "both", "wrong"]);
  assert.deepEqual([left.toolsift, left.mcpServers.web.oauth], [{ calls: "one" }, { clientId: "c" }]);

  const again = await addTo("cursor", me.place);
  assert.deepEqual(again.moved, ["a", "web"], "how web signs in does not keep it from moving again");
  assert.deepEqual(JSON.parse(fs.readFileSync(config, "utf8")).mcpServers.web.oauth, { clientId: "c" });
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

/** A client's file, the servers that move out of it, and why the others stay. */
const STAYS = [
  [
    "vscode",
    JSON.stringify({
      servers: {
        ...{ asks: { command: "a", env: { K: "${input:k}" } }, boxed: { command: "b", sandboxEnabled: true } },
        ...{ wrong: { command: 5 }, fine: { command: "f" } },
      },
    }),
    ["fine"],
    {
      asks: /needs "\$\{input:k\}", which only the client can ask for/,
      boxed: /uses "sandboxEnabled", which toolsift does not apply/,
      wrong: /"wrong"\.command is number 5/,
    },
  ],
  [
    "codex",
    'mcp_servers.dotted.command = "d"\n\n[mcp_servers.a]\ncommand = "sh"\nargs = ["-c", "echo ${HOME}"]\n',
    ["a"],
    { dotted: /not written as a table of its own \(\[mcp_servers\.dotted\]\)/ },
  ],
  ["opencode", '{"mcp":{"f":{"type":"local","command":["x","{file:a}"]}}}', [], { f: /reads values from files/ }],
];

for (const [id, text, moved, reasons] of STAYS) {
  test(`5. ${id}: what toolsift cannot carry stays, with a reason, also the next time`, async (t) => {
    const me = somebody(t);
    me.write(SAMPLES[id].file, text);
    for (const first of [true, false]) {
      const change = await addTo(id, me.place);
      assert.deepEqual([change.changed, change.moved], first ? [true, moved] : [false, []]);
      assert.deepEqual(change.kept.map(({ name }) => name).sort(), Object.keys(reasons).sort());
      for (const { name, reason } of change.kept) assert.match(reason, reasons[name]);
    }
    await removeFrom(id, me.place);
    assert.equal(me.read(SAMPLES[id].file), text);
  });
}

test("5. ${…} that Codex takes literally stays literal", async (t) => {
  const { me, config } = await added(t, "codex", STAYS[1][1]);
  const { servers } = await readConfig(config, { ...me.place, env: { HOME: "/h" } });
  assert.deepEqual(servers[0].entry.args, ["-c", "echo ${HOME}"]);
});

/** A client's file, the settings of the server `a` that toolsift does not apply, and what `add` says of them. */
const UNAPPLIED = [
  [
    "codex",
    '[mcp_servers.a]\ncommand = "x"\nstartup_timeout_sec = 2\ntool_timeout_sec = 5\n[mcp_servers.b]\ncommand="y"\n',
    ["startup_timeout_sec", "tool_timeout_sec"],
    '"a" is moved without "startup_timeout_sec", "tool_timeout_sec": toolsift does not apply these settings.',
  ],
  [
    "cursor",
    '{"mcpServers":{"a":{"command":"x","weirdOption":1,"alwaysAllow":[],"description":"d"},"b":{"command":"y"}}}',
    ["weirdOption"],
    '"a" is moved without "weirdOption": toolsift does not apply this setting.',
  ],
  [
    "windsurf",
    '{"mcpServers":{"a":{"serverUrl":"https://x.test","env":{"K":"1"}},"b":{"command":"y","headers":{}}}}',
    ["env"],
    '"a" is moved without "env": toolsift does not apply this setting.',
  ],
];

for (const [id, text, keys, message] of UNAPPLIED) {
  test(`5. ${id}: settings that toolsift does not apply are named before and after the move, and come back`, async (t) => {
    const me = somebody(t);
    me.write(SAMPLES[id].file, text);
    const listed = async () => (await readClient(id, me.place)).files.at(-1).unapplied;
    assert.deepEqual(await listed(), [{ server: "a", keys }]);
    for (const dryRun of [true, false]) {
      const { notes } = await addTo(id, { ...me.place, dryRun });
      assert.equal(notes.filter((note) => note.includes("without")).join(), message);
    }
    assert.deepEqual(await listed(), [{ server: "a", keys }]);
    assert.ok((await run(me, "clients")).stdout.includes(`    toolsift does not apply "${keys.join('", "')}" of a\n`));
    await removeFrom(id, me.place);
    assert.equal(me.read(SAMPLES[id].file), text);
  });
}

test("5. A remote server without a token of its own: the login is asked for again", async (t) => {
  const me = somebody(t);
  const [o, k] = [{ url: "https://o.test" }, { url: "https://k.test", headers: { authorization: "x" } }];
  me.write(".cursor/mcp.json", JSON.stringify({ mcpServers: { o, k } }));
  const [note] = (await addTo("cursor", me.place)).notes.filter((one) => one.includes("login"));
  assert.match(note, /^"o": if the server asks for a login, toolsift asks once more/);
  assert.doesNotMatch(note, /"k"/);
});

/** Files of Cursor and Codex that cannot be edited, and what the refusal says. */
const BROKEN = [
  ["cursor", '{"mcpServers":{"a":{"command":}}}', /mcp\.json":1:31 is broken: a value is missing\. Nothing was written/],
  ["cursor", '{"mcpServers":[]}', /is broken: "mcpServers" is no object/],
  ["cursor", "[]", /the file holds no object/],
  ["claude-code", '{"mcpServers":5}', /is broken: "mcpServers" is no object/],
  ["opencode", '{"mcp":5}', /is broken: "mcp" is no object/],
  ["cursor", '{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}', /safely: it names "a" more than once\. Delete/],
  ["cursor", '{"mcpServers":{"a":{"command":"x"},"a":5}}', /safely: it names "a" more than once\. Delete/],
  ["cursor", Buffer.from([0xff]), /is not UTF-8/],
  [
    "cursor",
    '{"mcpServers":{"t":{"command":"npx","args":["toolsift","mcp"]}}}',
    /has toolsift already, as "t" with no configuration\. Delete/,
  ],
  [
    "codex",
    'mcp_servers = { inline = { command = "x" } }\n',
    /it would be broken \(.+\)\. Write each server as a table of its own/,
  ],
];

for (const [id, text, message] of BROKEN) {
  test(`6. ${id}: nothing is written for ${text}`, async (t) => {
    const me = somebody(t);
    const file = me.write(SAMPLES[id].file, text);
    await assert.rejects(addTo(id, me.place), message);
    assert.deepEqual(fs.readFileSync(file), Buffer.from(text));
    assert.deepEqual([backups(file), me.has("state")], [[], false]);
  });
}

test("6. A file that is read-only, too large or a folder is refused, and our files are put back", async (t) => {
  const me = somebody(t);
  const file = me.write(".cursor/mcp.json", SAMPLES.cursor.text);
  fs.chmodSync(file, 0o444);
  await assert.rejects(addTo("cursor", me.place), /is read-only\. Make it writable/);
  assert.deepEqual([fs.readdirSync(me.path("state/clients")), backups(file)], [[], []]);
  fs.chmodSync(file, 0o644);
  fs.truncateSync(file, 50 * 1024 * 1024);
  await assert.rejects(addTo("cursor", me.place), /has 50 MB\. toolsift reads at most 10 MB/);
  fs.rmSync(file);
  fs.mkdirSync(file);
  await assert.rejects(addTo("cursor", me.place), /is no regular file/);
});

test("6. A file that changed between reading and writing is not replaced", async (t) => {
  const me = somebody(t);
  const file = me.write("x.json", "now");
  await assert.rejects(replace(file, "before", "after"), /changed while toolsift worked on it\. Nothing was written/);
  await assert.rejects(replace(me.path("new.json"), "before", "after"), /changed while/);
  assert.equal(me.read("x.json"), "now");
  assert.ok(fs.readdirSync(me.home).every((name) => !name.endsWith(".tmp")));
});

test("6. The refusal of a file that broke after add names the backup", async (t) => {
  const { me, file, config, backup, added: text } = await added(t);
  for (const broken of [config, file]) {
    fs.writeFileSync(broken, '{ "mcpServers": {');
    for (const change of [addTo, removeFrom]) {
      const refused = await change("cursor", me.place).catch(({ message }) => message);
      assert.ok(refused.startsWith(`"${broken}":1:18 is broken: `), refused);
      assert.ok(refused.endsWith(`The backup "${backup}" holds the servers as they were before.`), refused);
    }
    fs.writeFileSync(file, text);
  }
});

test("6. A symbolic link stays one, its target keeps its mode, and there is one backup", async (t) => {
  const me = somebody(t);
  const target = me.write("dotfiles/cursor.json", SAMPLES.cursor.text);
  fs.chmodSync(target, 0o640);
  fs.mkdirSync(me.path(".cursor"));
  fs.symlinkSync(target, me.path(".cursor/mcp.json"));
  for (let round = 0; round < 3; round += 1) {
    await addTo("cursor", me.place);
    await removeFrom("cursor", me.place);
  }
  assert.ok(fs.lstatSync(me.path(".cursor/mcp.json")).isSymbolicLink());
  assert.equal(me.read("dotfiles/cursor.json"), SAMPLES.cursor.text);
  assert.equal(fs.statSync(target).mode & 0o777, 0o640);
  assert.deepEqual(backups(target), ["cursor.json.toolsift-backup-cursor"]);
  assert.equal(me.read("dotfiles/cursor.json.toolsift-backup-cursor"), SAMPLES.cursor.text);
  assert.equal(fs.statSync(me.path("dotfiles/cursor.json.toolsift-backup-cursor")).mode & 0o777, 0o600);
});

test("6. The backup of toolsift's last stay says nothing of the next one", async (t) => {
  const { me, name, file, text, backup } = await added(t);
  await removeFrom("cursor", me.place);
  me.write(name, '{"mcpServers":{}}');
  await removeFrom("cursor", me.place);
  assert.deepEqual([me.read(name), fs.readFileSync(backup, "utf8")], ['{"mcpServers":{}}', text]);
  fs.rmSync(file);
  assert.deepEqual((await addTo("cursor", me.place)).moved, []);
  await removeFrom("cursor", me.place);
  assert.equal(me.has(name), false);
});

/** What is done to our configuration, or to all of our state. */
const LOST = {
  "is gone": (config) => fs.rmSync(config),
  "is empty": (config) => fs.writeFileSync(config, " \n"),
  "is gone with the state folder": (_, me) => fs.rmSync(me.path("state"), { recursive: true }),
};

for (const [how, lose] of Object.entries(LOST)) {
  test(`8. Where our configuration ${how}, the servers come back from the backup, byte by byte`, async (t) => {
    for (const id of ["cursor", "codex"]) {
      const { me, name, text, config, backup, added: now } = await added(t, id);
      lose(config, me);
      assert.doesNotMatch((await removeFrom(id, { ...me.place, dryRun: true })).diff, /s3cret|k3y-of-web/);
      const again = await addTo(id, me.place);
      assert.match(again.notes.join(), /is missing\. The servers come from ".*toolsift-backup-\w+"/);
      assert.deepEqual([again.moved, me.read(name)], [["gh", "web"], now], "add repairs it");
      assert.deepEqual(byName((await readConfig(config, me.place)).servers), COMMON);
      lose(config, me);
      const { moved, notes } = await removeFrom(id, me.place);
      assert.deepEqual([moved, me.read(name)], [["gh", "web"], text]);
      assert.match(notes.join(), /is missing\. The servers come from ".*toolsift-backup-\w+"/);
      me.write(name, now);
      fs.rmSync(backup);
      for (const change of [addTo, removeFrom]) {
        await assert.rejects(
          change(id, me.place),
          /which is missing\. Nothing .* There is no backup .* Delete the entry by hand/,
        );
      }
      assert.equal(me.read(name), now);
    }
  });
}

test("8. An entry that was added with another TOOLSIFT_HOME is not taken out without its servers", async (t) => {
  const { me, name, added: text } = await added(t);
  const other = { ...me.place, env: { TOOLSIFT_HOME: me.path("other") } };
  for (const change of [addTo, removeFrom]) {
    const refused = await change("cursor", other).catch(({ message }) => message);
    assert.ok(refused.includes(`Set TOOLSIFT_HOME to "${me.path("state")}"`), refused);
    assert.equal(me.read(name), text);
  }
});

/** Runs a command of a user whose home is the test's folder. */
const run = (me, ...args) => toolsift(["mcp", ...args], { cwd: me.place.cwd, env: { HOME: me.home, ...me.place.env } });

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
