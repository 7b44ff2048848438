/**
 * Tests behaviour that is specific to the Responses API: where the conversation is stored, items of other kinds, failed
 * responses.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { appWith } from "./lib/app.mjs";
import { DISCOVERY, ISSUE } from "./lib/calls.mjs";
import { agentOf, call, exchangeOf } from "./lib/openai.mjs";
import { pluck, siftOf } from "./lib/tools.mjs";
import { responses } from "../apis/responses.mjs";

const VERSIONS = ["openai-6", "openai"];

const user = { role: "user", content: "Go on." };
const params = (others = {}) => ({ model: "gpt-5.4", input: [{ ...user }], ...others });

const agent = (version, replies, given, more) => agentOf(responses, "responsesModel", replies, given, { version, ...more });
const exchangeOver = (version, given, answers, answer) => exchangeOf("responsesModel", given, answers, { version, answer });
/** One exchange whose answers are given, in the order of the requests. */
const exchange = (given, ...answers) => exchangeOver("openai", given, answers);

const status = "completed";
const response = (output, others = {}) => ({ id: "resp_a", object: "response", status, error: null, output, ...others });
const text = (words) => {
  const content = [{ type: "output_text", text: words, annotations: [] }];
  return { type: "message", id: "msg_1", role: "assistant", status, content };
};
const made = (name, more = {}) => {
  return { type: "function_call", id: "fc_1", call_id: "call_1", name, arguments: "{}", status, ...more };
};
const reasoning = { type: "reasoning", id: "rs_1", summary: [] };

for (const version of allOrLast(VERSIONS)) {
  test(`${version}: the conversation that the host keeps can be sent on, stored, and read`, async () => {
    for (const stream of [false, true]) {
      const given = params({ stream });
      const replies = [[call("search_tools", { query: "create an issue" })], [call("create_issue", ISSUE)]];
      const { sift, app, requests, reply } = await agent(version, replies, given);
      const input = JSON.parse(JSON.stringify(given.input));
      const types = ["reasoning", "function_call", "function_call_output"];
      assert.deepEqual(pluck(input, "type"), [undefined, ...types, ...types, "message"]);
      assert.deepEqual(requests.at(-1).body.input, input.slice(0, -1), "as it was sent");
      assert.equal(reply.text, "All done.");
      assert.equal(reply.response.output_text, "All done.");
      const fresh = await siftOf(app);
      fresh.session("chat").fromMessages(input, { format: "openai-responses" });
      assert.deepEqual(fresh.session("chat").revealed, sift.session("chat").revealed);
      const next = await agent(version, [[call("create_issue", ISSUE)]], params({ input: [...input, user] }), {
        sift: fresh,
      });
      assert.equal(next.ran.length, 1);
    }
  });

  test(`${version}: where the vendor keeps the conversation, only what it does not have is sent`, async () => {
    const keys = [
      ["previous_response_id", responses.begin("resp")],
      ["conversation", responses.begin("conv")],
    ];
    for (const [key, id] of keys) {
      const given = params({ [key]: id });
      const replies = [[call("add_tool", { tool_names: ["create_issue"] })], [call("create_issue", ISSUE)]];
      const first = await agent(version, replies, given);
      const sent = first.requests.map(({ body }) => body.input.map(({ type }) => type));
      assert.deepEqual(sent, [[undefined], ["function_call_output"], ["function_call_output"]]);
      assert.deepEqual(given.input, []);
      given.input.push({ role: "user", content: "And again." });
      const next = await agent(version, [[call("create_issue", ISSUE)]], given, { sift: first.sift });
      assert.equal(next.requests[0].items.length, 9, "the vendor has the rest");
      assert.equal(next.requests[0].prompt, "And again.");
      assert.equal(next.ran.length, 1);
      const { conversation, previous_response_id } = next.requests.at(-1).body;
      if (key === "conversation") assert.deepEqual([conversation, previous_response_id], [id, undefined]);
      else assert.equal(given.previous_response_id, next.reply.response.id);
    }
  });

  test(`${version}: with stream, every event is told`, async () => {
    const events = [];
    const options = { onChunk: ({ type }) => void events.push(type) };
    await agent(version, [], params({ stream: true }), { options });
    assert.equal(events[0], "response.created");
    assert.equal(events.at(-1), "response.completed");
    assert.ok(events.includes("response.output_text.delta"));
  });
}

test("a request that fails loses nothing: the same parameters go on", async () => {
  const add = made("add_tool", { arguments: '{"tool_names":["read_graph"]}' });
  for (const [more, left] of [
    [{}, ["message", "function_call", "function_call_output"]],
    [{ conversation: "conv_a" }, ["function_call_output"]],
  ]) {
    const given = params({ input: [{ ...user, type: "message" }], ...more });
    await assert.rejects(exchange(given, response([add]), new Error("the line is cut")), /Connection error/);
    assert.deepEqual(pluck(given.input, "type"), left);
    const { bodies, finish } = await exchange(given, response([text("Yes.")]));
    assert.equal(finish, "done");
    assert.deepEqual(pluck(bodies[0].input, "type"), left);
  }
});

test("tools of the host's own run under no server, or under their namespace", async () => {
  const clock = { type: "function", name: "clock", parameters: { type: "object" }, strict: false };
  const orders = {
    type: "namespace",
    name: "crm",
    description: "Orders",
    tools: [{ type: "function", name: "list_orders" }],
  };
  const tools = [clock, orders, { type: "custom", name: "shell" }, { type: "web_search" }];
  const caller = { type: "program", caller_id: "prog_1" };
  const output = [
    made("clock", { call_id: "a", caller }),
    made("list_orders", { call_id: "b", namespace: "crm" }),
    { type: "custom_tool_call", id: "ct_1", call_id: "c", name: "shell", input: "ls -l" },
    made("list_orders", { call_id: "d" }),
    made("clock", { call_id: "e", namespace: "functions" }),
    made("clock", { call_id: "f", namespace: "clock" }),
  ];
  const given = params({ tools });
  const { bodies, ran } = await exchange(given, response(output), response([text("Yes.")]));
  assert.deepEqual(bodies[0].tools.slice(0, 4), tools);
  assert.deepEqual(pluck(bodies[0].tools.slice(4), "name"), DISCOVERY);
  assert.deepEqual(ran, [
    { server: null, name: "clock", args: {} },
    { server: "crm", name: "list_orders", args: {} },
    { server: null, name: "shell", args: { input: "ls -l" } },
    { server: null, name: "clock", args: {} },
    { server: null, name: "clock", args: {} },
  ]);
  const answers = bodies[1].input.slice(-6);
  assert.deepEqual(answers[0], { type: "function_call_output", call_id: "a", output: "null/clock did it", caller });
  assert.deepEqual(answers[2], { type: "custom_tool_call_output", call_id: "c", output: "null/shell did it" });
  assert.match(answers[3].output, /There is no tool named "list_orders"/);
});

test("images are shown to the model", async () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const given = params({
    tools: [
      { type: "function", name: "clock" },
      { type: "custom", name: "shell" },
    ],
  });
  const output = [made("clock", { call_id: "a" }), { type: "custom_tool_call", call_id: "b", name: "shell", input: "ls" }];
  const answer = () => ({ content: [{ type: "text", text: "A picture:" }, image, { type: "text", text: "" }] });
  const { bodies } = await exchangeOver("openai", given, [response(output), response([text("Yes.")])], answer);
  const shown = [
    { type: "input_text", text: "A picture:" },
    { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" },
  ];
  assert.deepEqual(pluck(bodies[1].input.slice(-2), "output"), [shown, shown]);
  const failed = () => ({ content: [image], isError: true });
  const { bodies: others } = await exchangeOver("openai", given, [response(output), response([text("Yes.")])], failed);
  assert.equal(typeof others[1].input.at(-1).output, "string");
});

test("the vendor's own tool search is left to the vendor", async () => {
  const hosted = [
    { type: "tool_search_call", id: "ts_1", call_id: null, execution: "server", status, arguments: { paths: ["crm"] } },
    { type: "tool_search_output", id: "to_1", call_id: null, execution: "server", status, tools: [] },
    text("Yes."),
  ];
  const given = params({ tools: [{ type: "tool_search" }] });
  const { bodies, finish } = await exchange(given, response(hosted));
  assert.deepEqual(bodies[0].tools[0], { type: "tool_search" });
  assert.equal(finish, "done");
  assert.deepEqual(given.input.slice(1), hosted);
});

test("a response that failed ends the run, and the conversation is as it was", async () => {
  const error = { code: "server_error", message: "try later" };
  const failed = response([], { status: "failed", error });
  const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  for (const [answer, stream, words] of [
    [failed, false, /the response failed: server_error: try later/],
    [response([], { status: "cancelled" }), false, /the response cancelled/],
    [{ error: { code: 402, message: "no credits" } }, false, /the response has no output: 402: no credits/],
    [event({ type: "response.failed", response: failed }), true, /the response failed: server_error: try later/],
    [event({ type: "response.created", response: response([]) }), true, /the stream ended before the reply did/],
  ]) {
    const given = params({ stream });
    await assert.rejects(exchange(given, answer), words);
    assert.deepEqual(given.input, [user]);
  }
});

test("a response that was cut off goes on without the reasoning that led nowhere", async () => {
  const given = params();
  const cut = response([text("Well"), reasoning], {
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
  });
  const { finish } = await exchange(given, cut);
  assert.equal(finish, "done");
  assert.deepEqual(given.input.slice(1), [text("Well")]);
});

test("a call in whose middle the reply ended does not run, however whole it looks", async () => {
  const shell = { type: "custom", name: "shell" };
  const clock = { type: "function", name: "clock", parameters: {}, strict: false };
  const input = { type: "custom_tool_call", id: "ct_1", call_id: "b", name: "shell", input: "rm -rf /" };
  const incomplete = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  for (const last of [input, made("clock", { call_id: "b", arguments: "" })]) {
    const given = params({ tools: [shell, clock] });
    const cut = response([made("clock", { call_id: "a" }), last], incomplete);
    const { ran, bodies } = await exchange(given, cut, response([text("Yes.")]));
    assert.deepEqual(ran, [{ server: null, name: "clock", args: {} }], "what stands before it runs");
    assert.match(bodies[1].input.at(-1).output, /ended in the middle of this call/);
  }
  const halves = [made("clock", { call_id: "a", status: "incomplete" }), made("clock", { call_id: "b" })];
  const { ran } = await exchange(params({ tools: [clock] }), response(halves), response([text("Yes.")]));
  assert.equal(ran.length, 1);
});

test("a call is demanded once, and the prompt section stands behind the host's instructions", async () => {
  const only = { type: "allowed_tools", mode: "required", tools: [] };
  for (const [tool_choice, then] of [
    ["required", "auto"],
    ["none", "none"],
    [only, { ...only, mode: "auto" }],
    [undefined, undefined],
  ]) {
    const given = params({ tool_choice, instructions: "Be kind." });
    const { requests } = await agent("openai", [[call("search_tools", { query: "issue" })]], given);
    assert.deepEqual(
      requests.map(({ body }) => body.tool_choice),
      [tool_choice, then],
    );
    assert.match(requests[1].body.instructions, /^Be kind\.\n\n## Finding tools/);
    assert.equal(given.instructions, "Be kind.");
  }
});

test("the prompt section stands behind the host's own words, wherever these are", async () => {
  const input = () => [{ role: "system", content: "Be kind." }, user];
  const section = { role: "system", content: /^## Finding tools/ };
  for (const [given, instructions, behind] of [
    [{ input: [user] }, /^## Finding tools/],
    [{ input: input() }, undefined, section],
    [{ input: input(), instructions: "Hello." }, /^Hello\.\n\n## Finding tools/],
    [{ input: [user], prompt: { id: "pmpt_1" } }, undefined, { ...section, role: "developer" }],
    // What the vendor keeps holds no section of every request.
    [{ input: input(), conversation: responses.begin("conv") }, /^## Finding tools/],
  ]) {
    const { requests } = await agent("openai", [], params(given));
    const { body } = requests[0];
    if (instructions === undefined) assert.equal(body.instructions, undefined);
    else assert.match(body.instructions, instructions);
    const sections = body.input.filter(({ content }) => String(content).startsWith("## Finding tools"));
    assert.deepEqual(
      sections.map(({ role }) => role),
      behind === undefined ? [] : [behind.role],
    );
    assert.equal(body.input.at(-1).role, "user");
  }
});

test("without tools nothing is said of them", async () => {
  const { ToolSift } = await (await appWith({ openai: "openai" })).load("toolsift");
  const given = params({ tool_choice: "auto", parallel_tool_calls: false });
  const { requests } = await agent("openai", [], given, { sift: new ToolSift() });
  assert.deepEqual(Object.keys(requests[0].body).sort(), ["input", "model"]);
});
