/**
 * Runs the code of docs/adapters/your-own.md as it is on the page, with the tools of real MCP servers and an imaginary
 * client that follows a script.
 * 1. The twenty lines, and the model for `runTools`, pass the shared contract of all adapters.
 * 2. The resulting conversation is enough to restore the session.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { pathToFileURL } from "node:url";
import { at } from "../../scripts/lib/paths.mjs";
import { appWith } from "./lib/app.mjs";
import { ISSUE, add, call, script } from "./lib/calls.mjs";
import { contract } from "./lib/contract.mjs";
import { host, siftOf } from "./lib/tools.mjs";

const PAGE = readFileSync(at("docs", "adapters", "your-own.md"), "utf8");
const [ADAPTER, REMEMBER, MODEL, RUN] = [...PAGE.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);

/** The page's functions, with the last snippet as one of them. */
async function page() {
  const { folder } = await appWith();
  const [imports, ...lines] = RUN.split("\n");
  const run = `export async function run({ session, client, instructions, messages, execute }) {${lines.join("\n")}
    return { finish, text: reply.text }; }`;
  // What the contract asks for beyond the page's own options.
  const given = run.replace("execute }", "execute, ...options }").replace("), execute }", "), execute, ...options }");
  writeFileSync(join(folder, "page.mjs"), [imports, ADAPTER, REMEMBER, MODEL, given].join("\n"));
  return import(pathToFileURL(join(folder, "page.mjs")).href);
}

/** The imaginary client. As vendors do, it refuses a conversation in which a call has no answer of its own. */
function imaginary(next) {
  const requests = [];
  const respond = async ({ instructions, functions, messages }) => {
    const ids = (entries) => entries?.map(({ id }) => id);
    for (const [at, { calls = [] }] of messages.entries()) {
      if (calls.length > 0) assert.deepEqual(ids(messages[at + 1]?.results), ids(calls), "every call is answered");
    }
    const last = messages.at(-1);
    requests.push({
      tools: functions.map(({ name }) => name),
      toolsText: JSON.stringify(functions),
      system: instructions,
      answers: (last.results ?? []).map(({ text }) => text),
      failed: (last.results ?? []).map(({ failed }) => failed),
      prompt: messages.findLast(({ role }) => role === "user").text,
    });
    const step = requests.length;
    const { text = "", calls = [] } = await next(requests.at(-1), step);
    return { text, calls: calls.map(({ name, args }, nth) => ({ id: `${step}.${nth}`, name, input: args })) };
  };
  return { respond, requests };
}

const user = (text) => [{ role: "user", text }];

test("the conversation is enough to rebuild the session", async () => {
  const { converse, remember } = await page();
  const replies = [[add("create_issue"), call("read_graph")], [call("create_issue", ISSUE)], [call("no_such_tool")]];
  const session = (await siftOf(await appWith())).session("chat");
  const messages = user("Go on.");
  await converse(imaginary(script(...replies)), session, { instructions: "You help.", messages, execute: host().execute });
  const kept = JSON.parse(JSON.stringify(messages));
  const elsewhere = (await siftOf(await appWith())).session("chat");
  assert.deepEqual(remember(elsewhere, kept).revealed, ["create_issue", "read_graph"]);
  assert.deepEqual(elsewhere.revealed, session.revealed);
  remember(elsewhere, kept.slice(0, 2));
  assert.deepEqual(elsewhere.revealed, [], "calls that nobody answered load nothing");
});

const VENDOR = {
  limit: "no vendor's limit is known",
  maxTools: "the page says nothing of it",
  rejects: "the client refuses nothing",
};
const OWN = { own: "the page says nothing of it" };
const LONGER = "the page's longer adapter does";
const OPTIONS = ["prefetch", "skills", "rank", "maxAnswerChars", "readOn", "events"];
const MEDIA = [
  "audio and files are named with type and size, and no half of a surrogate pair reaches the model",
  "a data URL in JSON is named with type and size",
];

contract({
  adapter: "docs/adapters/your-own.md, the twenty lines",
  versions: [{}],
  without: { ...VENDOR, ...OWN, ...Object.fromEntries([...OPTIONS, ...MEDIA].map((one) => [one, LONGER])) },
  async converse({ sift, id, scope, prompt, script: next, execute, maxSteps = 20, patience }) {
    const { converse } = await page();
    const client = imaginary(next);
    const about = { instructions: "You are an agent.", messages: user(prompt), execute, maxSteps, patience };
    const text = await converse(client, sift.session(id, { scope: scope ?? "all" }), about);
    const finish = text !== null ? "done" : client.requests.length === maxSteps ? "steps" : "refused";
    return { requests: client.requests, text, finish };
  },
});

contract({
  adapter: "docs/adapters/your-own.md",
  versions: [{}],
  without: { ...VENDOR, ...OWN },
  async converse({ sift, id, scope, prompt, script: next, app: _, ...options }) {
    const { run } = await page();
    const client = imaginary(next);
    const session = sift.session(id, { scope: scope ?? "all" });
    const about = { session, client, instructions: "You are an agent.", messages: user(prompt), ...options };
    return { requests: client.requests, ...(await run(about)) };
  },
});
