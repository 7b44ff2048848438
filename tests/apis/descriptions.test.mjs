/**
 * Tests the descriptions of APIs in pkg/src/wire: a streamed reply reads like a whole reply, its call and the answer are in
 * the conversation, and the Rust library finds both there.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { build } from "esbuild";
import { at } from "../../scripts/lib/paths.mjs";
import { ToolSift } from "toolsift";
import { APIS, whole } from "./index.mjs";
import { numbered } from "./vendor.mjs";

const DESCRIPTIONS = { chat: "openai-chat", responses: "openai-responses", messages: "anthropic", gemini: "google" };

const lines = Object.values(DESCRIPTIONS).map((name) => `export * as ${JSON.stringify(name)} from "./${name}.ts";`);
const stdin = { contents: lines.join("\n"), resolveDir: at("pkg", "src", "wire") };
const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm", platform: "neutral" });
const modules = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

const forecast = { name: "forecast", inputSchema: { type: "object" } };
const REPLY = { text: "Let me see.", calls: [{ id: "c1", name: "forecast", args: { city: "Turin" } }] };

for (const [name, described] of Object.entries(DESCRIPTIONS)) {
  const { [described]: description } = modules;
  const api = APIS[name];

  test(`${name}: a streamed reply reads as the whole one, and its call and the answer are found again`, () => {
    const written = whole(api, REPLY);
    const reply = description.read(written);
    assert.equal(reply.text, REPLY.text);
    const [call, ...others] = reply.calls;
    assert.deepEqual([call.name, others], ["forecast", []]);
    assert.deepEqual(typeof call.args === "string" ? JSON.parse(call.args) : call.args, { city: "Turin" });
    const stream = new description.Pieces();
    const events = api.stream(numbered(REPLY, 1), {}).filter(({ data }) => data !== "[DONE]");
    for (const { data } of events) stream.add(data);
    const { text, calls } = description.read(stream.reply);
    assert.deepEqual([text, calls.map(({ name: of, args }) => [of, args])], [reply.text, [[call.name, call.args]]]);
    const cut = new description.Pieces();
    for (const { data } of events.slice(0, -3)) cut.add(data);
    assert.equal(cut.reply, undefined, "a reply before its end is none");
    assert.equal(description.read({}), undefined);

    const outcome = { kind: "dispatch", name: "forecast", server: null, modelName: "forecast", arguments: {} };
    const answers = description.answersOf([{ call, outcome, content: "14 degrees", isError: false }]);
    const sift = new ToolSift({ activation: "on" });
    sift.register([forecast]);
    const format = described.replace(/-chat$/, "");
    const report = sift.session("again").fromMessages([...reply.messages, ...answers], { format });
    assert.deepEqual(report.revealed, ["forecast"]);
  });

  test(`${name}: a choice says what it demands, and tools have names`, () => {
    const choiceOf = (more) => {
      const { tool_choice, toolConfig } = api.request({ messages: [], tools: [forecast], ...more });
      return tool_choice ?? toolConfig?.functionCallingConfig;
    };
    const free = choiceOf({ demand: "free" });
    const demanded = choiceOf({ choose: "forecast" });
    assert.equal(description.nameOf(api.tool(forecast)), "forecast");
    for (const none of [free, undefined]) assert.deepEqual(description.choiceIn(none), { named: [], choice: "free" });
    assert.deepEqual(description.choiceIn(demanded), { named: ["forecast"], choice: "demanded" });
    assert.equal(description.choiceIn(choiceOf({ demand: "call" })).choice, "demanded");
    // What an adapter asks with, once the call that was demanded is there.
    assert.equal(description.choiceIn(description.freed(demanded)).choice, "free");
    assert.deepEqual(description.freed(free), free);
  });
}
