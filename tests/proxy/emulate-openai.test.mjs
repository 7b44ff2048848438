/** Tests a client that uses OpenAI's own tool search, with a backend of the Responses API that does not have it. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { call, DISCOVERY, ISSUE, script, search } from "../adapters/lib/calls.mjs";
import { toolsOf } from "../adapters/lib/tools.mjs";
import { responses } from "../apis/responses.mjs";
import { lead, TOOLS } from "./lib/agents.mjs";
import { siftProxy } from "./lib/asking.mjs";
import { openaiResponses } from "./lib/clients/javascript.mjs";

const fn = (tool) => ({ ...responses.tool(tool), defer_loading: true });
const nothing = (name) => fn({ name, description: `${name}.`, inputSchema: { type: "object", properties: {} } });
const FUNCTIONS = TOOLS.map(fn);
const HOSTED = { type: "tool_search" };
const CLIENT = { type: "tool_search", execution: "client" };
const CREATE = call("create_issue", ISSUE);
const typesIn = (output) => output.map(({ type }) => type);
const ranIn = ({ ran }) => ran.map(({ namespace, name }) => `${namespace} ${name}`);

/** One run of an agent with these tools. */
const run = (tools, replies, { options, ...more } = {}) =>
  lead(openaiResponses, {
    ...{ door: "url", wire: { lean: true }, options: { emulate: true, ...options }, tools },
    script: typeof replies === "function" ? replies : script(...replies),
    ...more,
  });

for (const stream of [false, true]) {
  const label = stream ? "streamed" : "plain";

  for (const kept of [undefined, "response"]) {
    test(`hosted: toolsift searches, and calls are as the vendor's, ${label}${kept ? ", kept by the backend" : ""}`, async () => {
      const replies = [
        [search("create an issue in a repository")],
        [CREATE],
        [search("read a text file")],
        [call("read_text_file", { path: "a" }), CREATE],
      ];
      const told = await run([HOSTED, ...FUNCTIONS], replies, { stream, kept });
      assert.equal(told.text, "All done.");
      assert.deepEqual(typesIn(told.replies[0].output), ["reasoning", "function_call"]);
      assert.deepEqual(told.replies[0].tools, [HOSTED, ...FUNCTIONS]);
      const names = ["create_issue", "read_text_file", "create_issue"];
      assert.deepEqual(
        ranIn(told),
        names.map((name) => `${name} ${name}`),
      );
      assert.deepEqual(told.requests[0].tools, DISCOVERY);
      for (const [at, { tools }] of told.requests.slice(1).entries()) {
        const before = told.requests[at].tools;
        assert.deepEqual(tools.slice(0, before.length), before, "only appended");
      }
      assert.equal(told.requests.length, 5);
    });
  }

  test(`run by the client: its search is called, and its output loads tools, ${label}`, async () => {
    const asked = [];
    const issues = FUNCTIONS.filter(({ name }) => name === "create_issue");
    const parameters = { type: "object", properties: { goal: { type: "string" } } };
    const replies = [[call("tool_search", { goal: "issue" })], [CREATE]];
    const more = { stream, find: (args) => (asked.push(args), issues) };
    const told = await run([{ ...CLIENT, description: "Find.", parameters }], replies, more);
    assert.deepEqual([told.text, asked], ["All done.", [{ goal: "issue" }]]);
    assert.deepEqual(typesIn(told.replies[0].output), ["reasoning", "tool_search_call"]);
    assert.deepEqual(ranIn(told), ["create_issue create_issue"]);
    const loaded = ["tool_search", "create_issue"];
    assert.deepEqual(
      told.requests.map(({ tools }) => tools),
      [["tool_search"], loaded, loaded],
    );
    assert.deepEqual(told.requests[0].body.tools[0].parameters, parameters);
    assert.match(told.requests[1].answers[0], /create_issue/);
  });

  test(`namespaces keep their names, ${label}`, async () => {
    const twins = ["github", "memory"].map((name) => ({
      ...{ type: "namespace", name, description: `Tools of ${name}` },
      tools: [...toolsOf(name).map(fn), { ...nothing("forget"), description: `Forgets ${name}.` }],
    }));
    const told = await run([HOSTED, ...twins], [[search("forget")], [call("forget")], [call("memory__forget")]], {
      stream,
    });
    assert.deepEqual(ranIn(told), ["github forget", "memory forget"]);
  });
}

/** A proxy before a backend that answers every request with a response of its own: `{ send, sent }`. */
function bare() {
  const sent = [];
  const fetch = async (_, { body }) => {
    sent.push(JSON.parse(body));
    const response = { id: `resp_${sent.length}`, object: "response", status: "completed", output: [] };
    if (!sent.at(-1).stream) return Response.json(response);
    const event = `data: ${JSON.stringify({ type: "response.completed", sequence_number: 0, response })}\n\n`;
    return new Response(event, { headers: { "content-type": "text/event-stream" } });
  };
  const handler = siftProxy({ upstream: "https://backend.example", fetch, emulate: true });
  const send = async (body, key = "one") => {
    const about = { method: "POST", headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) };
    const text = await (await handler(new Request("http://proxy.local/v1/responses", about))).text();
    return body.stream ? JSON.parse(/^data: (.*)$/m.exec(text)[1]).response : JSON.parse(text);
  };
  return { send, sent };
}
const namesIn = ({ tools }) => tools.map(({ name, type }) => name ?? type);
const output = (more) => ({ type: "tool_search_output", execution: "server", status: "completed", call_id: null, ...more });

test("what a stored reply's conversation has loaded stays loaded, for its own client, and is bounded", async () => {
  const { send, sent } = bare();
  const loads = (chars) => {
    const tools = [fn({ name: "loaded", description: "d".repeat(chars), inputSchema: {} })];
    return send({ tools: [CLIENT], input: [output({ call_id: "c", execution: "client", tools })] });
  };
  const after = async ({ id: previous_response_id }, key) => {
    const reply = await send({ tools: [CLIENT], input: [], previous_response_id }, key);
    return [namesIn(sent.at(-1)).includes("loaded"), reply];
  };
  const first = await loads(10);
  const [isLoaded, next] = await after(first);
  const streamed = await send({ tools: [CLIENT], input: [], previous_response_id: next.id, stream: true });
  const own = { tools: [CLIENT], conversation: "conv_1" };
  await send({ ...own, input: [output({ call_id: "c", execution: "client", tools: [nothing("kept")] })] });
  await send({ ...own, input: [] });
  assert.deepEqual(namesIn(sent.at(-1)), ["tool_search", "kept"]);
  const rows = [isLoaded, (await after(next))[0], (await after(streamed))[0], (await after(first, "two"))[0]];
  assert.deepEqual([...rows, (await after(await loads(1_100_000)))[0]], [true, true, true, false, false]);
});

test("what was called or loaded before is loaded, in conversations that were compacted too", async () => {
  const { send, sent } = bare();
  const [first, second, third] = FUNCTIONS;
  const called = { type: "function_call", namespace: "functions", name: first.name, call_id: "c1", arguments: "{}" };
  const again = { role: "user", content: "Again." };
  await send({
    input: [called, { type: "function_call_output", call_id: "c1", output: "done" }, again],
    tools: [CLIENT, ...FUNCTIONS],
  });
  const added = { type: "additional_tools", role: "developer", tools: [third] };
  await send({ input: [output({ id: "tso_1", tools: [second] }), added, again], tools: [HOSTED, second] });
  assert.deepEqual(sent.map(namesIn), [
    ["tool_search", first.name],
    [second.name, third.name],
  ]);
});
