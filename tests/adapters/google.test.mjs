/**
 * Tests the adapter for Gemini: the shared contract, and behaviour that is specific to Gemini.
 * 1. The model's replies are sent back unchanged, with thought signatures, and restore the loaded tools.
 * 2. The program's own tools, system instruction and function calling settings stay. An impossible combination is refused
 *    before it is sent.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { add, call, DISCOVERY, ISSUE, script } from "./lib/calls.mjs";
import { contract } from "./lib/contract.mjs";
import { google } from "./lib/drives/google.mjs";
import { agentOver, pluck } from "./lib/tools.mjs";

const app = await appWith(google.versions.at(-1));
const agent = (options) => agentOver(google, app, options);

contract(google, { variants: [{ stream: false }, { stream: true, ids: false }, { door: true }] });

/** What `googleModel` or its first request throws; nothing was sent then, and the conversation is as it was. */
async function refusal(options) {
  let sent = 0;
  const contents = options.contents ?? [{ role: "user", parts: [{ text: "Hi" }] }];
  const before = JSON.stringify(contents);
  const asked = agent({ script: () => ({ text: `${++sent}` }), contents, ...options });
  const error = await asked.then(
    () => assert.fail("not refused"),
    (thrown) => thrown,
  );
  assert.equal(error.name, "ToolSiftError", error.stack);
  assert.deepEqual([sent, JSON.stringify(contents)], [0, before]);
  return `${error.code}: ${error.message}`;
}

for (const stream of [false, true]) {
  test(`what the model said goes back as it came, and answers in one content (stream ${stream})`, async () => {
    const said = [
      { text: "Let me see.", thought: true },
      { text: "One ", thoughtSignature: "signed" },
      { text: "moment." },
      { functionCall: { id: "a", name: "read_graph", args: {} }, thoughtSignature: btoa("signature of 1") },
      { functionCall: { id: "b", name: "create_issue", args: ISSUE } },
      { functionCall: { name: "no_such_tool" } },
      { text: "", thoughtSignature: "at the end" },
    ];
    const chunks = [];
    const onChunk = ({ candidates: [{ content }] }) => void chunks.push(content.parts[0].text ?? "");
    const { contents, requests, reply } = await agent({
      script: (_, step) => (step === 1 ? { parts: said } : { text: "Done." }),
      stream,
      ...(stream ? { onChunk } : {}),
    });
    assert.deepEqual(contents[1], { role: "model", parts: said });
    assert.deepEqual(requests[1].body.contents, contents.slice(0, 3), "the SDK sends all of it");
    const answers = contents[2].parts.map(({ functionResponse }) => functionResponse);
    assert.deepEqual(pluck(answers, "id", "name"), [
      ["a", "read_graph"],
      ["b", "create_issue"],
      [undefined, "no_such_tool"],
    ]);
    assert.ok(answers.every(({ response }) => typeof response.error === "string"));
    assert.deepEqual(pluck(contents, "role"), ["user", "model", "user", "model"]);
    assert.deepEqual([reply.text, reply.finishReason, reply.response.functionCalls], ["Done.", "STOP", undefined]);
    if (!stream) return;
    assert.ok(chunks.length > 8, "a chunk for each piece");
    assert.equal(chunks.join(""), "Let me see.One moment.Let me think.Done.");
  });
}

test("a client for Vertex AI goes round the same way", async () => {
  const replies = script([add("read_graph")], [call("read_graph")]);
  const { requests, ran, text } = await agent({ script: replies, vertexai: true, ids: false });
  assert.deepEqual(
    requests.map(({ tools }) => tools.length),
    [3, 4, 4],
  );
  assert.deepEqual([ran.length, text], [1, "All done."]);
});

test("the host's tools stand first, its functions in one tool with the session's, and come to execute", async () => {
  const own = { name: "own", description: "Mine", parametersJsonSchema: { type: "object" } };
  const graph = { name: "read_graph" };
  const tools = [{ codeExecution: {} }, { functionDeclarations: [own, graph], urlContext: {} }, { googleSearch: {} }];
  const given = JSON.stringify(tools);
  const replies = script([add("read_graph", "create_issue"), call("own", { a: 1 })], [call("read_graph"), call("own", [])]);
  const { requests, ran } = await agent({ script: replies, config: { tools, temperature: 0 } });
  const namesIn = ({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name);
  const sent = requests.map(({ body }) => body.tools.map(namesIn));
  assert.deepEqual(sent[0], [[], [], [], ["own", ...DISCOVERY]], "what the catalog has is the catalog's");
  assert.deepEqual(sent[1], [[], [], [], ["own", ...DISCOVERY, "read_graph", "create_issue"]]);
  assert.deepEqual(
    requests[1].body.tools.map((tool) => Object.keys(tool)),
    [["codeExecution"], ["urlContext"], ["googleSearch"], ["functionDeclarations"]],
  );
  assert.equal(requests[1].body.generationConfig.temperature, 0);
  assert.equal(JSON.stringify(tools), given, "what the host passed is as it was");
  assert.deepEqual(ran, [
    { server: null, name: "own", args: { a: 1 } },
    { server: "memory", name: "read_graph", args: {} },
  ]);
  assert.equal(requests[1].answers[1], "null/own did it");
  assert.match(requests[2].answers[1], /arguments must be a JSON object/);
});

test("the prompt section stands behind the host's system instruction, in each of its forms", async () => {
  const text = "Be brief.";
  const forms = [text, { text }, ["Be ", { text: "brief." }], { role: "system", parts: [{ text }] }];
  for (const systemInstruction of forms) {
    const { requests } = await agent({ script: script(), config: { systemInstruction } });
    assert.match(requests[0].system, /^Be (\n\n)?brief\.\n\n## Finding tools/);
    assert.equal(requests[0].system.split("## Finding tools").length, 2);
  }
  const alone = await agent({ script: script(), config: { systemInstruction: undefined } });
  assert.match(alone.requests[0].system, /^## Finding tools/);
  const everything = { activation: "off" };
  const off = await agent({ script: script(), settings: everything, config: { systemInstruction: { text } } });
  assert.equal(off.requests[0].system, text);
});

test("function calling is as the host says, with the names that are declared by then; a call is demanded once", async () => {
  const allowedFunctionNames = ["add_tool", "read_graph"];
  const retrievalConfig = { languageCode: "en" };
  const replies = script([add("read_graph")], [call("read_graph")]);
  const all = [["add_tool"], allowedFunctionNames, allowedFunctionNames];
  for (const [functionCallingConfig, modes, names] of [
    [{ mode: "ANY", allowedFunctionNames }, ["ANY", "VALIDATED", "VALIDATED"], all],
    [{ mode: "ANY" }, ["ANY", "AUTO", "AUTO"], [undefined, undefined, undefined]],
    [{ mode: "VALIDATED", allowedFunctionNames }, ["VALIDATED", "VALIDATED", "VALIDATED"], all],
    [{ mode: "NONE" }, ["NONE", "NONE", "NONE"], [undefined, undefined, undefined]],
  ]) {
    const toolConfig = { functionCallingConfig, retrievalConfig };
    const given = JSON.stringify(toolConfig);
    const { requests, finish } = await agent({ script: replies, config: { toolConfig } });
    const sent = requests.map(({ body }) => body.toolConfig.functionCallingConfig);
    assert.deepEqual(
      sent.map((one) => one.allowedFunctionNames),
      names,
    );
    assert.deepEqual(pluck(sent, "mode"), modes);
    assert.ok(requests.every(({ body }) => body.toolConfig.retrievalConfig.languageCode === "en"));
    assert.deepEqual([finish, JSON.stringify(toolConfig)], ["done", given]);
  }
});

test("what cannot be kept is refused, by name, before anything is sent", async () => {
  const tools = [{ googleSearch: {} }, { tool: async () => ({}), callTool: async () => [] }];
  assert.match(await refusal({ config: { tools } }), /^option_invalid: .*config\.tools\[1\] .*register its tools/);
  const cached = await refusal({ config: { cachedContent: "cachedContents/1" } });
  assert.match(cached, /^option_conflict: .*cachedContent is string cachedContents\/1/);
  const limited = (functionCallingConfig) => refusal({ config: { toolConfig: { functionCallingConfig } } });
  const onlyGraph = await limited({ mode: "ANY", allowedFunctionNames: ["read_graph"] });
  assert.match(onlyGraph, /^option_conflict: .*\(read_graph\)/);
  assert.match(await limited({ streamFunctionCallArguments: true }), /^option_conflict: .*streamFunctionCallArguments/);

  const taken = { tools: [{ functionDeclarations: [{ name: "add_tool" }] }] };
  assert.match(await refusal({ config: taken }), /^option_conflict: .*add_tool has the name of a discovery tool/);
});

test("a tool whose name the API does not take is declared under one that it does", async () => {
  const { ToolSift } = await app.load("toolsift");
  const catalog = () => {
    const sift = new ToolSift({ activation: "on" });
    sift.register(["21st_magic", "_21st_magic", "-x"].map((name) => ({ name, inputSchema: { type: "object" } })));
    return sift;
  };
  // What the model is shown of the second one is not the name that the first one has here.
  const all = ["_21st_magic", "_21st_magic_2", "_-x"];
  const replies = script(
    [add("21st_magic", "_21st_magic_2", "-x")],
    all.map((name) => call(name)),
  );
  const toolConfig = { functionCallingConfig: { mode: "VALIDATED", allowedFunctionNames: ["add_tool", "-x"] } };
  const { sift, requests, contents, ran } = await agent({ sift: catalog(), script: replies, config: { toolConfig } });
  assert.deepEqual(requests[1].tools, [...DISCOVERY, ...all]);
  assert.deepEqual(requests[1].body.toolConfig.functionCallingConfig.allowedFunctionNames, ["add_tool", "_-x"]);
  assert.deepEqual(pluck(ran, "name"), ["21st_magic", "_21st_magic", "-x"]);
  assert.deepEqual(requests[2].answers.length, 3);

  const elsewhere = catalog().session("chat");
  const called = [contents[0], ...contents.slice(3)]; // without what was loaded: what was called tells of it
  assert.deepEqual(elsewhere.fromMessages(called, { format: "google" }).missing, []);
  assert.deepEqual(elsewhere.revealed, sift.session("chat").revealed);
});

test("more functions than the API takes are an error that says both numbers", async () => {
  const { ToolSift } = await app.load("toolsift");
  const sift = new ToolSift({ activation: "off" });
  const schema = { type: "object" };
  const many = Array.from({ length: 600 }, (_, at) => ({ name: `tool_${at}`, inputSchema: schema }));
  sift.register(many.slice(0, 511));
  const config = { tools: [{ functionDeclarations: [{ name: "own" }] }] };
  const { requests } = await agent({ sift, script: script(), config });
  assert.equal(requests[0].tools.length, 512);
  sift.register(many.slice(511));
  const told =
    /^limit_out_of_range: 601 tools, 1 of your own, 600 that are always there and 0 revealed; the Gemini API takes 512 at most/;
  assert.match(await refusal({ sift, config }), told);
});

test("without functions nothing is said of their calls, and what else the config says stays", async () => {
  const { ToolSift } = await app.load("toolsift");
  const retrievalConfig = { languageCode: "en" };
  for (const [toolConfig, sent] of [
    [{ functionCallingConfig: { mode: "AUTO" }, retrievalConfig }, { retrievalConfig }],
    [{ functionCallingConfig: { mode: "AUTO" } }, undefined],
  ]) {
    const { requests } = await agent({ script: script(), sift: new ToolSift(), config: { toolConfig } });
    assert.deepEqual([requests[0].body.tools, requests[0].body.toolConfig], [undefined, sent]);
  }
});
