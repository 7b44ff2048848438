/**
 * Does each special part of a request keep its meaning?
 *
 * 1. Small lists, several choices and the old form of functions pass through as they came.
 * 2. Strict tools are sent as the client wrote them; tools that the core refuses, and custom ones, always.
 * 3. A choice that names tools reveals them; one that demands a call holds on every round, and never without a tool.
 * 4. Parallel discovery calls are answered together; a call that comes too early is answered with the schema.
 * 5. Images, numbers and everything else in messages stay byte for byte.
 * 6. Tools that end a run or hand it over are never held back; where a call is demanded, the last of the list is not either.
 * 7. Who asks how many tokens a request has is told of what will be sent.
 * 8. At the vendor's limit on tools, the least recently used ones are evicted.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./lib/built.mjs";
import { call, calls, says, tools, USER } from "./lib/chat.mjs";
import { asAnthropic, asChat, asGoogle, asResponses, definitions } from "./lib/tools.mjs";
import { json, posted, scripted } from "./lib/upstream.mjs";

const { siftFetch } = await entry("proxy.js");

/** Sends one request, of which the upstream answers the rounds. */
async function asked(more, replies, options = {}) {
  const { fetch, sent } = scripted(...replies);
  const text = typeof more === "string" ? more : JSON.stringify({ model: "m", messages: [USER], tools, ...more });
  const response = await siftFetch({ fetch, ...options })("https://api.example/v1/chat/completions", {
    method: "POST",
    body: text,
  });
  return { sent, text, response, reply: (await response.json()).choices[0] };
}
const names = ({ body }) => body.tools.map((tool) => (tool.function ?? tool.custom).name);

test("what tool search is not for passes through as it came", async () => {
  const small = tools.slice(0, 5);
  for (const more of [{ tools: small }, { n: 2 }, { tools: [], functions: [] }, { messages: "none" }]) {
    const { sent, text } = await asked(more, [says("Done.")]);
    assert.equal(sent[0].text, text);
  }
  const problems = [];
  const onEvent = ({ type, message }) => type === "problem" && problems.push(message);
  for (const more of [{ n: 2 }, { tools: undefined, functions: [] }]) await asked(more, [says("Done.")], { onEvent });
  assert.deepEqual(problems, [
    "a request passes through in full: several choices (n) are several conversations",
    'a request passes through in full: "functions" is the old form of "tools"',
  ]);
  const { response } = await asked({ tools: small }, [says("Done.")]);
  const header = (name) => response.headers.get(`x-toolsift-${name}`);
  assert.deepEqual(
    [header("active"), header("tools-full"), header("tools-sent"), header("requests")],
    ["false", "5", "5", "1"],
  );
  assert.equal(header("tokens-full"), header("tokens-sent"));
});

test("who asks how many tokens a request has is told of what will be sent", async () => {
  const gemini = {
    contents: [{ role: "user", parts: [{ text: "Please help me" }] }],
    tools: [{ functionDeclarations: definitions().map(asGoogle) }],
  };
  const about = [
    [
      "/v1/messages",
      "/v1/messages/count_tokens",
      { model: "m", system: "You help.", messages: [USER], tools: definitions().map(asAnthropic) },
    ],
    [
      "/v1/responses",
      "/v1/responses/input_tokens",
      { model: "m", instructions: "You help.", input: "Please help me", tools: definitions().map(asResponses) },
    ],
    ["/v1beta/models/m:generateContent", "/v1beta/models/m:countTokens", gemini],
    ["/v1beta/models/m:generateContent", "/v1beta/models/m:countTokens", gemini, ["generateContentRequest"]],
  ];
  for (const [asks, counts, request, within = []] of about) {
    const events = [];
    const { fetch, sent } = scripted(
      json({ error: {} }, { status: 400 }),
      json({ input_tokens: 7 }),
      json({ input_tokens: 9 }),
    );
    const sift = siftFetch({ fetch, onEvent: ({ type }) => events.push(type) });
    await sift(...posted(asks, request));
    const counting = within.reduceRight((inner, key) => ({ [key]: inner, other: 1 }), request);
    const response = await sift(...posted(counts, counting));
    assert.deepEqual(await response.json(), { input_tokens: 7 }, counts);
    assert.equal(new URL(sent[1].url).pathname, counts);
    const counted = within.reduce((body, key) => body[key], sent[1].body);
    assert.deepEqual(counted, sent[0].body, "the same as will be sent");
    assert.ok(sent[1].text.length < JSON.stringify(request).length / 2);
    assert.deepEqual(events, ["request"], "nothing was asked of a model");
    const small = { model: "m", tools: [] };
    await sift(...posted(counts, small));
    assert.deepEqual(sent[2].body, small);
  }
});

test("a backend without tool search counts what it will be sent", async () => {
  const { fetch, sent } = scripted(json({ content: [], stop_reason: "end_turn" }), json({ input_tokens: 7 }));
  const sift = siftFetch({ fetch });
  const body = JSON.stringify({
    model: "m",
    messages: [USER],
    tools: [
      { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
      ...definitions()
        .map(asAnthropic)
        .map((tool) => ({ ...tool, defer_loading: true })),
    ],
  });
  for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
    const response = await sift(`https://backend.example${path}`, {
      method: "POST",
      body,
      headers: { "anthropic-beta": "advanced-tool-use-2025-11-20" },
    });
    assert.equal(response.status, 200);
  }
  assert.deepEqual(sent[1].body, sent[0].body);
  assert.deepEqual([sent[1].body.tools.length, sent[1].headers.get("anthropic-beta")], [1, null]);
});

test("tools are sent as the client wrote them", async () => {
  const strict = {
    ...tools[0],
    function: {
      ...tools[0].function,
      strict: true,
      parameters: { ...tools[0].function.parameters, additionalProperties: false },
    },
  };
  const custom = { type: "custom", custom: { name: "run_sql", description: "SQL" } };
  const odd = asChat({ name: "odd.name", description: "The core takes no dots.", schema: { type: "object" } });
  const search = calls(call("search_tools", { query: "create an issue" }));
  const { sent, reply } = await asked({ tools: [custom, odd, strict, ...tools.slice(1)] }, [
    search,
    calls(call("create_issue", {}), call("odd.name", {})),
  ]);
  assert.deepEqual(sent[0].body.tools.slice(0, 2), [custom, odd]);
  assert.deepEqual(
    sent[1].body.tools.find((tool) => tool.function?.name === "create_issue"),
    strict,
  );
  assert.deepEqual(
    reply.message.tool_calls.map((one) => one.function.name),
    ["create_issue", "odd.name"],
  );
});

const plainTool = (name) =>
  asChat({ name, description: "Ends the run with its result.", schema: { type: "object", properties: {} } });

test("tools that end a run or hand it over are never held back", async () => {
  const ends = [
    "final_result",
    "final_result_Invoice",
    "final_answer",
    "transfer_to_billing_agent",
    "transfer_back_to_supervisor",
    "handoff",
    "handoff_to_agent",
    "delegate_work_to_coworker",
    "exit_loop",
    "submit",
  ];
  const others = ["transfer_money", "final_results", "submit_order", "list_handoffs"];
  const { sent } = await asked({ tools: [...ends, ...others].map(plainTool).concat(tools) }, [says("Done.")]);
  const there = names(sent[0]);
  assert.deepEqual(
    ends.filter((name) => !there.includes(name)),
    [],
  );
  assert.deepEqual(
    others.filter((name) => there.includes(name)),
    [],
  );
});

test("a client and a host name tools that are never held back", async () => {
  const { fetch, sent } = scripted(says("Done."), says("Done."), says("Done."));
  const sift = siftFetch({ fetch, sift: { alwaysAvailable: ["share_photo"] } });
  const send = async (headers) =>
    (await sift(...posted("/v1/chat/completions", { messages: [USER], tools }, headers))).text();
  await send({ "x-toolsift-always": "create_issue, list_recipe,, no_such_tool" });
  await send({});
  await send({ "x-toolsift-always": "create_issue, list_recipe,, no_such_tool" });
  const own = (at) =>
    names(sent[at])
      .filter((name) => tools.some((tool) => tool.function.name === name))
      .sort();
  assert.deepEqual(
    [own(0), own(1), own(2)],
    [["create_issue", "list_recipe", "share_photo"], ["share_photo"], ["create_issue", "list_recipe", "share_photo"]],
  );
  assert.equal(sent[0].headers.get("x-toolsift-always"), null);
});

test("where every reply has to call a tool, the last of the list is there, and the host is warned once", async () => {
  const events = [];
  const said = [
    USER,
    { role: "assistant", content: null, tool_calls: [call("create_issue", {})] },
    { role: "tool", tool_call_id: "create_issue", content: "ok" },
  ];
  const { fetch, sent } = scripted(...Array.from({ length: 6 }, () => () => says("Done.")));
  const sift = siftFetch({ fetch, onEvent: (event) => event.type === "problem" && events.push(event.message) });
  const send = async (more, headers) => {
    const request = { messages: said, tools: [...tools, plainTool("Invoice")], tool_choice: "required", ...more };
    await (await sift(...posted("/v1/chat/completions", request, headers))).text();
  };
  await send({ messages: [USER] });
  assert.deepEqual(events, [], "once is no rule");
  await send({});
  await send({});
  for (const one of sent) assert.ok(names(one).includes("Invoice"));
  assert.equal(events.length, 1);
  assert.match(events[0], /none has a name that is known to end the run.*x-toolsift-always/);
  await send({ tool_choice: "auto", messages: [USER] });
  assert.ok(!names(sent[3]).includes("Invoice"));
  await send({ tools: [plainTool("final_answer"), ...tools] });
  await send({}, { "x-toolsift-always": "share_photo" });
  assert.ok(!names(sent[4]).includes(tools.at(-1).function.name) && names(sent[4]).includes("final_answer"));
  assert.equal(events.length, 1, "nothing to warn of");
});

test("a choice that names tools reveals them", async () => {
  const named = { type: "function", function: { name: "share_photo" } };
  const { sent } = await asked({ tool_choice: named }, [calls(call("share_photo", {}))]);
  assert.deepEqual([names(sent[0]).includes("share_photo"), sent[0].body.tool_choice], [true, named]);
  const allowed = {
    type: "allowed_tools",
    allowed_tools: {
      mode: "required",
      tools: ["share_photo", "list_recipe"].map((name) => ({ type: "function", function: { name } })),
    },
  };
  const { sent: both } = await asked({ tool_choice: allowed }, [calls(call("list_recipe", {}))]);
  assert.deepEqual(names(both[0]).slice(3), ["share_photo", "list_recipe"]);
});

test("a choice that demands a call holds on every round, and none forbids all", async () => {
  const nothing = calls(call("search_tools", { query: "zzzz qqqq" }));
  const { sent } = await asked({ tool_choice: "required" }, [nothing, calls(call("rename_photo", {}))], { maxRounds: 1 });
  assert.deepEqual(
    sent.map(({ body }) => body.tool_choice),
    ["required", "required"],
  );
  assert.equal(names(sent[1]).length, 100, "nothing was found: the last round has every tool");
  const { sent: none, reply } = await asked({ tool_choice: "none" }, [says("Words.")]);
  assert.deepEqual([none[0].body.tool_choice, reply.message.content], ["none", "Words."]);
});

test("parallel discovery calls are answered together, and an early call with the schema", async () => {
  const both = calls(
    call("search_tools", { query: "create an issue" }, "a"),
    call("search_tools", { query: "rename a photo" }, "b"),
  );
  const { sent } = await asked({}, [both, calls(call("share_recipe", {}, "early")), says("Done.")]);
  assert.deepEqual(
    sent[1].body.messages.slice(-2).map((one) => one.tool_call_id),
    ["a", "b"],
  );
  assert.ok(["create_issue", "rename_photo"].every((name) => names(sent[1]).includes(name)));
  const [refusal] = sent[2].body.messages.slice(-1);
  assert.equal(refusal.tool_call_id, "early");
  assert.match(refusal.content, /recipe_id/);
  assert.ok(names(sent[2]).includes("share_recipe"));
});

test("images, numbers and the rest of messages stay byte for byte", async () => {
  const image = `{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo=","detail":"low"}} , {"type":"text","text":"\\ud83d\\ude00 1.0"}],"seed":1.50}`;
  const text = `{"model":"m","messages":[{"role":"system","content":"You help."}, ${image}],"tools":${JSON.stringify(tools)}}`;
  const { sent } = await asked(text, [calls(call("search_tools", { query: "create an issue" })), says("Done.")]);
  for (const { text: one, body } of sent) {
    assert.ok(one.includes(image));
    assert.match(body.messages[0].content, /^You help\.\n\n[^]*Finding tools/);
  }
});

test("at the vendor's limit on tools, the least recently used are evicted", async () => {
  const searches = ["issue", "photo", "recipe"].map((noun) =>
    calls(call("search_tools", { query: `create a ${noun}` }, noun)),
  );
  const { sent } = await asked({}, [...searches, says("Done.")], { maxTools: 6 });
  for (const one of sent) assert.ok(names(one).length <= 6);
  assert.ok(names(sent[3]).includes("create_recipe"));
});
