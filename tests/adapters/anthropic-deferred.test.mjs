/**
 * Are deferred tools the same bytes whatever is revealed, and is no reveal lost, whichever way it came?
 *
 * 1. Searches. 2. Reveals from elsewhere: the host, a restart, another road. 3. Catalogs that change. 4. The limit of the API.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import {
  DISCOVERY,
  ISSUE,
  MIXED,
  add,
  application,
  call,
  hosted,
  isSame,
  over,
  rebuilt,
  replies,
  run,
  search,
  toolsOfBody,
} from "./lib/anthropic.mjs";
import { anthropicClient, anthropicPlain } from "./lib/drives/anthropic.mjs";
import { pluck, siftOf, toolsOf } from "./lib/tools.mjs";

const app = await application();

test("deferred: the tools are the same bytes in every request, whatever is revealed", async () => {
  for (const stream of [false, true]) {
    const { requests, sift } = await run(anthropicClient, MIXED, { stream });
    assert.equal(requests.length, 5);
    assert.ok(isSame(requests));
    const all = sift.tools().map(({ name }) => `(${name})`);
    assert.deepEqual(toolsOfBody(requests[0]), [...DISCOVERY, ...all]);
    const [filesystem] = toolsOf("filesystem");
    const sent = requests[0].body.tools.find(({ name }) => name === filesystem.name);
    assert.deepEqual(sent.input_schema, filesystem.inputSchema);
  }
});

test("deferred: what a search loads is referred to, and its text stands behind the results", async () => {
  const { messages } = await run(anthropicClient, [[search("create an issue in a repository"), search("xyzzy plugh")]]);
  const [loaded, nothing, text, ...others] = messages[2].content;
  assert.deepEqual(loaded.content[0], { type: "tool_reference", tool_name: "create_issue" });
  assert.ok(loaded.content.every(({ type }) => type === "tool_reference"));
  assert.equal(typeof nothing.content, "string");
  assert.match(text.text, /^Loaded\. Call them/);
  assert.deepEqual(others, []);
});

test("deferred: what was revealed elsewhere is sent like any other tool, in its order, and stays there", async () => {
  const sift = await siftOf(app);
  sift.session("chat").reveal(["read_graph", "create_issue"]);
  const steps = [[call("create_issue", ISSUE)], [add("open_nodes")], [call("open_nodes")]];
  const { requests } = await run(anthropicClient, steps, { sift });
  assert.deepEqual(toolsOfBody(requests[0]).slice(0, 5), [...DISCOVERY, "read_graph", "create_issue"]);
  assert.equal(requests[0].body.tools.length, DISCOVERY.length + sift.tools().length);
  assert.ok(isSame(requests));
  assert.deepEqual(requests[3].tools, [...DISCOVERY, "read_graph", "create_issue", "open_nodes"]);
});

test("deferred: a restart with the messages sends the same bytes, by snapshot or from the messages", async () => {
  const first = await run(anthropicClient, MIXED);
  const messages = () => JSON.parse(JSON.stringify(first.messages));
  const snapshot = first.sift.session("chat").snapshot();
  const bySnapshot = (sift) => sift.restore(snapshot);
  const byMessages = (sift) => sift.session("chat").fromMessages(messages(), { format: "anthropic" });
  for (const bring of [bySnapshot, byMessages]) {
    const sift = await siftOf(app);
    bring(sift);
    const about = { sift, messages: messages() };
    const { requests, ran } = await run(anthropicClient, [[call("create_issue", ISSUE)]], about);
    assert.ok(isSame([...first.requests, ...requests]));
    assert.deepEqual(pluck(ran, "name"), ["create_issue"]);
  }
});

test("a conversation goes from road to road without losing a reveal", async () => {
  const about = { sift: await siftOf(app), messages: [] };
  await run(anthropicPlain, [[add("read_graph")]], about);
  await run(anthropicClient, [[add("create_issue")]], about);
  const third = await run(hosted, replies({ searches: ["open_nodes"], calls: [call("open_nodes")] }), about);
  const { revealed } = about.sift.session("chat");
  assert.deepEqual(revealed, ["read_graph", "create_issue", "open_nodes"]);
  assert.deepEqual(toolsOfBody(third.requests[1]).slice(0, 2), ["tool_search_tool_bm25", "read_graph"]);
  const back = await run(anthropicPlain, [revealed.map((name) => call(name, ISSUE))], about);
  assert.deepEqual(back.requests[0].tools, [...DISCOVERY, ...revealed]);
  assert.deepEqual(pluck(back.ran, "name"), revealed);
  const sent = JSON.stringify(back.requests[0].body.messages);
  const text = /"content":\[\{"type":"text","text":"Loaded: create_issue"\}\]/;
  assert.match(sent, text, "models that defer no tools know no references");
  assert.match(sent, /"role":"assistant","content":\[\{"type":"text","text":"Loaded: open_nodes"\},\{"type":"tool_use"/);
  assert.doesNotMatch(sent, /"(tool_reference|server_tool_use|tool_search_tool_\w+)"/);
  assert.deepEqual(await rebuilt(back), revealed);
});

test("a tool that is gone leaves no reference behind that the API would refuse", async () => {
  const about = { sift: await siftOf(app), messages: [] };
  await run(anthropicClient, [[add("read_graph", "create_issue")], [add("open_nodes")]], about);
  await run(hosted, replies({ searches: ["search_nodes"] }), about);
  const kept = JSON.stringify(about.messages);
  about.sift.unregister({ server: "memory" });
  const { requests } = await run(anthropicClient, [[call("read_graph")]], about);
  assert.deepEqual(requests[0].tools, [...DISCOVERY, "create_issue"]);
  assert.match(requests[1].answers[0], /read_graph/);
  assert.ok(JSON.stringify(about.messages).startsWith(kept.slice(0, -1)), "the host's messages stay as they are");
});

test("no more tools are deferred than the API takes", async () => {
  const { ToolSift } = await app.load("toolsift");
  const sift = new ToolSift();
  const tool = (_, at) => ({ name: `tool_${at}`, description: "A tool.", inputSchema: { type: "object" } });
  sift.register(Array.from({ length: 10_001 }, tool));
  const asked = (road) => run(over(road), [], { sift });
  for (const mode of ["client", "hosted"]) {
    const refused = { code: "limit_out_of_range", message: /10001 .* 10000/ };
    await assert.rejects(asked({ mode }), refused);
  }
  assert.deepEqual((await asked({ mode: "auto" })).requests[0].tools, DISCOVERY);
  sift.session("chat").reveal(["tool_7"]);
  const { requests } = await asked({ mode: "client" });
  assert.equal(requests[0].body.tools.length, DISCOVERY.length + 10_001);
});
