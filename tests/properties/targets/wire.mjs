/** The gateway and the proxy: their options, requests of clients, and what servers and vendors answer. */

import { ENRICH, tool, tools } from "../lib/world.mjs";

export const packages = {
  "@modelcontextprotocol/client": "@modelcontextprotocol/client",
  "@modelcontextprotocol/server": "@modelcontextprotocol/server",
};
/** What comes over a wire is JSON, which has no holes. */
export const covers = ["gateway", "proxy"];

const NEW = "2026-07-28";

/** A server on a wire in memory that answers with what a target says. */
function transport(answers = {}) {
  const replies = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "a", version: "1" },
      instructions: "i",
      ...answers.initialize,
    }),
    "tools/list": () => answers.list ?? { tools: tools() },
    "tools/call": () => answers.call ?? { content: [{ type: "text", text: "done" }] },
    ping: () => ({}),
  };
  const one = {
    start: async () => {},
    close: async () => one.onclose?.(),
    send: async ({ id, method, params }) => {
      if (id === undefined) return;
      const error = { code: -32_601, message: "Method not found" };
      const reply = replies[method] === undefined ? { error } : { result: replies[method](params ?? {}) };
      const message = text({ jsonrpc: "2.0", id, ...reply });
      // A transport reads JSON, and passes on what it could read.
      if (message !== "{") queueMicrotask(() => one.onmessage?.(JSON.parse(message)));
    },
  };
  return one;
}

const rpc = (method, params = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const posted = (body, headers = {}) =>
  new Request("http://gateway.test/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
      ...headers,
    },
    body: typeof body === "string" ? body : text(body),
  });

/** JSON of what JSON can hold. */
function text(value) {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "{";
  }
}

const opened = (w, options) =>
  w.gateway({
    mcpServers: { a: { command: "unused" } },
    transport: () => transport(),
    stateless: true,
    packs: false,
    startTimeoutMs: 300,
    callTimeoutMs: 300,
    activation: "on",
    ...options,
  });

export async function world(app) {
  const [{ gateway }, proxy, toolsift] = await Promise.all(["toolsift/gateway", "toolsift/proxy", "toolsift"].map(app.load));
  const open = await opened({ gateway });
  await open.ready();
  const answers = async () => [
    open.status(),
    open.tools(),
    await (await open.fetch(posted(rpc("tools/list")))).text(),
    await (await open.fetch(posted(rpc("tools/call", { name: "search_tools", arguments: { query: "a message" } })))).text(),
  ];
  return { ...toolsift, ...proxy, gateway, open, answers, end: () => open.close() };
}

const on = (name, args, run, more) => ({ names: [name].flat(), args, run, ...more });

/** A gateway that is used for one run. */
async function used(
  w,
  options,
  requests = [
    rpc("tools/list"),
    rpc("tools/call", { name: "call_tool", arguments: { name: "good", arguments: { text: "x" } } }),
  ],
) {
  const open = await opened(w, options);
  try {
    await open.ready();
    open.status();
    for (const one of requests) await (await open.fetch(posted(one))).text();
  } finally {
    await open.close();
  }
}

const OPTIONS = () => ({
  mcpServers: { a: { command: "unused" }, b: { url: "http://127.0.0.1:1/mcp", disabled: true } },
  env: { A: "b" },
  calls: "one",
  effects: { "a:*": "read" },
  allow: ["a:*"],
  deny: ["b:*"],
  scope: "all",
  reveal: false,
  eager: true,
  enrich: ENRICH(),
  packs: false,
  idleMs: 0,
  startTimeoutMs: 300,
  callTimeoutMs: 300,
  callTotalMs: 400,
  maxAnswerChars: 1_000,
  maxSessions: 2,
  stateless: true,
  transport: () => transport(),
  cache: { read: async () => undefined, write: async () => {} },
  trust: { review: async (_, all) => ({ admitted: [...all], held: [] }) },
  onEvent: () => {},
  onProblem: () => {},
  profile: "bridge",
  activation: "on",
  limits: { tools: 100 },
});
/** The host's functions, whose errors are the host's. */

/** What a `fetch` throws is what a client expects of one. */
function unlessUnreached(error) {
  if (error.message !== "fetch failed") throw error;
  return new Response("");
}

/** An error that the client is told: this gateway has no resources. */
function unlessUnknown(error) {
  if (!/^there is no resource/.test(error.message)) throw error;
}

const FUNCTION = (one) => ({
  type: "function",
  function: { name: one.name, description: one.description, parameters: one.inputSchema },
});
/** A request and a reply of each wire. */
const WIRES = {
  "v1/chat/completions": {
    body: () => ({
      model: "m",
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "hi" },
      ],
      tools: tools().map(FUNCTION),
      tool_choice: "auto",
      stream: false,
    }),
    reply: () => ({
      id: "c",
      object: "chat.completion",
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "1", type: "function", function: { name: "search_tools", arguments: '{"query":"a message"}' } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 1 },
    }),
    events: () => [
      {
        id: "c",
        choices: [
          {
            index: 0,
            delta: {
              role: "assistant",
              tool_calls: [
                { index: 0, id: "1", type: "function", function: { name: "search_tools", arguments: '{"query":"a"}' } },
              ],
            },
          },
        ],
      },
      { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    ],
  },
  "v1/responses": {
    body: () => ({
      model: "m",
      instructions: "i",
      input: [{ role: "user", content: "hi" }],
      tools: tools().map(({ name, description, inputSchema }) => ({
        type: "function",
        name,
        description,
        parameters: inputSchema,
      })),
      stream: false,
    }),
    reply: () => ({
      id: "r",
      object: "response",
      status: "completed",
      output: [{ type: "function_call", id: "f", call_id: "1", name: "search_tools", arguments: '{"query":"a message"}' }],
      usage: { input_tokens: 1 },
    }),
    events: () => [
      { type: "response.created", response: { id: "r" } },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { type: "function_call", id: "f", call_id: "1", name: "search_tools", arguments: '{"query":"a"}' },
      },
      { type: "response.completed", response: { id: "r", status: "completed", output: [] } },
    ],
  },
  "v1/messages": {
    body: () => ({
      model: "m",
      max_tokens: 10,
      system: [{ type: "text", text: "s" }],
      messages: [{ role: "user", content: "hi" }],
      tools: tools().map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
      stream: false,
    }),
    reply: () => ({
      id: "m",
      type: "message",
      role: "assistant",
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "t" },
        { type: "tool_use", id: "1", name: "search_tools", input: { query: "a message" } },
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
    events: () => [
      {
        type: "message_start",
        message: { id: "m", type: "message", role: "assistant", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
      },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "1", name: "search_tools", input: {} },
      },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"query":"a"}' } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ],
  },
  "v1beta/models/m:generateContent": {
    body: () => ({
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      tools: [
        {
          functionDeclarations: tools().map(({ name, description, inputSchema }) => ({
            name,
            description,
            parametersJsonSchema: inputSchema,
          })),
        },
      ],
      systemInstruction: { parts: [{ text: "s" }] },
    }),
    reply: () => ({
      candidates: [
        {
          index: 0,
          finishReason: "STOP",
          content: { role: "model", parts: [{ functionCall: { name: "search_tools", args: { query: "a message" } } }] },
        },
      ],
      usageMetadata: { promptTokenCount: 1 },
    }),
    events: () => [
      {
        candidates: [
          {
            index: 0,
            content: { role: "model", parts: [{ functionCall: { name: "search_tools", args: { query: "a" } } }] },
          },
        ],
      },
      { candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [{ text: "t" }] } }] },
    ],
  },
};
const SIFT = () => ({ activation: "on", profile: "sift" });
const SETTINGS = () => ({
  sift: SIFT(),
  surface: "growing",
  prefetch: true,
  fetch: async () => Response.json({ choices: [] }),
  maxRounds: 3,
  maxTools: 50,
  maxBodyBytes: 1e6,
  maxReplyBytes: 1e6,
  timeoutMs: 500,
  maxCatalogs: 2,
  storage: { getKeys: () => [], getItem: () => null, setItem: () => {}, removeItem: () => {} },
  maxConversations: 5,
  stateTtl: 60,
  emulate: "auto",
  onEvent: () => {},
  rank: async () => ["good"],
  rankTimeoutMs: 100,
});
const asked = (path, body) =>
  new Request(`http://proxy.test/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : text(body),
  });
/** JSON of events, one after the other; what cannot be read is left out. */
const written = (events) =>
  (text(events).startsWith("[") ? JSON.parse(text(events)).slice(0, 100) : [events])
    .map((one) => `data: ${text(one)}\n\n`)
    .join("");
const streamed = (events) => new Response(written(events), { headers: { "content-type": "text/event-stream" } });

/** Reads an answer to its end; a stream that the vendor broke ends with an error of the stream. */
const read = async (response) => (await response).text();

const wires = Object.entries(WIRES).flatMap(([path, { body, reply, events }]) => {
  const proxy = (w, fetch) =>
    w.siftProxy({ upstream: "https://vendor.test", sift: SIFT(), fetch, timeoutMs: 500, maxRounds: 2 });
  const streams = path.replace("generateContent", "streamGenerateContent?alt=sse");
  return [
    on(
      "proxy.siftProxy",
      () => [body()],
      (w, sent) => read(proxy(w, async () => Response.json(reply()))(asked(path, sent))),
      { about: `requests to ${path}` },
    ),
    on(
      "proxy.siftProxy",
      () => [reply()],
      (w, answered) =>
        read(
          proxy(
            w,
            async () => new Response(text(answered), { headers: { "content-type": "application/json" } }),
          )(asked(path, body())),
        ),
      { about: `replies of ${path}` },
    ),
    on(
      "proxy.siftProxy",
      () => [events()],
      (w, all) =>
        read(
          proxy(w, async () => streamed(all))(
            asked(streams, { ...body(), ...(path.includes("models") ? {} : { stream: true }) }),
          ),
        ),
      { about: `streams of ${path}` },
    ),
  ];
});

export const targets = [
  on(
    "gateway.gateway",
    () => [OPTIONS()],
    (w, options) => w.gateway(options).then((open) => open.close()),
    { about: "options" },
  ),
  on(
    ["gateway.gateway", "Gateway#status", "Gateway#tools", "Gateway#ready", "Gateway#close"],
    () => [OPTIONS().trust, OPTIONS().cache, () => transport()],
    (w, trust, cache, made) => used(w, { trust, cache, transport: made }),
    { about: "the host's parts" },
  ),
  on(
    "gateway.gateway",
    () => [{ admitted: tools(), held: [{ name: "x", reason: "y" }] }],
    (w, review) => used(w, { trust: { review: async () => review } }),
    { about: "reviews" },
  ),
  on(
    "gateway.gateway",
    () => [
      {
        era: "legacy",
        capabilities: { tools: {} },
        tools: tools(),
        prompts: [],
        resources: [],
        resourceTemplates: [],
        offered: ["good"],
        instructions: "i",
        server: { name: "a", version: "1" },
      },
    ],
    (w, kept) => used(w, { cache: { read: async () => kept, write: async () => {} } }),
    { about: "what is kept" },
  ),
  on(
    "gateway.gateway",
    () => [
      {
        tools: [
          ...tools(),
          tool("more", { annotations: { readOnlyHint: true }, outputSchema: { type: "object" }, title: "T" }),
        ],
      },
      { content: [{ type: "text", text: "x" }], structuredContent: { a: 1 }, isError: false },
      {
        instructions: "i",
        capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name: "a", version: "1" },
      },
    ],
    (w, list, call, initialize) => used(w, { transport: () => transport({ list, call, initialize }) }),
    { about: "what servers answer" },
  ),
  on(
    "Gateway#fetch",
    () => [posted(rpc("tools/list"))],
    async (w, request) => (await w.open.fetch(request)).text(),
  ),
  on(
    "Gateway#fetch",
    () => [
      rpc("tools/call", { name: "search_tools", arguments: { query: "a message", limit: 3 }, _meta: { progressToken: 1 } }),
    ],
    async (w, body) => (await w.open.fetch(posted(body))).text(),
    { about: "messages" },
  ),
  on(
    "Gateway#fetch",
    () => [
      rpc("tools/list", {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": NEW,
          "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }),
    ],
    async (w, body) =>
      (await w.open.fetch(posted(body, { "mcp-protocol-version": NEW, "mcp-method": "tools/list" }))).text(),
    { about: "messages of the newer protocol" },
  ),
  on(
    "Gateway#follow",
    () => [{ params: { notifications: { resourceSubscriptions: ["a:b"] } } }],
    (w, request) => w.open.follow(request).catch(unlessUnknown),
  ),
  on(
    "Gateway#server",
    () => [{ era: "legacy" }],
    (w, context) => w.open.server(context),
  ),
  on(
    ["Gateway#setServers", "Gateway#reviewAgain"],
    () => [
      { a: { command: "unused" }, b: { command: "x", args: [], env: { A: "b" }, cwd: "/" } },
      { allow: ["a:*"], deny: ["b:*"], effects: { "a:*": "write" } },
    ],
    async (w, ...args) => {
      const open = await opened(w);
      try {
        await open.setServers(...args);
        await open.reviewAgain({});
      } finally {
        await open.close();
      }
    },
  ),

  // Without `fetch` it is the runtime's, which has no way to this vendor.
  on(
    "proxy.siftFetch",
    () => [SETTINGS(), WIRES["v1/messages"].body()],
    (w, settings, body) =>
      read(
        w
          .siftFetch(settings)("https://vendor.test/v1/messages", { method: "POST", body: text(body) })
          .catch(unlessUnreached),
      ),
  ),
  on(
    "proxy.siftProxy",
    () => [{ upstream: "https://vendor.test/", basePath: "/api", ...SETTINGS() }],
    (w, settings) => read(w.siftProxy(settings)(asked("v1/messages", WIRES["v1/messages"].body()))),
  ),
  ...wires,
];
