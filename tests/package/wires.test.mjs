/**
 * Is an API described once, in pkg/src/wire, and does everything else stand on that?
 *
 * 1. Nothing in pkg/src/wire, history, proxy and loop knows an SDK. 2. Each description has all members of `Api`, and history,
 * the proxy and, where there is one for the API, an adapter import it: CONTRIBUTING.md names these places. 3. By a description alone a conversation goes on:
 * a streamed reply reads as the whole one, its call and the answer stand in the conversation, and history finds both there.
 * 4. Descriptions read the choices of tools.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { at } from "../../scripts/lib/paths.mjs";

const src = (...path) => at("pkg", "src", ...path);
const read = (path) => readFileSync(path, "utf8");
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
const tool = "forecast";
const args = { city: "Turin" };
const told = "Let me see.";
const text = JSON.stringify(args);

/** The reply of each API, whole and in pieces: a text and a call. And choices of tools, free and demanded. */
const APIS = {
  "openai-chat": {
    tool: { type: "function", function: { name: tool, parameters: {} } },
    whole: {
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: told,
            refusal: null,
            tool_calls: [{ id: "c1", type: "function", function: { name: tool, arguments: text } }],
          },
        },
      ],
    },
    pieces: [
      { choices: [{ index: 0, delta: { role: "assistant", content: "Let me " } }] },
      { choices: [{ index: 0, delta: { content: "see." } }] },
      {
        choices: [
          {
            index: 0,
            delta: { tool_calls: [{ index: 0, id: "c1", function: { name: tool, arguments: text.slice(0, 5) } }] },
          },
        ],
      },
      { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: text.slice(5) } }] } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    ],
    free: "auto",
    demanded: { type: "function", function: { name: tool } },
  },
  "openai-responses": {
    tool: { type: "function", name: tool, parameters: {}, strict: false },
    whole: {
      id: "r1",
      status: "completed",
      output: [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: told }] },
        { type: "function_call", call_id: "c1", name: tool, arguments: text },
      ],
    },
    get pieces() {
      return [
        { type: "response.created", response: { id: "r1" } },
        { type: "response.completed", response: this.whole },
      ];
    },
    free: "auto",
    demanded: { type: "function", name: tool },
  },
  anthropic: {
    tool: { name: tool, input_schema: {} },
    whole: {
      role: "assistant",
      stop_reason: "tool_use",
      content: [
        { type: "text", text: told },
        { type: "tool_use", id: "c1", name: tool, input: args },
      ],
    },
    pieces: [
      { type: "message_start", message: { role: "assistant", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: told } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "c1", name: tool, input: {} } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: text } },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ],
    free: { type: "auto" },
    demanded: { type: "tool", name: tool },
  },
  google: {
    tool: { name: tool },
    whole: {
      candidates: [
        {
          finishReason: "STOP",
          content: { role: "model", parts: [{ text: told }, { functionCall: { id: "c1", name: tool, args } }] },
        },
      ],
    },
    pieces: [
      { candidates: [{ content: { role: "model", parts: [{ text: "Let me " }] } }] },
      { candidates: [{ content: { role: "model", parts: [{ text: "see." }] } }] },
      {
        candidates: [
          { finishReason: "STOP", content: { role: "model", parts: [{ functionCall: { id: "c1", name: tool, args } }] } },
        ],
      },
    ],
    free: { mode: "AUTO" },
    demanded: { mode: "ANY", allowedFunctionNames: [tool] },
  },
};

/** Beside the members of `Api`: what writes requests in the types of an SDK, or as text. */
const WRITING = ["withPrompt", "freed"];

/** The modules of descriptions, by name: those that join the pieces of a stream. */
const described = readdirSync(src("wire"))
  .filter((name) => /^export class Pieces/m.test(read(src("wire", name))))
  .map((name) => name.replace(".ts", ""));

/** The modules as they run, with the list that history fills. */
const loaded = async () => {
  const lines = [...described, "calls"].map((name) => `export * as ${JSON.stringify(name)} from "./${name}.ts";`);
  const stdin = { contents: lines.join("\n"), resolveDir: src("wire") };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm", platform: "neutral" });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
};

test("no file below the adapters knows an SDK", () => {
  for (const folder of ["wire", "history", "proxy", "loop"]) {
    for (const file of filesIn(src(folder))) {
      const foreign = [...read(file).matchAll(/\bfrom "([^."][^"]*)"/g)].map(([, name]) => name);
      assert.deepEqual(
        foreign.filter((name) => !/^(node:|toolsift\b)/.test(name)),
        [],
        file,
      );
    }
  }
});

test("every description is whole, and stands in a conversation of this file", async () => {
  const [, body] = /export interface Api \{(.*?)^\}/ms.exec(read(src("wire", "api.ts")));
  const members = [...body.matchAll(/^ {2}(\w+)[(:]/gm)].map(([, name]) => name);
  assert.ok(members.length > 4, `${members}`);
  assert.deepEqual(described.sort(), Object.keys(APIS).sort());
  const modules = await loaded();
  for (const name of described) {
    const wanted = [...members, ...WRITING];
    assert.deepEqual(
      wanted.filter((member) => typeof modules[name][member] !== "function"),
      [],
      name,
    );
  }
});

test("history, an adapter and the proxy stand on each description", () => {
  const places = ["history", "adapters", "proxy/wires"];
  const contributing = read(at("CONTRIBUTING.md"));
  for (const place of places) {
    const folder = src(...place.split("/"));
    const texts = filesIn(folder).map(read);
    for (const name of described) {
      const isThere = texts.some((one) => one.includes(`/wire/${name}.js"`));
      assert.ok(isThere, `pkg/src/${place} imports wire/${name}.ts`);
    }
    assert.match(contributing, new RegExp(`\`pkg/src/${place}/`), place);
  }
});

for (const [name, { tool: definition, whole, pieces, free, demanded }] of Object.entries(APIS)) {
  test(`${name}: a streamed reply reads as the whole one, and history finds its call and the answer`, async () => {
    const { [name]: api, calls } = await loaded();
    const reply = api.read(whole);
    assert.equal(reply.text, told);
    assert.equal(reply.calls.length, 1);
    const [call] = reply.calls;
    assert.deepEqual({ id: call.id, name: call.name }, { id: "c1", name: tool });
    assert.deepEqual(typeof call.args === "string" ? JSON.parse(call.args) : call.args, args);
    const stream = new api.Pieces();
    for (const piece of pieces) {
      assert.equal(stream.reply, undefined, "a reply before its end is none");
      stream.add(piece);
    }
    assert.deepEqual(api.read(stream.reply), reply);
    assert.equal(api.read({}), undefined);

    const outcome = { kind: "dispatch", name: tool, server: null, modelName: tool, arguments: args };
    const answers = api.answersOf([{ call, outcome, content: "14 degrees", isError: false }]);
    const found = new calls.Calls();
    for (const entry of [...reply.messages, ...answers]) api.history(entry, found);
    assert.equal(found.all.length, 1);
    assert.equal(found.all[0].name, tool);
    assert.match(JSON.stringify(found.all[0].answer), /14 degrees/);
  });

  test(`${name}: tools have names, and a choice says what it demands`, async () => {
    const { [name]: api } = await loaded();
    assert.equal(api.nameOf(definition), tool);
    assert.deepEqual(api.choiceIn(free), { named: [], choice: "free" });
    assert.deepEqual(api.choiceIn(undefined), { named: [], choice: "free" });
    assert.deepEqual(api.choiceIn(demanded), { named: [tool], choice: "demanded" });
    // What an adapter asks with, once the call that was demanded is there.
    assert.equal(api.choiceIn(api.freed(demanded)).choice, "free");
    assert.deepEqual(api.freed(free), free);
  });
}
