/**
 * Does a client of OpenAI's tool search get it from a backend of the Responses API that has none?
 *
 * The backend refuses every item, tool and field of tool search; the client is OpenAI's own SDK.
 * 1. Hosted: a search is the vendor's items, plain and streamed; what it found can be called; the items go back.
 * 2. Run by the client: its search is called, its output loads tools by value.
 * 3. Namespaces, of which two hold a tool of one name. 4. A conversation that the backend keeps. 5. A model that never ends.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { appWith } from "../adapters/lib/app.mjs";
import { call, ISSUE } from "../adapters/lib/calls.mjs";
import { SERVERS, toolsOf } from "../adapters/lib/tools.mjs";
import { responsesWire } from "../apis/responses.mjs";
import { startVendor } from "../apis/vendor.mjs";
import { serveProxy } from "./lib/agents.mjs";
import { entry } from "./lib/built.mjs";
import { script } from "./lib/conversations.mjs";

const { siftProxy } = await entry("proxy.js");

const fn = ({ name, description, inputSchema: parameters }) => ({
  type: "function",
  name,
  description,
  parameters,
  strict: false,
  defer_loading: true,
});
const FUNCTIONS = SERVERS.flatMap(toolsOf).map(fn);
const NAMESPACES = ["github", "memory"].map((name) => ({
  type: "namespace",
  name,
  description: `Tools of ${name}`,
  tools: toolsOf(name).map(fn),
}));
const HOSTED = { type: "tool_search" };
const CLIENT = { type: "tool_search", execution: "client" };
const find = (query) => call("tool_search", { paths: [query] });

/** One run of an agent. `answer` gives the output of a client's own search. */
async function run({ tools, script: next, stream, kept, answer, maxSteps = 20, options = {} }) {
  const vendor = await startVendor(responsesWire({ lean: true }), next);
  const served = await serveProxy({ upstream: vendor.url, emulate: true, ...options });
  try {
    const { default: OpenAI } = await (await appWith({ openai: "openai" })).load("openai");
    const client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: "none", maxRetries: 0 });
    const items = [{ role: "user", content: "Report it." }];
    const ran = [];
    const replies = [];
    let fresh = items;
    for (let step = 1; step <= maxSteps; step += 1) {
      const previous_response_id = replies.at(-1)?.id;
      const body = {
        model: "gpt-5.4",
        tools,
        input: kept ? [...fresh] : items,
        ...(kept && previous_response_id && { previous_response_id }),
      };
      const response = stream ? await client.responses.stream(body).finalResponse() : await client.responses.create(body);
      replies.push(response);
      const output = response.output.map(({ parsed_arguments: _, ...item }) => item);
      items.push(...output);
      fresh = [];
      for (const item of output) {
        if (item.type === "function_call") {
          ran.push([item.namespace, item.name]);
          fresh.push({ type: "function_call_output", call_id: item.call_id, output: `${item.name} did it` });
        } else if (item.type === "tool_search_call" && item.execution === "client") {
          fresh.push({
            type: "tool_search_output",
            call_id: item.call_id,
            execution: "client",
            status: "completed",
            tools: answer(item.arguments),
          });
        }
      }
      if (fresh.length === 0) return { items, replies, ran, text: response.output_text, requests: vendor.requests };
      items.push(...fresh);
    }
    return { items, replies, ran, requests: vendor.requests };
  } finally {
    await served.close();
    await vendor.close();
  }
}

const types = ({ output }) => output.map(({ type }) => type);

for (const stream of [false, true]) {
  const label = stream ? "streamed" : "plain";

  test(`hosted: a search is the vendor's items, and its history goes back, ${label}`, async () => {
    const replies = [
      [find("create an issue in a repository")],
      [call("create_issue", ISSUE)],
      [find("read a text file")],
      [call("read_text_file", { path: "a" }), call("create_issue", ISSUE)],
    ];
    const {
      replies: got,
      requests,
      ran,
      text,
    } = await run({ tools: [HOSTED, ...FUNCTIONS], script: script(...replies), stream });
    assert.equal(text, "All done.");
    assert.deepEqual(types(got[0]), ["reasoning", "tool_search_call", "tool_search_output", "reasoning", "function_call"]);
    const [, made, output, , called] = got[0].output;
    assert.deepEqual(made, {
      id: made.id,
      type: "tool_search_call",
      status: "completed",
      call_id: null,
      execution: "server",
      arguments: { paths: ["create an issue in a repository"] },
    });
    assert.match(made.id, /^tsc_/);
    assert.deepEqual(
      { ...output, tools: output.tools.length <= 5 },
      { id: output.id, type: "tool_search_output", call_id: null, execution: "server", status: "completed", tools: true },
    );
    assert.deepEqual(
      output.tools[0],
      FUNCTIONS.find(({ name }) => name === "create_issue"),
      "by value, as the client wrote it",
    );
    assert.deepEqual([called.name, called.namespace], ["create_issue", "create_issue"]);
    assert.deepEqual(
      ran.map(([, name]) => name),
      ["create_issue", "read_text_file", "create_issue"],
    );
    assert.deepEqual(got[0].tools, [HOSTED, ...FUNCTIONS]);

    assert.deepEqual(requests[0].tools, ["tool_search"]);
    for (const [at, { tools, items }] of requests.slice(1).entries()) {
      assert.deepEqual(tools.slice(0, requests[at].tools.length), requests[at].tools, "only appended");
      assert.deepEqual(
        items.slice(0, requests[at].items.length),
        requests[at].items,
        "what the backend read stays as it was",
      );
    }
    assert.equal(requests.length, 5, "no search is made again");
    assert.ok(got[0].usage.input_tokens > requests[1].toolTokens);
  });

  test(`run by the client: its search is called, and its output loads tools, ${label}`, async () => {
    const asked = [];
    const answer = (args) => (asked.push(args), [fn(toolsOf("github").find(({ name }) => name === "create_issue"))]);
    const parameters = { type: "object", properties: { goal: { type: "string" } } };
    const replies = [[call("tool_search", { goal: "issue" })], [call("create_issue", ISSUE)]];
    const {
      replies: got,
      requests,
      ran,
      text,
    } = await run({ tools: [{ ...CLIENT, description: "Find.", parameters }], script: script(...replies), stream, answer });
    assert.equal(text, "All done.");
    assert.deepEqual(asked, [{ goal: "issue" }]);
    assert.deepEqual(types(got[0]), ["reasoning", "tool_search_call"]);
    assert.deepEqual(ran, [["create_issue", "create_issue"]]);
    assert.deepEqual(
      requests.map(({ tools }) => tools),
      [["tool_search"], ["tool_search", "create_issue"], ["tool_search", "create_issue"]],
    );
    assert.deepEqual(requests[0].body.tools[0].parameters, parameters);
    assert.match(requests[1].answers[0], /create_issue/);
  });

  test(`namespaces keep their names, ${label}`, async () => {
    const twins = NAMESPACES.map((one) => ({
      ...one,
      tools: [
        ...one.tools,
        fn({ name: "forget", description: `Forgets ${one.name}.`, inputSchema: { type: "object", properties: {} } }),
      ],
    }));
    const replies = [[find("forget github")], [call("forget")], [call("memory__forget")]];
    const { replies: got, ran } = await run({ tools: [HOSTED, ...twins], script: script(...replies), stream });
    const [, , output] = got[0].output;
    assert.ok(output.tools.every(({ type, tools }) => type === "namespace" && tools.length > 0));
    assert.deepEqual(ran, [
      ["github", "forget"],
      ["memory", "forget"],
    ]);
  });

  test(`a conversation that the backend keeps knows what it has loaded, ${label}`, async () => {
    const replies = [
      [find("create an issue in a repository")],
      [call("create_issue", ISSUE)],
      [call("create_issue", ISSUE)],
    ];
    const { requests, text } = await run({ tools: [HOSTED, ...FUNCTIONS], script: script(...replies), stream, kept: true });
    assert.equal(text, "All done.");
    assert.ok(requests.slice(1).every(({ tools }) => tools.includes("create_issue")));
  });

  test(`the last request has no search, ${label}`, async () => {
    const never = ({ tools }) =>
      tools.includes("tool_search") ? { calls: [find("create an issue")] } : { text: "Enough." };
    const { requests, text } = await run({
      tools: [HOSTED, ...FUNCTIONS],
      script: never,
      stream,
      options: { maxRounds: 3 },
    });
    assert.equal(text, "Enough.");
    assert.equal(requests.length, 4);
  });
}

test("without tools nothing is said of their calls", async () => {
  const { send, sent } = bare();
  const more = { input: "x", tool_choice: "auto", parallel_tool_calls: true };
  await send({ ...more, tools: [FUNCTIONS[0]] });
  await send({ ...more, tools: [FUNCTIONS[0], { ...FUNCTIONS[1], defer_loading: false }] });
  const said = ({ tools, tool_choice, parallel_tool_calls }) => [tools?.length, tool_choice, parallel_tool_calls];
  assert.deepEqual(sent.map(said), [
    [undefined, undefined, undefined],
    [1, "auto", true],
  ]);
});

test("a tool that was called in the namespace of all functions is loaded", async () => {
  const { send, sent } = bare();
  const { name } = FUNCTIONS[0];
  const called = { type: "function_call", namespace: "functions", name, call_id: "c1", arguments: "{}" };
  const input = [
    called,
    { type: "function_call_output", call_id: "c1", output: "done" },
    { role: "user", content: "Again." },
  ];
  await send({ input, tools: [HOSTED, ...FUNCTIONS.slice(0, 3)] });
  assert.deepEqual(
    sent[0].tools.map((tool) => tool.name),
    ["tool_search", name],
  );
});

test("deferred functions without a search, and items of compacted conversations, are translated too", async () => {
  const vendor = await startVendor(responsesWire({ lean: true }), script([call("get_me")]));
  const served = await serveProxy({ upstream: vendor.url, emulate: true });
  const tools = [HOSTED, fn({ name: "get_me", description: "Me.", inputSchema: { type: "object", properties: {} } })];
  const output = {
    type: "tool_search_output",
    id: "tso_1",
    call_id: null,
    execution: "server",
    status: "completed",
    tools: [tools[1]],
  };
  const input = [
    output,
    { type: "additional_tools", role: "developer", tools: [fn(toolsOf("memory")[0])] },
    { role: "user", content: "Who?" },
  ];
  const headers = { authorization: "Bearer none", "content-type": "application/json" };
  const response = await fetch(`${served.url}/v1/responses`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: "m", tools, input }),
  });
  assert.equal(response.status, 200);
  assert.deepEqual(vendor.requests[0].tools, ["tool_search", "get_me", toolsOf("memory")[0].name]);
  await served.close();
  await vendor.close();
});

/** A proxy before a backend that answers every request with a response of its own: `{ send, sent }`. */
function bare() {
  let number = 0;
  const sent = [];
  const fetch = async (_, { body }) => {
    sent.push(JSON.parse(body));
    number += 1;
    return Response.json({ id: `resp_${number}`, object: "response", status: "completed", output: [] });
  };
  const handler = siftProxy({ upstream: "https://backend.example", fetch, emulate: true });
  const send = async (body, key = "one") => {
    const headers = { authorization: `Bearer ${key}` };
    return (
      await handler(new Request("http://proxy.local/v1/responses", { method: "POST", body: JSON.stringify(body), headers }))
    ).json();
  };
  return { send, sent };
}

test("a body with many tools or items gives each a name of its own", { timeout: 60_000 }, async () => {
  const { send, sent } = bare();
  // Names of which nothing is left but what all have: each is free at the third thousand tries alone.
  const name = "x".repeat(64);
  const namespaces = Array.from({ length: 2_000 }, (_, at) => ({
    type: "namespace",
    name: `n${at}`,
    tools: [{ type: "function", name, defer_loading: true }],
  }));
  const added = Array.from({ length: 15_000 }, (_, at) => ({
    type: "additional_tools",
    tools: [{ type: "namespace", name: `n${at}`, tools: [{ type: "function", name: "run" }] }],
  }));
  await send({ input: "x", tools: [HOSTED, ...namespaces] });
  await send({ input: added, tools: [HOSTED] });
  const names = sent[1].tools.map((tool) => tool.name);
  assert.deepEqual([names.length, new Set(names).size], [15_001, 15_001]);
  assert.ok(names.every((one) => one.length <= 64));
});

test("a long conversation takes no more time where its searches stand before their answers", {
  timeout: 60_000,
}, async () => {
  const { send, sent } = bare();
  const pairs = Array.from({ length: 160_000 }, (_, at) => [
    { type: "tool_search_call", id: `tsc_${at}` },
    { type: "tool_search_output", id: `tso_${at}`, tools: [] },
  ]);
  const took = async (input) => {
    const since = performance.now();
    await send({ input, tools: [HOSTED] });
    assert.equal(sent.pop().input.length, 2 * pairs.length);
    return performance.now() - since;
  };
  const orders = [pairs.flat(), [...pairs.map(([call]) => call), ...pairs.map(([, output]) => output)]];
  await took(orders[0]);
  const [paired, parted] = [await took(orders[0]), await took(orders[1])];
  assert.ok(parted < 4 * paired, `${Math.round(parted)} ms, and ${Math.round(paired)} ms in pairs`);
});

test("what responses have loaded is each client's own, and bounded", { timeout: 60_000 }, async () => {
  const { send, sent } = bare();
  const loads = (chars, at = 0) => ({
    tools: [CLIENT],
    input: [
      {
        type: "tool_search_output",
        call_id: "c",
        execution: "client",
        tools: [{ type: "function", name: `loaded_${at}`, description: "d".repeat(chars), parameters: {} }],
      },
    ],
  });
  const after = async (previous_response_id, key) => {
    await send({ tools: [CLIENT], input: [], previous_response_id }, key);
    return sent.at(-1).tools.some((tool) => tool.name.startsWith("loaded_"));
  };
  const { id } = await send(loads(10));
  assert.deepEqual([await after(id), await after(id, "two")], [true, false]);
  const large = await send(loads(1_100_000));
  assert.equal(await after(large.id), false, "no conversation loads so much");
  for (let at = 0; at < 70; at++) await send(loads(1_000_000, at));
  assert.equal(await after(id), false, "the oldest goes first");
});
