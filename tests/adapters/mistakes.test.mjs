/**
 * Tests mistakes of the program in calls of an adapter.
 * 1. The error has a code and names the mistake and its place, before anything is sent.
 * 2. Nothing is registered.
 */

import assert from "node:assert/strict";
import { afterAll, test } from "vitest";
import { allDrives } from "./lib/all.mjs";
import { appWith } from "./lib/app.mjs";
import { siftOf } from "./lib/tools.mjs";

const newest = (await allDrives()).map(({ versions }) => versions.at(-1));
const app = await appWith(Object.assign({}, ...newest));
const load = (name) => app.load(name);
const [{ runTools, ToolSift }, ai, lc, agents, { z }] = await Promise.all(
  ["toolsift", "ai", "langchain", "@openai/agents", "zod"].map(load),
);
const { siftTools, toolsift } = await load("toolsift/ai-sdk");
const { siftModelMiddleware } = await load("toolsift/ai-sdk-middleware");
const { messagesModel } = await load("toolsift/anthropic");
const { googleModel } = await load("toolsift/google");
const { siftMiddleware } = await load("toolsift/langchain");
const { chatModel, responsesModel } = await load("toolsift/openai");
const { siftAgents } = await load("toolsift/openai-agents");

const never = () => assert.fail("nothing is sent");
const vendor = { create: never, stream: never, generateContent: never, generateContentStream: never };
const client = { chat: { completions: vendor }, responses: vendor, messages: vendor, models: vendor };
const full = await siftOf(app);
const session = full.session("chat");
const empty = new ToolSift();
afterAll(() => assert.deepEqual(empty.tools(), [], "nothing was registered"));

const user = { role: "user", content: "Hi." };
const schema = { type: "object", properties: {} };
const good = { send: () => ({ calls: [] }), execute: () => "" };
const made = (more) => ai.tool({ description: "Send a mail", inputSchema: z.object({}), execute: () => "", ...more });
const native = (name) => lc.tool(() => "", { name, description: "x", schema });
const ring = agents.tool({ name: "ring", description: "Ring.", parameters: z.object({}), execute: () => "" });
const chat = (more) => [client, { model: "m", messages: [user], ...more }];
const items = (more) => [client, { model: "m", input: [user], ...more }];
const messages = (more) => [client, { model: "m", max_tokens: 9, messages: [user], ...more }];
const contents = (more) => [client, { model: "m", contents: [], ...more }];
/** Options of a conversation of AI SDK. */
async function conversing(of, options) {
  (await siftTools(full, { execute: () => "" })).for(of, options);
}

/** The settings of a call, and a run of the door for a vendor's client. */
async function calling(...settings) {
  const door = await toolsift({});
  try {
    door.with(...settings);
  } finally {
    await door.close();
  }
}
async function running(...settings) {
  const { toolsift: opened } = await load("toolsift/openai");
  const door = await opened({});
  await door.run(...settings).finally(() => door.close());
}

const lamp = { description: "The lamp", inputSchema: { type: "object" }, execute: () => "" };
/** The door for a vendor's client, with tools of the host's own. */
const owning = async (tools) => (await load("toolsift/openai")).toolsift({ tools });

const UNKNOWN = "option_unknown";
const INVALID = "option_invalid";
const CONFLICT = "option_conflict";
const RANGE = "limit_out_of_range";
/** A door, what it is given, and the code and words of the error. */
const TABLE = [
  [runTools, [{}, good], INVALID, /session/],
  [runTools, [session, { ...good, execute: undefined }], INVALID, /options\.execute .* must be a function/],
  [runTools, [session, { ...good, maxStep: 3 }], UNKNOWN, /"maxStep"; did you mean maxSteps/],
  [runTools, [session, { ...good, maxSteps: 0 }], RANGE, /options\.maxSteps is 0; 1 to 10000/],
  [
    runTools,
    [session, { ...good, prefetch: "last" }],
    INVALID,
    /options\.prefetch is string last; it must be true, false or "first"/,
  ],
  [
    runTools,
    [session, { ...good, rank: () => [] }],
    INVALID,
    /options\.rank is function .*must be \{.*pass it as rank\.rerank/,
  ],
  [runTools, [session, { ...good, rank: null }], INVALID, /options\.rank is null/],
  [runTools, [session, { ...good, rank: { rerank: () => [] }, rankTimeoutMs: 0 }], RANGE, /rankTimeoutMs/],
  [runTools, [session, { ...good, maxAnswerChars: 0 }], RANGE, /options\.maxAnswerChars is 0/],
  [runTools, [session, { ...good, format: "xml" }], INVALID, /xml/],

  [toolsift, [{ mcpServer: {} }], UNKNOWN, /did you mean mcpServers\?/],
  [toolsift, [{ mcp: { timeout: 1 } }], UNKNOWN, /options\.mcp has no "timeout"; did you mean timeoutMs\?/],
  [toolsift, [{ patience: 0 }], RANGE, /patience/],
  [toolsift, [{ profile: "bridge", rank: { rerank: () => [] } }], CONFLICT, /rank/],
  [toolsift, [{ sift: {} }], INVALID, /options\.sift must be a ToolSift/],
  [toolsift, [{ sift: empty, contextWindow: 5 }], CONFLICT, /options\.contextWindow/],

  [calling, [{ model: "m", prompt: "Hi." }], INVALID, /the session is missing: pass its id/],
  [calling, ["", { model: "m", prompt: "x" }], "session_id_invalid", /id/],
  [running, [{ client, model: "m" }], INVALID, /the session is missing: pass its id/],
  [running, ["x", ...chat(), { maxStep: 2 }], UNKNOWN, /did you mean maxSteps/],
  [owning, [{ lamp: { ...lamp, descripton: "x" } }], UNKNOWN, /did you mean description\?/],
  [owning, [{ lamp: { ...lamp, inputSchema: "none" } }], "schema_invalid", /tools\.lamp\.inputSchema/],
  [owning, [{ search_tools: lamp }], "name_reserved", /search_tools/],

  [siftTools, [{}, {}], INVALID, /sift must be a ToolSift/],
  [siftTools, [empty, { tool: {} }], UNKNOWN, /did you mean tools/],
  [siftTools, [full, {}], INVALID, /options\.execute is missing, and \w+ is not in options\.tools/],
  [siftTools, [empty, { tools: { good: made(), "no spaces": made() } }], "name_unsafe", /options\.tools\.no spaces/],
  [
    siftTools,
    [empty, { tools: { big: made({ inputSchema: z.object({ n: z.bigint() }) }) } }],
    "schema_invalid",
    /options\.tools\.big: BigInt/,
  ],
  [
    siftTools,
    [empty, { tools: { raw: { description: "x", inputSchema: schema } } }],
    "schema_invalid",
    /options\.tools\.raw: inputSchema is plain JSON Schema; AI SDK takes it as jsonSchema/,
  ],
  [siftTools, [empty, { tools: { search_tools: made() } }], "name_reserved", /search_tools/],
  [conversing, [{}], INVALID, /session must be/],
  [conversing, [session, { prepareSteps: () => {} }], UNKNOWN, /did you mean prepareStep/],

  [siftModelMiddleware, [{ rounds: 3 }], UNKNOWN, /"rounds"; did you mean/],
  [siftModelMiddleware, [{ maxRounds: 0 }], RANGE, /options\.maxRounds is 0; 1 to 100/],

  [siftMiddleware, [empty, { tool: [] }], UNKNOWN, /did you mean tools/],
  [siftMiddleware, [empty, { tools: [{ type: "web_search" }] }], INVALID, /options\.tools\.0 .*agent's own tools/],
  [siftMiddleware, [empty, { tools: [native("a"), native("get the tide")] }], "name_unsafe", /get the tide/],
  [siftMiddleware, [empty, { tools: [native("a"), native("a")] }], "duplicate_tool", /\ba\b/],

  [siftAgents, [empty, { tool: [ring] }], UNKNOWN, /"tool"; did you mean tools/],
  [
    siftAgents,
    [empty, { tools: [ring, agents.webSearchTool()] }],
    "tool_shape_unknown",
    /options\.tools\[1\] is not a function tool/,
  ],
  [siftAgents, [empty, { tools: [ring, { ...ring }] }], "duplicate_tool", /two tools named ring/],
  [siftAgents, [empty, { tools: [ring, { ...ring, name: "bad name" }] }], "name_unsafe", /options\.tools has bad name/],

  [chatModel, chat({ messages: "Hello" }), INVALID, /params\.messages is string Hello; it must be a list/],
  [chatModel, chat({ messages: Object.freeze([user]) }), INVALID, /params\.messages is frozen/],
  [chatModel, chat({ n: 2 }), INVALID, /params\.n is 2/],
  [chatModel, chat({ functions: [] }), INVALID, /params\.functions/],
  [chatModel, [...chat(), { onChunks: () => {} }], UNKNOWN, /did you mean onChunk/],

  [
    responsesModel,
    [client, Object.freeze(items({ previous_response_id: "resp_1" })[1])],
    INVALID,
    /params is frozen; previous_response_id/,
  ],
  [responsesModel, items({ previous_response_id: "resp_1", store: false }), CONFLICT, /store: false/],
  [responsesModel, [...items(), { maxtools: 5 }], UNKNOWN, /did you mean maxTools/],
  [responsesModel, [...items(), { deferLoading: "client" }], INVALID, /deferLoading .*client/],
  [
    responsesModel,
    [...items({ tools: [{ type: "tool_search" }] }), { deferLoading: true }],
    CONFLICT,
    /tool_search.*deferLoading/,
  ],
  [
    responsesModel,
    [...items({ tools: [{ type: "function", name: "tool_search", parameters: {} }] }), { deferLoading: true }],
    CONFLICT,
    /tool_search.*deferLoading/,
  ],

  [messagesModel, messages({ messages: Object.freeze([]) }), INVALID, /params\.messages is frozen/],
  [messagesModel, [...messages(), { toolCache: {} }], UNKNOWN, /"toolCache"; did you mean toolsCache/],
  [messagesModel, [...messages(), { deferLoading: "hosted" }], INVALID, /deferLoading .*hosted/],

  [googleModel, contents({ contents: "Hi" }), INVALID, /params\.contents is string Hi; it must be a list/],
  [
    googleModel,
    contents({ contents: [{ role: "user", parts: [] }, { text: "Hi" }] }),
    INVALID,
    /params\.contents\[1\] must be a content/,
  ],
  [googleModel, [...contents(), { onChunks: () => {} }], UNKNOWN, /onChunk\?/],
];

for (const door of new Set(TABLE.map(([one]) => one))) {
  test(`${door.name}: what a host gets wrong has a code`, async () => {
    for (const [, given, code, message] of TABLE.filter(([one]) => one === door)) {
      await assert.rejects(async () => door(...given), { code, message }, String(message));
    }
  });
}
