/** The loop and the vendors' adapters: parameters, options, and whatever a model or its vendor writes. */

import { catalogOf, core } from "../lib/world.mjs";

export const packages = {};
/** A vendor's reply is JSON, which has no holes; a list of a billion holes takes the memory of whoever copies it. */
export const covers = ["openai", "anthropic", "google", "toolsift.RunOptions", "toolsift.AnswerOptions", "shared.MaxTools"];

export async function world(app) {
  const [openai, anthropic, google] = await Promise.all(
    ["openai", "anthropic", "google"].map((name) => app.load(`toolsift/${name}`)),
  );
  const inside = await core(app);
  return { ...inside, openai, anthropic, google, answers: () => catalogOf(inside.sift) };
}

const on = (name, args, run, more) => ({ names: [name].flat(), args, run, ...more });

const IMAGE = () => ({
  content: [
    { type: "text", text: "x" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "resource_link", uri: "file:///a", name: "a" },
    { type: "resource", resource: { uri: "file:///a", text: "x" } },
  ],
  structuredContent: { a: 1 },
  isError: false,
});

const TOOL = () => ({ type: "object", properties: { a: { type: "string" } } });

const CHAT = () => ({
  model: "m",
  messages: [
    { role: "system", content: "s" },
    { role: "user", content: [{ type: "text", text: "hi" }] },
  ],
  tools: [
    { type: "function", function: { name: "own", description: "d", parameters: TOOL() } },
    { type: "custom", custom: { name: "custom" } },
  ],
  tool_choice: { type: "allowed_tools", allowed_tools: { mode: "required", tools: [] } },
  parallel_tool_calls: true,
  stream: false,
});
const CHAT_CALLS = () => [
  { id: "1", type: "function", function: { name: "search_tools", arguments: '{"query":"a message"}' } },
  { id: "2", type: "function", function: { name: "good", arguments: '{"text":"x"}' } },
  { id: "3", type: "custom", custom: { name: "custom", input: "x" } },
  { id: "4", type: "function", function: { name: "own", arguments: "{}" } },
];
const COMPLETION = () => ({
  id: "c",
  object: "chat.completion",
  choices: [
    {
      index: 0,
      finish_reason: "tool_calls",
      message: { role: "assistant", content: "text", refusal: null, tool_calls: CHAT_CALLS() },
    },
  ],
});
const CHUNKS = () => [
  { id: "c", choices: [{ index: 0, delta: { role: "assistant", content: "te" } }] },
  {
    id: "c",
    choices: [
      {
        index: 0,
        delta: {
          content: "xt",
          tool_calls: [{ index: 0, id: "1", type: "function", function: { name: "good", arguments: '{"te' } }],
        },
      },
    ],
  },
  {
    id: "c",
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            { index: 0, function: { arguments: 'xt":"x"}' } },
            { id: "2", type: "custom", custom: { name: "custom", input: "i" } },
          ],
        },
      },
    ],
  },
  { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }], usage: {} },
];

const RESPONSES = () => ({
  model: "m",
  instructions: "i",
  input: [
    { role: "user", content: "hi" },
    { type: "additional_tools", role: "developer", tools: [{ type: "function", name: "x", parameters: null }] },
  ],
  tools: [
    { type: "function", name: "own", parameters: TOOL(), strict: false },
    { type: "namespace", name: "ns", tools: [{ type: "function", name: "inner" }] },
    { type: "web_search" },
  ],
  tool_choice: "required",
  parallel_tool_calls: true,
  store: true,
  previous_response_id: null,
  stream: false,
});
const OUTPUT = () => [
  { type: "reasoning", id: "r", summary: [] },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "t", annotations: [] }] },
  { type: "function_call", call_id: "1", name: "good", arguments: '{"text":"x"}', status: "completed" },
  { type: "function_call", call_id: "2", name: "inner", namespace: "ns", arguments: "{}" },
  { type: "custom_tool_call", call_id: "3", name: "custom", input: "x" },
  { type: "tool_search_call", call_id: "4", execution: "client", arguments: { query: "a message" } },
];
const RESPONSE = () => ({ id: "r", object: "response", status: "completed", output: OUTPUT(), output_text: "t", usage: {} });
const RESPONSES_EVENTS = () => [
  { type: "response.created", response: { id: "r" } },
  { type: "response.output_text.delta", delta: "t" },
  { type: "response.output_item.done", item: OUTPUT()[2] },
  { type: "response.completed", response: RESPONSE() },
];

const MESSAGES = () => ({
  model: "claude-opus-5-5",
  max_tokens: 10,
  system: [{ type: "text", text: "s" }],
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "1", name: "good", input: {} }] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "1",
          content: [
            { type: "tool_reference", tool_name: "good" },
            { type: "text", text: "x" },
          ],
        },
      ],
    },
  ],
  tools: [
    { name: "own", description: "d", input_schema: TOOL() },
    { type: "web_search_20250305", name: "web_search" },
  ],
  tool_choice: { type: "any", disable_parallel_tool_use: true },
  stream: false,
});
const MESSAGE = () => ({
  id: "m",
  type: "message",
  role: "assistant",
  stop_reason: "tool_use",
  content: [
    { type: "text", text: "t" },
    { type: "server_tool_use", id: "0", name: "tool_search_tool_bm25", input: { query: "x" } },
    {
      type: "tool_search_tool_result",
      tool_use_id: "0",
      content: {
        type: "tool_search_tool_search_result",
        tool_references: [{ type: "tool_reference", tool_name: "read_file" }],
      },
    },
    { type: "tool_use", id: "1", name: "search_tools", input: { query: "a message" } },
    { type: "tool_use", id: "2", name: "good", input: { text: "x" } },
  ],
});
const MODES = {
  mode: "client",
  hostedSearch: "bm25",
  supportsHosted: () => true,
  toolsCache: { type: "ephemeral" },
  onStreamEvent: () => {},
};

const GOOGLE = () => ({
  model: "gemini",
  contents: [{ role: "user", parts: [{ text: "hi" }] }],
  config: {
    systemInstruction: { role: "user", parts: [{ text: "s" }] },
    tools: [
      { functionDeclarations: [{ name: "own", description: "d", parametersJsonSchema: TOOL() }] },
      { googleSearch: {} },
    ],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["own"] } },
    abortSignal: new AbortController().signal,
  },
});
const CONTENT = (more) => ({
  responseId: "r",
  candidates: [
    {
      index: 0,
      finishReason: "STOP",
      content: {
        role: "model",
        parts: [
          { text: "t", thought: false },
          { functionCall: { id: "1", name: "search_tools", args: { query: "a message" } }, thoughtSignature: "AA" },
          { functionCall: { name: "good", args: { text: "x" } } },
          { functionCall: { name: "own", args: {} } },
        ],
      },
      ...more,
    },
  ],
  usageMetadata: {},
});

/** A stream of events, as the clients return it; what is no list is the stream itself. */
function streamed(events) {
  return Array.isArray(events) ? each(events) : events;
}

async function* each(events) {
  for (let at = 0; at < events.length; at++) yield events[at];
}

/** Clients are of classes: their inside is theirs. */
class Client {}
const clientOf = (parts) => Object.assign(new Client(), parts);

/** A client that answers the first request with what a target says, and then ends. */
const openaiOf = (first, last, how) => {
  let asked = 0;
  const create = async () => (asked++ === 0 ? first : last);
  return clientOf(how === "chat" ? { chat: { completions: { create } } } : { responses: { create } });
};
const chatDone = { id: "c", choices: [{ finish_reason: "stop", message: { role: "assistant", content: "done" } }] };
const responsesDone = { id: "r", status: "completed", output: [] };
const messagesDone = { role: "assistant", stop_reason: "end_turn", content: [] };
const googleDone = { candidates: [{ finishReason: "STOP", content: { role: "model", parts: [{ text: "done" }] } }] };

const anthropicOf = (first) => {
  let asked = 0;
  const create = async () => (asked++ === 0 ? first : messagesDone);
  const stream = () => ({ on: (_, tell) => tell({ type: "message_start" }), finalMessage: create });
  return clientOf({ messages: { create, stream } });
};
const googleOf = (first, isStream) => {
  let asked = 0;
  const answer = async () => (asked++ === 0 ? first : isStream ? streamed([googleDone]) : googleDone);
  return clientOf({ models: { generateContent: answer, generateContentStream: answer } });
};

/** Leads a whole run with a model that is made of these arguments. */
const run = (w, model) => w.runTools(w.sift.session("run"), { ...model, execute: () => IMAGE(), maxSteps: 4 });

const RUN = () => ({
  format: "openai",
  send: (request) => ({
    calls: request.step === 1 ? [{ id: "1", name: "search_tools", args: { query: "a message" } }] : [],
    searches: [],
  }),
  execute: () => "done",
  answered: () => {},
  begin: () => () => {},
  maxSteps: 5,
  patience: 3,
  signal: new AbortController().signal,
  onEvent: () => {},
  maxAnswerChars: 1_000,
  readOn: true,
  rank: async () => ["good"],
  rankTimeoutMs: 100,
  maxTools: undefined,
});
const REPLY = () => ({
  calls: [
    { id: "1", name: "search_tools", args: { query: "a message" } },
    { id: "2", name: "good", args: '{"text":"x"}' },
    { id: "3", name: "own", args: {}, own: { server: null } },
    { id: "4", name: "cut", args: {}, broken: { code: "arguments_invalid", message: "m" } },
  ],
  searches: [{ id: "5", tool: "tool_search", version: "1", query: "x", names: ["read_file"] }],
});
const SAYS = { says: /^console.warn: .*rank/ };

export const targets = [
  on(
    "toolsift.runTools",
    (w) => [w.session, (({ maxTools: _, ...options }) => options)(RUN())],
    (w, ...args) => w.runTools(...args),
    { ...SAYS },
  ),
  on(
    "toolsift.runTools",
    () => [REPLY()],
    (w, reply) => {
      const send = ({ step }) => (step === 1 ? reply : { calls: [] });
      return w.runTools(w.session, { send, execute: () => "done", onEvent: () => {} });
    },
    { about: "what a model replies" },
  ),
  on(
    "toolsift.runTools",
    () => [IMAGE()],
    (w, result) => {
      const send = ({ step }) => ({ calls: step === 1 ? [{ id: "1", name: "good", args: {} }] : [] });
      return w.runTools(w.session, { send, execute: () => result });
    },
    { about: "what a tool returns" },
  ),

  on(
    "openai.chatModel",
    () => [openaiOf(COMPLETION(), chatDone, "chat"), CHAT(), { maxTools: 50, onChunk: () => {} }],
    (w, ...args) => run(w, w.openai.chatModel(...args)),
  ),
  on(
    "openai.chatModel",
    () => [COMPLETION()],
    (w, reply) => run(w, w.openai.chatModel(openaiOf(reply, chatDone, "chat"), CHAT())),
    { about: "replies" },
  ),
  on(
    "openai.chatModel",
    () => [CHUNKS()],
    (w, chunks) =>
      run(
        w,
        w.openai.chatModel(
          openaiOf(streamed(chunks), streamed([{ choices: [{ delta: {}, finish_reason: "stop" }] }]), "chat"),
          { ...CHAT(), stream: true },
        ),
      ),
    { about: "streams" },
  ),
  on(
    "openai.chatCalls",
    () => [{ tool_calls: CHAT_CALLS() }, "length"],
    (w, ...args) => w.openai.chatCalls(...args),
  ),

  on(
    "openai.responsesModel",
    () => [
      openaiOf(RESPONSE(), responsesDone),
      RESPONSES(),
      { toolSearch: "client", additions: "tool_search", given: ["good"], maxTools: 50, onChunk: () => {} },
    ],
    (w, ...args) => run(w, w.openai.responsesModel(...args)),
  ),
  ...["client", "none"].map((toolSearch) =>
    on(
      "openai.responsesModel",
      () => [RESPONSE()],
      (w, reply) => run(w, w.openai.responsesModel(openaiOf(reply, responsesDone), RESPONSES(), { toolSearch })),
      { about: `replies, tool search ${toolSearch}` },
    ),
  ),
  on(
    "openai.responsesModel",
    () => [RESPONSES_EVENTS()],
    (w, events) =>
      run(
        w,
        w.openai.responsesModel(
          openaiOf(streamed(events), streamed([{ type: "response.completed", response: responsesDone }])),
          {
            ...RESPONSES(),
            stream: true,
          },
        ),
      ),
    { about: "streams" },
  ),
  on(
    "openai.responsesCalls",
    () => [OUTPUT(), "search_tools", "incomplete"],
    (w, ...args) => w.openai.responsesCalls(...args),
  ),
  on(
    "openai.responsesItems",
    () => [{ output: OUTPUT(), status: "incomplete" }],
    (w, ...args) => w.openai.responsesItems(...args),
  ),

  on(
    "anthropic.messagesModel",
    () => [anthropicOf(MESSAGE()), { ...MODES }],
    (w, client, modes) => run(w, w.anthropic.messagesModel(client, MESSAGES(), modes)),
  ),
  ...["plain", "client", "hosted"].map((mode) =>
    on(
      "anthropic.messagesModel",
      () => [MESSAGE()],
      (w, reply) => run(w, w.anthropic.messagesModel(anthropicOf(reply), MESSAGES(), { mode })),
      { about: `replies, ${mode}` },
    ),
  ),
  on(
    "anthropic.messagesModel",
    () => [MESSAGE()],
    (w, reply) =>
      run(w, w.anthropic.messagesModel(anthropicOf(reply), { ...MESSAGES(), stream: true }, { onStreamEvent: () => {} })),
    { about: "streams" },
  ),
  on(
    "anthropic.messagesCalls",
    () => [MESSAGE()],
    (w, ...args) => w.anthropic.messagesCalls(...args),
  ),
  on(
    "anthropic.messagesSearches",
    () => [MESSAGE(), MESSAGES().messages],
    (w, ...args) => w.anthropic.messagesSearches(...args),
  ),

  on(
    "google.googleModel",
    () => [googleOf(CONTENT()), GOOGLE(), { stream: false, onChunk: () => {} }],
    (w, ...args) => run(w, w.google.googleModel(...args)),
  ),
  on(
    "google.googleModel",
    () => [CONTENT()],
    (w, reply) => run(w, w.google.googleModel(googleOf(reply), GOOGLE())),
    { about: "replies" },
  ),
  on(
    "google.googleModel",
    () => [[CONTENT({ finishReason: undefined }), CONTENT()]],
    (w, chunks) => run(w, w.google.googleModel(googleOf(streamed(chunks), true), GOOGLE(), { stream: true })),
    { about: "streams" },
  ),
  on(
    ["google.googleCalls", "google.googleContent", "google.googleText"],
    () => [CONTENT({ finishReason: "MAX_TOKENS" })],
    (w, reply) => [w.google.googleCalls(reply), w.google.googleContent(reply), w.google.googleText(reply)],
  ),
  on(
    "google.googleJoined",
    () => [[CONTENT({ finishReason: undefined }), CONTENT()]],
    (w, ...args) => [w.google.googleJoined(...args)],
  ),
];
