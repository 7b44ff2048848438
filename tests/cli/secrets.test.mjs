/**
 * Do secrets of servers come from commands that print them?
 *
 * 1. `${command:op read …}` in `env` of an entry is filled in when the gateway starts the server, and by commands that list
 * servers. The program's output is in no message. 2. A command that fails or prints nothing stops its server alone, which is
 * told. 3. In `args` and addresses, which others can read, it is refused. 4. `$${command:…}` is text, `${command:id}` is VS
 * Code's, and a text of the environment never becomes a command.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, toolsift, until } from "./command-line.mjs";
import { call, said, search } from "./gateways.mjs";
import { config, overStdio } from "./processes.mjs";

const SECRET = 'ghp_"S3cret $x ü';

/** Stands for `op`: prints the secret of a name, or says why there is none. */
const PROGRAM = `
import { writeFileSync } from "node:fs";
const [, , name, file] = process.argv;
if (name === "write") writeFileSync(file, "");
else if (name === "nothing") process.stdout.write("\\n");
else if (name === "github") process.stdout.write(${JSON.stringify(SECRET)} + "\\n");
else { process.stdout.write(${JSON.stringify(SECRET)}); process.stderr.write("there is no item " + name); process.exitCode = 3; }
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

test("a command's output is filled in when the server starts; one that fails stops its server alone", async (t) => {
  const path = folder({ "program.mjs": PROGRAM, "server.mjs": SERVER });
  const command = (...args) => `\${command:"${process.execPath}" "${join(path, "program.mjs")}" ${args.join(" ")}}`;
  const entry = (name, TOKEN, args = []) => ({
    command: process.execPath,
    args: [join(path, "server.mjs"), name, ...args],
    env: { TOKEN },
  });
  const written = join(path, "written.txt");
  process.env.TOOLSIFT_TEST_TEXT = command("write", `"${written}"`);
  t.after(() => delete process.env.TOOLSIFT_TEST_TEXT);
  const servers = {
    good: entry("say_good", `x${command("github")}`),
    text: entry("say_text", "$${command:echo me}"),
    outside: entry("say_outside", "${env:TOOLSIFT_TEST_TEXT}"),
    lost: entry("say_lost", command("gitlab")),
    empty: entry("say_empty", command("nothing")),
    open: entry("say_open", "1", [command("github")]),
    code: entry("say_code", "${command:extension.token}"),
  };
  const file = config(path, servers, { activation: "on" });
  const { client, stderr } = await overStdio(t, path, ["--config", file]);
  assert.equal(said(await call(client, "say_good")), `x${SECRET}`);
  assert.equal(said(await call(client, "say_text")), "${command:echo me}");
  assert.equal(said(await call(client, "say_outside")), process.env.TOOLSIFT_TEST_TEXT);
  assert.equal(existsSync(written), false);
  let told;
  const isTold = async () =>
    /exit code 3: there is no item gitlab/.test((told = said(await search(client, "say who it is"))));
  await until(isTold, "what the command said");
  assert.match(told, /open \(/);
  assert.doesNotMatch(`${told}${stderr()}`, /S3cret/);
  const listed = await toolsift(["tools", file]);
  assert.match(listed.stderr, /the server lost: no secret \(exit code 3: there is no item gitlab\) from the command/);
  assert.match(listed.stderr, /the server empty: no secret \(it must print one line\) from the command/);
  assert.match(
    listed.stderr,
    /"code" is left out: it needs "\$\{command:extension\.token\}", which only the client can ask for/,
  );
  assert.match(listed.stdout, new RegExp(`Says who it is: ${SECRET.length + 1}`));
});
