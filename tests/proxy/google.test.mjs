/**
 * Does a client of the Gemini API get tool search without knowing of it?
 *
 * 1. Calls of discovery tools are answered inside; the client gets one response with summed usage and its own calls only.
 * 2. The thought's signature stays with the first call that the client gets.
 * 3. A stream comes through whole wherever it is cut.
 * 4. Allowed function names are revealed; both spellings of fields are read; tools of the vendor stay.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { entry } from "./lib/built.mjs";
import { asGoogle, definitions } from "./lib/tools.mjs";
import { cutAnywhere, eventsIn, json, scripted, sse } from "./lib/upstream.mjs";

const { siftFetch } = await entry("proxy.js");
const functions = definitions().map(asGoogle);
const base = "https://api.example/v1beta/models/gemini-x";
const url = (isStream) => (isStream ? `${base}:streamGenerateContent?alt=sse` : `${base}:generateContent`);
const request = (more = {}) => ({
  contents: [{ role: "user", parts: [{ text: "Please help me" }] }],
  tools: [{ functionDeclarations: functions }],
  ...more,
});
const USAGE = { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 };
const SEARCH = { functionCall: { name: "search_tools", args: { query: "create an issue" } } };
const CALL = { functionCall: { name: "create_issue", args: { issue_id: "1" } } };
const responseOf = (parts, id, finishReason = "STOP") => ({
  candidates: [{ content: { role: "model", parts }, ...(finishReason ? { finishReason } : {}), index: 0 }],
  usageMetadata: USAGE,
  modelVersion: "gemini-x",
  responseId: id,
});
const events = (parts, id) =>
  parts
    .map((part, at) => `data: ${JSON.stringify(responseOf([part], id, at === parts.length - 1 ? "STOP" : null))}\r\n\r\n`)
    .join("");

function accumulated(text) {
  const chunks = eventsIn(text).map(({ data }) => data);
  assert.equal(new Set(chunks.map(({ responseId }) => responseId)).size, 1, "one id");
  assert.deepEqual(chunks.map(({ candidates }) => candidates[0].finishReason).filter(Boolean), ["STOP"]);
  const parts = chunks.flatMap(({ candidates }) => candidates[0].content.parts);
  return { ...chunks.at(-1), candidates: [{ ...chunks.at(-1).candidates[0], content: { role: "model", parts } }] };
}

function client(isStream, rounds, options = {}) {
  const replies = rounds.map((parts, at) =>
    isStream ? sse(events(parts, `r${at + 1}`)) : json(responseOf(parts, `r${at + 1}`)),
  );
  const { fetch, sent } = scripted(...replies);
  const sift = siftFetch({ fetch, ...options });
  const send = async (more = {}) => {
    const response = await sift(url(isStream), {
      method: "POST",
      headers: { "x-goog-api-key": "key" },
      body: JSON.stringify(request(more)),
    });
    const body = await response.text();
    return isStream ? accumulated(body) : JSON.parse(body);
  };
  return { send, sent };
}
const names = ({ body }) =>
  body.tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
const partsOf = ({ candidates }) => candidates[0].content.parts;

for (const isStream of [false, true]) {
  const how = isStream ? "as a stream" : "whole";
  test(`a search is answered inside, ${how}`, async () => {
    const { send, sent } = client(isStream, [
      [{ text: "Let me look." }, { ...SEARCH, thoughtSignature: "one" }],
      [{ text: "Found it." }, { ...CALL, thoughtSignature: "two" }],
    ]);
    const reply = await send({ systemInstruction: { parts: [{ text: "You help." }] } });
    assert.deepEqual(names(sent[0]), ["search_tools", "add_tool", "show_all_tools"]);
    assert.equal(sent[0].body.systemInstruction.parts[0].text, "You help.");
    assert.match(sent[0].body.systemInstruction.parts[1].text, /Finding tools/);
    const [, , model, answer] = [{}, ...sent[1].body.contents];
    assert.equal(model.role, "model");
    assert.equal(model.parts.at(-1).thoughtSignature, "one", "inside, signatures stay where they are");
    assert.equal(answer.parts[0].functionResponse.name, "search_tools");
    assert.ok(names(sent[1]).includes("create_issue"));
    assert.deepEqual(partsOf(reply), [
      { text: "Let me look." },
      { text: "\n\nFound it." },
      { ...CALL, thoughtSignature: "two" },
    ]);
    assert.equal(reply.usageMetadata.totalTokenCount, 24);
  });

  test(`a search beside a real call is left out, and its signature stays, ${how}`, async () => {
    const { send } = client(isStream, [[{ ...SEARCH, thoughtSignature: "one" }, CALL]]);
    assert.deepEqual(partsOf(await send()), [{ ...CALL, thoughtSignature: "one" }]);
  });

  test(`allowed names are revealed, in both spellings, ${how}`, async () => {
    for (const config of [
      { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["share_photo"] } } },
      { tool_config: { function_calling_config: { mode: "ANY", allowed_function_names: ["share_photo"] } } },
    ]) {
      const { send, sent } = client(isStream, [[{ functionCall: { name: "share_photo", args: {} } }]]);
      await send({ ...config, tools: [{ googleSearch: {} }, { function_declarations: functions }] });
      assert.ok(names(sent[0]).includes("share_photo"));
      assert.deepEqual(sent[0].body.tools[0], { googleSearch: {} });
    }
  });
}

test("a recorded stream comes through whole, wherever it is cut", async () => {
  const rounds = [
    [{ text: "Größe 🙂." }, SEARCH],
    [{ text: "ok" }, CALL],
  ].map((parts, at) => events(parts, `r${at}`));
  await cutAnywhere(siftFetch, rounds, (sift) => sift(url(true), { method: "POST", body: JSON.stringify(request()) }));
});

test("a history in snake_case is read: what it calls is there", async () => {
  const { send, sent } = client(false, [[{ text: "Done." }], [{ text: "Done." }]]);
  const contents = (call, response) => [
    { role: "user", parts: [{ text: "Hi" }] },
    { role: "model", parts: [{ [call]: { name: "share_photo", args: {} } }] },
    { role: "user", parts: [{ [response]: { name: "share_photo", response: { ok: true } } }] },
  ];
  await send({ contents: contents("functionCall", "functionResponse") });
  await send({ contents: contents("function_call", "function_response") });
  for (const one of sent) assert.ok(names(one).includes("share_photo"));
  assert.deepEqual(sent[1].body.contents, contents("function_call", "function_response"), "as it came");
});

test("without functions nothing is said of their calls, and what else the config says stays", async () => {
  const nothing = { functionCall: { name: "search_tools", args: { query: "zzzz" } } };
  const { send, sent } = client(false, [[nothing], [nothing]], { maxRounds: 1 });
  const retrievalConfig = { languageCode: "en" };
  await send({ toolConfig: { functionCallingConfig: { mode: "AUTO" }, retrievalConfig } });
  assert.deepEqual(sent[0].body.toolConfig, { functionCallingConfig: { mode: "AUTO" }, retrievalConfig });
  assert.deepEqual([sent[1].body.tools, sent[1].body.toolConfig], [undefined, { retrievalConfig }]);
});

test("what tool search is not for passes through, with a word", async () => {
  const cases = [
    [{ generationConfig: { candidateCount: 2 } }, /several candidates/],
    [{ generation_config: { candidate_count: 2 } }, /several candidates/],
    [{ cachedContent: "cachedContents/1" }, /cached content/],
    [{ cached_content: "cachedContents/1" }, /cached content/],
    [{ toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } }, /arguments in pieces/],
  ];
  for (const [more, why] of cases) {
    const problems = [];
    const { send, sent } = client(false, [[{ text: "Done." }]], {
      onEvent: ({ type, message }) => type === "problem" && problems.push(message),
    });
    await send(more);
    assert.deepEqual(sent[0].body, request(more));
    assert.equal(problems.length, 1);
    assert.match(problems[0], /^a request passes through in full: /);
    assert.match(problems[0], why);
  }
});
