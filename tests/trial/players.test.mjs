/**
 * Who can play?
 *
 * 1. A reply in each vendor's form and in the plain one comes to the same; one that cannot be read is refused with the
 *    reason.
 * 2. An endpoint gets requests as its API takes them, with its key; it is asked again where it is busy, and an error says
 *    why.
 * 3. Who plays by hand gets all requests of a round at once, with what they share written once, and is told what is missing
 *    or wrong; a run that was interrupted is not asked again.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { endpoint } from "../../scripts/lib/trial/players/endpoint.mjs";
import { program } from "../../scripts/lib/trial/players/program.mjs";
import { APIS, readReply } from "../../scripts/lib/trial/wire.mjs";

const home = mkdtempSync(join(tmpdir(), "toolsift-trial-"));
after(() => rmSync(home, { recursive: true }));

const REPLIES = {
  chat: {
    choices: [
      {
        message: {
          content: "One moment.",
          tool_calls: [{ id: "a", function: { name: "find", arguments: '{"query":"mail"}' } }],
        },
      },
    ],
  },
  responses: {
    output: [
      { type: "reasoning", summary: [] },
      { type: "message", content: [{ type: "output_text", text: "One moment." }] },
      { type: "function_call", call_id: "a", name: "find", arguments: '{"query":"mail"}' },
    ],
  },
  messages: {
    content: [
      { type: "text", text: "One moment." },
      { type: "tool_use", id: "a", name: "find", input: { query: "mail" } },
    ],
  },
};

test("replies", () => {
  const plain = { text: "One moment.", calls: [{ name: "find", arguments: { query: "mail" } }] };
  for (const reply of [plain, ...Object.values(REPLIES)]) assert.deepEqual(readReply(reply), plain);
  assert.deepEqual(readReply({ choices: [{ message: { content: null } }] }), { text: "", calls: [] });
  assert.throws(() => readReply({}), /neither a text nor calls/);
  assert.throws(() => readReply(null), /cannot be read/);
  assert.throws(() => readReply({ choices: [] }), /cannot be read/);
  assert.throws(() => readReply({ calls: ["find"] }), /a list of \{ name, arguments \}/);
  assert.throws(() => readReply({ text: 7 }), /must be a text/);
});

test("an endpoint", async () => {
  const came = [];
  let busy = true;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    came.push({ path: request.url, headers: request.headers, body: JSON.parse(body) });
    const status = busy ? 429 : came.at(-1).body.model === "nobody" ? 404 : 200;
    busy = false;
    const api = Object.keys(APIS).find((name) => request.url.endsWith(APIS[name].path));
    response
      .writeHead(status, { "retry-after": "0.01" })
      .end(status === 200 ? JSON.stringify(REPLIES[api]) : "no such model");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}/v1/`;
  for (const name of Object.keys(APIS)) {
    const player = endpoint({ url, api: APIS[name], key: "k" });
    const request = APIS[name].body("some", [], "Be brief.", []);
    assert.equal(readReply(await player.ask({ request })).text, "One moment.");
    const { path, headers, body } = came.at(-1);
    assert.equal(path, `/v1${APIS[name].path}`);
    assert.equal(headers["x-api-key"] ?? headers.authorization, name === "messages" ? "k" : "Bearer k");
    assert.ok(body.model === "some" && !("tools" in body) && JSON.stringify(body).includes("Be brief."), name);
  }
  assert.equal(came.length, 4, "the busy one was asked twice");
  const lost = endpoint({ url, api: APIS.chat }).ask({ request: { model: "nobody" } });
  await assert.rejects(lost, /chat\/completions answers 404: no such model/);
  server.close();
  await assert.rejects(endpoint({ url: "http://127.0.0.1:1", api: APIS.chat }).ask({ request: {} }), /cannot be reached/);
});

test("a program that ends, or writes what answers nothing", async () => {
  const asked = { id: "1", conversation: "one", api: "chat", request: {} };
  await assert.rejects(program("exit 3").ask(asked), /the player exit 3 ended with 3/);
  await assert.rejects(program("echo hello; cat").ask(asked), /wrote a line that answers nothing: hello/);
  const complains = program(`read line; echo '{"id":"1","error":"no key"}'`);
  await assert.rejects(complains.ask(asked), /cannot answer: no key/);
});

const tool = (name, length) => ({ type: "function", function: { name, description: "x".repeat(length), parameters: {} } });
const asks = (conversation, turn, tools, messages) => ({
  id: `${conversation}/${turn}`,
  conversation,
  api: "chat",
  request: { tools, messages: [{ role: "system", content: "Be brief." }, ...messages] },
});

/** The player by hand as a program, with what it has written so far. */
function byHand(folder) {
  const child = spawn(process.execPath, [at("scripts", "lib", "trial", "players", "folder.mjs"), folder]);
  after(() => child.kill());
  let written = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (written += text));
  return {
    ask: (...requests) => child.stdin.write(requests.map((request) => `${JSON.stringify(request)}\n`).join("")),
    replies: () =>
      written
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    close: () => new Promise((done) => child.on("close", done) && child.stdin.end()),
  };
}

async function until(check) {
  for (let left = 200; left > 0; left -= 1) {
    try {
      if (check()) return;
    } catch {
      // What is looked for is not there yet.
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`it never came to ${check}`);
}

test("by hand", async () => {
  const folder = join(home, "hand");
  const read = (...path) => readFileSync(join(folder, ...path), "utf8");
  const requests = () => readdirSync(join(folder, "requests"));
  const shared = [tool("find", 600), tool("load", 600)];
  const user = { role: "user", content: "write to Ada" };
  const first = asks("one", 1, shared, [user]);
  const player = byHand(folder);
  player.ask(first, asks("two", 1, shared, [{ role: "user", content: "write to Bob" }]));
  await until(() => requests().length === 2);
  assert.deepEqual(requests(), ["001.md", "002.md"]);
  assert.match(read("common", "1.md"), /Be brief\.[^]*"find"[^]*"load"/);
  assert.match(read("requests", "001.md"), /replies\/001\.json[^]*first 2 tools: common\/1\.md[^]*### User\n\nwrite to Ada/);
  assert.match(read("README.md"), /replies\/batch-1\.json/);

  writeFileSync(
    join(folder, "replies", "batch.json"),
    JSON.stringify({ "001": { text: "Done." }, "002": {}, "009": { text: "?" } }),
  );
  await until(() => /Missing: 002/.test(read("status.md")) && /no request 009/.test(read("status.md")));
  assert.match(read("status.md"), /request 002: .*neither a text nor calls/);
  assert.deepEqual(player.replies(), [], "a round ends as a whole");
  const call = { calls: [{ name: "find", arguments: { query: "mail" } }] };
  writeFileSync(join(folder, "replies", "batch.json"), JSON.stringify({ "001": call, "002": { text: "Done." } }));
  await until(() => player.replies().length === 2);
  assert.deepEqual(player.replies()[0], { id: "one/1", reply: call });

  const made = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", function: { name: "find", arguments: '{"query":"mail"}' } }],
  };
  const later = [user, made, { role: "tool", tool_call_id: "a", content: "send_mail is loaded" }];
  player.ask(asks("one", 2, [...shared, tool("send_mail", 400)], later));
  await until(() => requests().includes("003.md"));
  assert.match(read("requests", "003.md"), /"send_mail"[^]*find\(\{"query":"mail"\}\)[^]*### Answer\n\nsend_mail is loaded/);
  writeFileSync(join(folder, "replies", "003.json"), JSON.stringify(call));
  await until(() => player.replies().length === 3);
  player.ask(asks("one", 3, [...shared, tool("send_mail", 400)], [...later, ...later.slice(1)]));
  await until(() => requests().includes("004.md"));
  assert.match(read("requests", "004.md"), /send_mail: as in request 003/);
  await player.close();
  assert.match(read("status.md"), /All is over/);

  const again = byHand(folder);
  again.ask(first);
  await until(() => again.replies().length === 1);
  assert.deepEqual(again.replies(), [{ id: "one/1", reply: call }]);
  await again.close();
});
