/**
 * Do secrets of servers lie in the keyring of the system?
 *
 * 1. `mcp secret set` hands the secret to the system's program on standard input, on every system, and `remove` removes it; the
 * secret stands in no argument and in no output. 2. `${keyring:NAME}` in `env` of an entry is filled in when the gateway starts the
 * server, and by commands that list servers. 3. A missing program, a name that is not there, a name and a secret that cannot be
 * are told; the other servers run. 4. In `args` and addresses, which others can read, it is refused. 5. `$${keyring:NAME}` is text.
 *
 * The programs of the systems are stood in for by one that keeps secrets in a file, and writes down how it was called.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { readSecret, removeSecret, writeSecret } from "../../cli/dist/keyring.js";
import { folder, toolsift, until } from "./command-line.mjs";
import { call, said, search } from "./gateways.mjs";
import { config, overStdio } from "./processes.mjs";

const SECRET = 'ghp_"S3cret $x ü';

/** Stands for secret-tool, security and powershell.exe, as its own name says. */
const PROGRAM = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
const [, self, program, ...args] = process.argv;
const [kept, log] = ["kept.json", "log.txt"].map((name) => join(dirname(self), name));
const all = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {};
const save = () => writeFileSync(kept, JSON.stringify(all));
const fail = (text) => (process.stderr.write(text), process.exit(44));
const input = await text(process.stdin);
appendFileSync(log, JSON.stringify({ program, args, env: process.env.TOOLSIFT_SECRET_NAME }) + "\\n");
const after = (name, list = args) => list[list.indexOf(name) + 1];
const read = (name) => (name in all ? process.stdout.write(all[name]) : fail("no such secret"));
const remove = (name) => (name in all ? (delete all[name], save()) : fail("no such secret"));
if (program === "secret-tool") {
  const name = after("account");
  if (args[0] === "store") (all[name] = input), save();
  else args[0] === "lookup" ? read(name) : remove(name);
} else if (program === "security") {
  const line = input.trim().split(" ");
  if (args[0] === "-i") (all[after("-a", line)] = Buffer.from(after("-X", line), "hex").toString()), save();
  else args[0] === "find-generic-password" ? (read(after("-a")), process.stdout.write("\\n")) : remove(after("-a"));
} else {
  const script = Buffer.from(after("-EncodedCommand"), "base64").toString("utf16le");
  const name = process.env.TOOLSIFT_SECRET_NAME;
  if (script.includes("$v.Add(")) (all[name] = input), save();
  else script.includes("$v.Remove(") ? remove(name) : read(name);
}
`;

const SERVER = `
import { createInterface } from "node:readline";
const tools = [{ name: process.argv[2], description: "Says who it is: " + process.env.TOKEN?.length, inputSchema: { type: "object" } }];
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } }),
  "tools/list": () => ({ tools }),
  "tools/call": () => ({ content: [{ type: "text", text: process.env.TOKEN }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
}
`;

/** A folder with the programs, and the variables with which they are found. */
function keyring() {
  const names = ["secret-tool", "security", "powershell.exe"];
  const path = folder({ "program.mjs": PROGRAM, "server.mjs": SERVER });
  for (const name of names) {
    writeFileSync(join(path, name), `#!/bin/sh\nexec "${process.execPath}" "${join(path, "program.mjs")}" ${name} "$@"\n`, {
      mode: 0o755,
    });
  }
  const env = { PATH: `${path}${delimiter}${process.env.PATH}` };
  return {
    path,
    env,
    log: () => readFileSync(join(path, "log.txt"), "utf8"),
    kept: () => JSON.parse(readFileSync(join(path, "kept.json"), "utf8")),
  };
}

/** Runs with other variables. */
async function within(env, run) {
  const before = process.env.PATH;
  process.env.PATH = env.PATH;
  try {
    return await run();
  } finally {
    process.env.PATH = before;
  }
}

for (const [platform, program] of [
  ["linux", "secret-tool"],
  ["darwin", "security"],
  ["win32", "powershell.exe"],
]) {
  test(`${platform}: a secret goes to ${program} on standard input, and comes back`, async () => {
    const { env, log, kept } = keyring();
    await within(env, async () => {
      await writeSecret("github", SECRET, platform);
      assert.equal(await readSecret("github", platform), SECRET);
      await removeSecret("github", platform);
      await assert.rejects(readSecret("github", platform), {
        message: /gave no secret github \(no such secret\); set it with: npx toolsift mcp secret set github/,
      });
      await assert.rejects(removeSecret("github", platform), /has no secret github/);
    });
    assert.deepEqual(kept(), {});
    for (const line of log().trim().split("\n")) assert.equal(JSON.parse(line).program, program);
    assert.doesNotMatch(log(), /S3cret/);
    assert.ok(!log().includes(Buffer.from(SECRET).toString("hex")));
  });
}

test("a missing program, and names and secrets that cannot be, are told", async () => {
  const nothing = { PATH: folder({}) };
  await within(nothing, async () => {
    await assert.rejects(readSecret("github", "linux"), /there is no secret-tool; it is in the package libsecret-tools/);
    for (const name of ["", "a b", "-x", "x".repeat(101), "$(id)", "a'b"])
      await assert.rejects(readSecret(name, "darwin"), /a secret's name has/);
    for (const secret of ["", "two\nlines", "x".repeat(65_537)])
      await assert.rejects(writeSecret("github", secret, "linux"), /a secret is one line/);
  });
});

const isLinux = process.platform === "linux";
const linux = { skip: isLinux ? false : "the program that stands for the keyring is a script of Linux" };

test("the command sets and removes, and shows no secret", linux, async () => {
  const { env, kept } = keyring();
  const set = await toolsift(["mcp", "secret", "set", "github"], { env, input: `${SECRET}\n` });
  assert.deepEqual([set.code, set.stdout], [0, ""]);
  assert.match(set.stderr, /\$\{keyring:github\}/);
  assert.doesNotMatch(set.stderr, /S3cret/);
  assert.deepEqual(kept(), { github: SECRET });
  assert.equal((await toolsift(["mcp", "secret", "remove", "github"], { env })).code, 0);
  const again = await toolsift(["mcp", "secret", "remove", "github"], { env });
  assert.deepEqual([again.code, /has no secret github/.test(again.stderr)], [1, true]);
  const without = await toolsift(["mcp", "secret", "set", "github"], { env: { PATH: folder({}) }, input: "x\n" });
  assert.equal(without.code, 1);
  assert.match(without.stderr, /there is no secret-tool/);
});

test("the gateway fills it in when it starts the server; what is not there stops its server alone", linux, async (t) => {
  const { env, path } = keyring();
  await within(env, () => writeSecret("github", SECRET, "linux"));
  const entry = (name, TOKEN, args = []) => ({
    command: process.execPath,
    args: [join(path, "server.mjs"), name, ...args],
    env: { TOKEN },
  });
  const servers = {
    good: entry("say_good", "x${keyring:github}"),
    text: entry("say_text", "$${keyring:github}"),
    lost: entry("say_lost", "${keyring:nothing}"),
    open: entry("say_open", "1", ["${keyring:github}"]),
  };
  const file = config(path, servers, { activation: "on" });
  const { client, stderr } = await within(env, () => overStdio(t, path, ["--config", file]));
  assert.equal(said(await call(client, "say_good")), `x${SECRET}`);
  assert.equal(said(await call(client, "say_text")), "${keyring:github}");
  let told;
  const isTold = async () => /keyring gave no secret nothing/.test((told = said(await search(client, "say who it is"))));
  await until(isTold, "what the keyring said");
  assert.match(told, /open \("\$\{keyring:github\} may stand in/);
  assert.doesNotMatch(`${told}${stderr()}`, /S3cret/);
  const listed = await toolsift(["tools", file], { env });
  assert.match(listed.stderr, /the server lost: the system.s keyring gave no secret nothing/);
  assert.match(listed.stdout, new RegExp(`Says who it is: ${SECRET.length + 1}`));
});
