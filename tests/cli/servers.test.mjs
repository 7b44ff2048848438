/** Tests how commands, the gateway and the library start and end the servers of a configuration. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { answerMcp, folder, httpServer, isAlive, start, toolsift, TRACKER, until } from "./command-line.mjs";
import { call, said, search, told as toldBy } from "./gateways.mjs";
import { config, fake, overStdio } from "./processes.mjs";

const pidIn = (cwd, name) => (existsSync(join(cwd, name)) ? Number(readFileSync(join(cwd, name), "utf8")) : 0);
const isStarted = (cwd, name) => pidIn(cwd, `${name}.pid`) > 0;
/** The command line of a server. */
const line = ({ command, args }) => [command, ...args].join(" ");

const BAD = {
  bogus: { type: "bogus", url: "http://127.0.0.1:9/" },
  both: { command: "x", url: "http://127.0.0.1:9/" },
  list: { command: "x", args: "-y" },
};
const EXPECTED = {
  number: { PORT: "8080", ON: "true", args: [] },
  empty: { EMPTY: "", args: [] },
  literal: { args: ["${X}", "$${X}"] },
};
const entries = (cwd) => ({
  number: fake(cwd, "number", { env: { PORT: 8080, ON: true } }),
  empty: fake(cwd, "empty", { env: { EMPTY: "${TOOLSIFT_EMPTY}" } }),
  literal: fake(cwd, "literal", { args: ["$${X}", "$$${X}"] }),
  off: fake(cwd, "off", { enabled: false }),
});
const env = { TOOLSIFT_EMPTY: "" };

test("the gateway reads entries as the commands do, and a bad one costs no other", async (t) => {
  const cwd = folder();
  const file = config(cwd, { ...entries(cwd), ...BAD, "a:b": { command: "true" }, ghost: { url: "ftp://x" } });
  const { client, stderr } = await overStdio(t, cwd, ["--config", file, "--activation", "on", "--trust", "off"], { env });
  const found = await search(client, "select:number,empty,literal");
  const descriptions = Object.entries(toldBy(found)).map(([name, { description }]) => [name, JSON.parse(description)]);
  assert.deepEqual(Object.fromEntries(descriptions), EXPECTED);
  for (const told of [
    ...[/"bogus"\.type is string bogus/, /"both" has both command and url/, /"list"\.args is a text/],
    ...[/"a:b" is left out: "a:b" has a colon/, /"ghost" is left out: .*http:\/\//, /"off" is switched off/],
  ])
    assert.match(stderr(), told);
  for (const name of [...Object.keys(BAD), "a_b", "ghost"])
    assert.match(said(found), new RegExp(`Not available now[^]*${name} \\(`));
  assert.equal(isStarted(cwd, "off"), false);
});

test("a command's output is filled in when the server starts; one that fails stops its server alone", async (t) => {
  const SECRET = 'ghp_"S3cret $x ü';
  const cwd = folder({
    "op.mjs": `import { writeFileSync } from "node:fs";
      const [, , name, file] = process.argv;
      if (name === "write") writeFileSync(file, "");
      else if (name === "github") console.log(${JSON.stringify(SECRET)});
      else { console.log(${JSON.stringify(SECRET)}); console.error("there is no item " + name); process.exitCode = 3; }`,
  });
  const command = (...args) => `\${command:"${process.execPath}" "${join(cwd, "op.mjs")}" ${args.join(" ")}}`;
  const entry = (name, TOKEN, args) => [name, fake(cwd, name, { env: { TOKEN }, args })];
  const file = config(
    cwd,
    Object.fromEntries([
      entry("good", `x${command("github")}`),
      entry("plain", "$${command:echo me}"),
      entry("outside", "${env:TOOLSIFT_TEXT}"),
      entry("lost", command("gitlab")),
      entry("open", "1", [command("github")]),
    ]),
    { activation: "on" },
  );
  const written = command("write", join(cwd, "written"));
  const { client, stderr } = await overStdio(t, cwd, ["--config", file], { env: { TOOLSIFT_TEXT: written } });
  assert.equal(said(await call(client, "good")), `x${SECRET}`);
  assert.equal(said(await call(client, "plain")), "${command:echo me}");
  assert.equal(said(await call(client, "outside")), written, "a text of the environment never becomes a command");
  assert.equal(existsSync(join(cwd, "written")), false);
  let told;
  await until(async () => /exit code 3: there is no item/.test((told = said(await search(client, "good")))), "the reason");
  assert.match(told, /open \(/, "others can read arguments");
  assert.doesNotMatch(`${told}${stderr()}`, /S3cret/);
});

test("a URL is a server behind HTTP; one that does not answer is told", async () => {
  const sent = [];
  const server = await httpServer((request, response) => {
    sent.push(request.headers.authorization);
    return answerMcp(request, response, { tools: TRACKER.tools });
  });
  const url = `${server.url}/mcp`;
  const { stdout } = await toolsift(["size", "--json", "--server", url]);
  assert.deepEqual(
    JSON.parse(stdout).servers.map((one) => [one.server, one.tools]),
    [["127.0.0.1", 3]],
  );
  sent.length = 0;
  const listed = await toolsift(["tools", url, "--header", "Authorization: Bearer ${TOKEN}"], { env: { TOKEN: "t0p" } });
  assert.equal(listed.code, 0, listed.stderr);
  assert.deepEqual(new Set(sent), new Set(["Bearer t0p"]));
  assert.deepEqual(
    JSON.parse(listed.stdout).tools,
    TRACKER.tools.map((one) => ({ ...one, server: "127.0.0.1" })),
  );
  await server.close();
  // A process of its own has no connection that it still holds for open.
  const dead = await start(["size", `${url}?key=secret`]).done;
  assert.equal(dead.code, 1);
  assert.match(dead.stderr, /ECONNREFUSED[^]*no source has a tool/);
  assert.doesNotMatch(dead.stderr, /secret/);
});

for (const [signal, expected] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) {
  test(`${signal} stops servers that are being started, and ends with ${expected}`, async () => {
    const cwd = folder();
    const { child, done } = start(["doctor", "--server", line(fake(cwd, "hangs"))]);
    await until(() => isStarted(cwd, "hangs"), "the start of the server");
    child.kill(signal);
    assert.equal((await done).code, expected);
    await until(() => !isAlive(pidIn(cwd, "hangs.pid")), "the end of the server");
  });
}

test("after some seconds, people are told once what is waited for; a server that ignores everything is stopped", async () => {
  const cwd = folder();
  const { code, stderr } = await toolsift(["size", "--timeout", "4", "--server", line(fake(cwd, "hangs"))]);
  assert.equal(code, 1);
  assert.equal(stderr.match(/still waiting for fake to answer; --timeout is 4 seconds/g)?.length, 1, stderr);
  await until(() => !isAlive(pidIn(cwd, "hangs.pid")), "the end of the server");
});

const ENDS = { SIGTERM: (child) => child.kill("SIGTERM"), "the end of its input": (child) => child.stdin.end() };
for (const method of ["initialize", "tools/list", "prompts/list"]) {
  for (const [how, end] of Object.entries(ENDS)) {
    test(`a server that hangs in ${method} does not hold a gateway beyond ${how}`, async () => {
      const cwd = folder();
      const file = config(cwd, { h: fake(cwd, "hangs", { args: [method] }) });
      const about = { env: { TOOLSIFT_HOME: join(cwd, "state") }, input: false };
      const { child, done } = start(["mcp", "--config", file, "--eager"], about);
      await until(() => existsSync(join(cwd, "hangs.pid.hangs")), "the hang");
      end(child);
      await done;
      await until(() => !isAlive(pidIn(cwd, "hangs.pid")), "the end of the server");
    });
  }
}

test("drafts of killed writes are removed, those of now stay", async () => {
  const name = (at) => `${at}.json.0123abcd-0123-4567-89ab-0123456789ab.tmp`;
  const home = folder({ "state/pins/one.json": "{}", [`state/pins/${name("old")}`]: "", [`state/pins/${name("new")}`]: "" });
  const pins = join(home, "state", "pins");
  const before = (Date.now() - 7_200_000) / 1_000;
  for (const one of ["one.json", name("old")]) utimesSync(join(pins, one), before, before);
  await start(["mcp", "--config", config(home, {})], { env: { TOOLSIFT_HOME: join(home, "state") } }).done;
  assert.deepEqual(readdirSync(pins).sort(), [name("new"), "one.json"]);
});
