/** Tests that `toolsift()`, the gateway and the proxy make OpenTelemetry spans. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { folder, start } from "../cli/command-line.mjs";
import { client, opened, server } from "../cli/gateways.mjs";
import { tools } from "../proxy/lib/chat.mjs";
import { json, scripted } from "../proxy/lib/upstream.mjs";

const { runTools, ToolSift } = await import("toolsift");
const { spans } = await import("toolsift/otel");
const { siftProxy } = await import("toolsift/proxy");

/** A tracer that keeps its spans. */
function tracer() {
  const made = [];
  const startSpan = (name, options) => {
    const span = { name, ...options };
    made.push(span);
    return { setStatus: (status) => (span.status = status), end: (time) => (span.end = time) };
  };
  return { made, startSpan };
}

const timed = ({ startTime, end }) =>
  assert.ok(startTime > 1.7e12 && end >= startTime && end <= Date.now() + 1, `${startTime} to ${end}`);

test("the library: a span for each tool that was executed", async () => {
  const sift = new ToolSift({ activation: "on" });
  const tool = (name, description) => ({ name, description, inputSchema: { type: "object" } });
  sift.register([tool("get_forecast", "Get the weather forecast of a place."), tool("send_mail", "Send a message.")], {
    server: "s",
  });
  const said = [
    ["search_tools", { query: "weather forecast" }],
    ["get_forecast", {}],
    ["get_nothing", {}],
  ];
  const send = ({ step }) => ({ calls: said.slice(step - 1, step).map(([name, args]) => ({ id: "c1", name, args })) });
  const traced = tracer();
  await runTools(sift.session("chat-1"), {
    send,
    execute: () => Promise.reject(new Error("no weather")),
    onEvent: spans(traced),
  });
  assert.deepEqual(
    traced.made.map(({ name, kind }) => [name, kind]),
    [
      ["execute_tool search_tools", 0],
      ["execute_tool get_forecast", 0],
      ["execute_tool get_nothing", 0],
    ],
  );
  const [search, call, refused] = traced.made;
  traced.made.forEach(timed);
  assert.equal(search.attributes["gen_ai.operation.name"], "execute_tool");
  assert.equal(search.attributes["gen_ai.conversation.id"], "chat-1");
  assert.deepEqual(search.attributes["toolsift.revealed"], ["get_forecast"]);
  assert.ok(!JSON.stringify(traced.made).includes("weather forecast"), "a query is people's own words");
  assert.equal(search.status, undefined);
  assert.deepEqual([call.attributes["gen_ai.tool.call.id"], call.attributes["toolsift.tool.server"]], ["c1", "s"]);
  assert.deepEqual([call.status, call.attributes["error.type"]], [{ code: 2 }, "tool_error"]);
  assert.equal(refused.status.code, 2);
  assert.match(refused.status.message, /get_nothing/);
});

test("the proxy: a span for each request, beside those of its searches", async () => {
  const call = (name, args) =>
    json({
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "c", type: "function", function: { name, arguments: JSON.stringify(args) } }],
          },
        },
      ],
    });
  const { fetch } = scripted(
    call("search_tools", { query: "create an issue" }),
    call("create_issue", {}),
    json({ error: "busy" }, { status: 429 }),
  );
  const traced = tracer();
  const handler = siftProxy({ upstream: "https://api.example", fetch, onEvent: spans(traced) });
  const body = { model: "gpt-x", messages: [{ role: "user", content: "Please help me" }], tools };
  const ask = () =>
    handler(new Request("http://proxy.local/v1/chat/completions", { method: "POST", body: JSON.stringify(body) }));
  await (await ask()).text();
  await (await ask()).text();
  assert.deepEqual(
    traced.made.map(({ name, kind }) => [name, kind]),
    [
      ["execute_tool search_tools", 0],
      ["chat gpt-x", 2],
      ["chat gpt-x", 2],
    ],
  );
  traced.made.forEach(timed);
  const [, done, refused] = traced.made;
  assert.equal(done.attributes["gen_ai.provider.name"], "openai");
  assert.equal(done.attributes["gen_ai.request.model"], "gpt-x");
  assert.equal(done.attributes["toolsift.requests"], 2);
  assert.ok(done.attributes["toolsift.tokens.sent"] < done.attributes["toolsift.tokens.full"]);
  assert.deepEqual(
    [done.status, refused.status, refused.attributes["error.type"]],
    [undefined, { code: 2 }, "upstream_error"],
  );
});

test("the gateway: a span for each call of a client", async (t) => {
  const traced = tracer();
  const tools = {
    forecast: { description: "The weather forecast of a place" },
    broken: { run: () => Promise.reject(new Error("no")) },
  };
  const gateway = await opened(t, { weather: server("weather", tools) }, { onEvent: spans(traced) });
  const made = await client(t, gateway);
  await made.callTool({ name: "search_tools", arguments: { query: "weather" } });
  await made.callTool({ name: "call_tool", arguments: { name: "forecast", arguments: {} } }).catch(() => {});
  await made.callTool({ name: "call_destructive_tool", arguments: { name: "broken", arguments: {} } }).catch(() => {});
  const names = traced.made.map(({ name }) => name);
  assert.ok(names.includes("tools/call search_tools"), `${names}`);
  traced.made.forEach(timed);
  for (const { kind, attributes } of traced.made) {
    assert.deepEqual(
      [kind, attributes["mcp.method.name"], attributes["gen_ai.operation.name"]],
      [1, "tools/call", "execute_tool"],
    );
    assert.equal(typeof attributes["mcp.session.id"], "string");
  }
  assert.ok(
    traced.made.every(({ attributes }) => !("toolsift.query" in attributes)),
    "a query is people's own words",
  );
  const failed = traced.made.find(({ attributes }) => attributes["gen_ai.tool.name"] === "broken");
  assert.deepEqual(
    [failed.attributes["toolsift.tool.server"], failed.attributes["error.type"], failed.status],
    ["weather", "tool_error", { code: 2 }],
  );
});

test("the commands make spans where a tracer was registered before them", async (t) => {
  const home = folder({ "spans.txt": "" });
  const [out, register] = [join(home, "spans.txt"), join(home, "register.mjs")];
  writeFileSync(
    register,
    `import { appendFileSync } from "node:fs";
     const startSpan = (name) => ({ setStatus() {}, end: () => appendFileSync(${JSON.stringify(out)}, name + "\\n") });
     globalThis[Symbol.for("opentelemetry.js.api.1")] = { version: "1.9.0", trace: { getTracer: () => ({ startSpan }) } };`,
  );
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(register).href}` };
  const { child, done } = start(["proxy", "--upstream", "http://127.0.0.1:9", "--port", "0", "--activation", "on"], { env });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  t.onTestFinished(() => child.kill());
  for (let tries = 0; !/listening on (\S+),/.test(said) && tries < 800; tries++) await pause(25);
  const body = JSON.stringify({
    model: "gpt-x",
    messages: [{ role: "user", content: "Hi" }],
    tools,
  });
  const response = await globalThis.fetch(`${/listening on (\S+),/.exec(said)[1]}/v1/chat/completions`, {
    method: "POST",
    body,
  });
  assert.equal(response.status, 502);
  child.kill("SIGTERM");
  await done;
  assert.equal(readFileSync(out, "utf8"), "chat gpt-x\n");
});
