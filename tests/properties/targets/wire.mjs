/** The gateway and the proxy: their options, requests of clients, and what servers and vendors answer. */

import {
  CHAT,
  CHUNKS,
  COMPLETION,
  CONTENT,
  CONTENTS,
  GOOGLE,
  MESSAGE,
  MESSAGE_EVENTS,
  MESSAGES,
  RESPONSE,
  RESPONSES,
  RESPONSES_EVENTS,
} from "../lib/apis.mjs";
import { on } from "../lib/target.mjs";
import { ENRICH, text, tool, tools } from "../lib/world.mjs";

export const packages = {
  "@modelcontextprotocol/client": "@modelcontextprotocol/client",
  "@modelcontextprotocol/server": "@modelcontextprotocol/server",
};
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
      queueMicrotask(() => one.onmessage?.(JSON.parse(message)));
    },
  };
  return one;
}

/** A tool as both of OpenAI's APIs have it, the one inside of an object. */
const chatTool = ({ inputSchema, ...one }) => ({ ...one, parameters: inputSchema });

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

const REQUESTS = [
  rpc("tools/list"),
  rpc("tools/call", { name: "call_tool", arguments: { name: "good", arguments: { text: "x" } } }),
];

/** Opens a gateway, uses and closes it. */
async function used(opening) {
  const open = await opening;
  try {
    await open.ready();
    open.status();
    for (const one of REQUESTS) await (await open.fetch(posted(one))).text();
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
/** What a `fetch` throws is what a client expects of one. */
function unlessUnreached(error) {
  if (error.message !== "fetch failed") throw error;
  return new Response("");
}

/** An error that the client is told: this gateway has no resources. */
function unlessUnknown(error) {
  if (!/^there is no resource/.test(error.message)) throw error;
}

/** A request, a reply and a stream of each API: the proxy answers the model's search, and asks again. */
const WIRES = {
  "v1/chat/completions": {
    body: () => ({
      ...CHAT(),
      tools: [...CHAT().tools, ...tools().map((one) => ({ type: "function", function: chatTool(one) }))],
    }),
    reply: () => COMPLETION(1),
    events: () => CHUNKS(1),
  },
  "v1/responses": {
    body: () => ({
      ...RESPONSES(),
      input: RESPONSES().input.slice(0, 1),
      tools: [RESPONSES().tools[0], ...tools().map((one) => ({ type: "function", ...chatTool(one) }))],
    }),
    reply: () => RESPONSE(3),
    events: () => RESPONSES_EVENTS(3),
  },
  "v1/messages": {
    body: () => ({
      ...MESSAGES(),
      messages: MESSAGES().messages.slice(0, 1),
      tools: [...MESSAGES().tools, ...tools().map(({ inputSchema, ...one }) => ({ ...one, input_schema: inputSchema }))],
    }),
    reply: () => MESSAGE(4),
    events: MESSAGE_EVENTS,
  },
  "v1beta/models/m:generateContent": {
    body: () => ({
      ...GOOGLE(),
      tools: [
        ...GOOGLE().tools,
        { functionDeclarations: tools().map(({ inputSchema, ...one }) => ({ ...one, parametersJsonSchema: inputSchema })) },
      ],
    }),
    reply: () => CONTENT(2),
    events: () => CONTENTS(2),
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
    on("proxy.siftProxy", () => [body()], {
      about: `requests to ${path}`,
      run: (w, sent) => read(proxy(w, async () => Response.json(reply()))(asked(path, sent))),
    }),
    on("proxy.siftProxy", () => [reply()], {
      about: `replies of ${path}`,
      run: (w, answered) =>
        read(
          proxy(
            w,
            async () => new Response(text(answered), { headers: { "content-type": "application/json" } }),
          )(asked(path, body())),
        ),
    }),
    on("proxy.siftProxy", () => [events()], {
      about: `streams of ${path}`,
      run: (w, all) =>
        read(
          proxy(w, async () => streamed(all))(
            asked(streams, { ...body(), ...(path.includes("models") ? {} : { stream: true }) }),
          ),
        ),
    }),
  ];
});

export const targets = [
  on("gateway.gateway", () => [OPTIONS()], {
    about: "options",
    run: (w, options) => used(w.gateway(options)),
  }),
  on("gateway.gateway", () => [{ admitted: tools(), held: [{ name: "x", reason: "y" }] }], {
    about: "reviews",
    run: (w, review) => used(opened(w, { trust: { review: async () => review } })),
  }),
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
    {
      about: "what is kept",
      run: (w, kept) => used(opened(w, { cache: { read: async () => kept, write: async () => {} } })),
    },
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
    {
      about: "what servers answer",
      run: (w, list, call, initialize) => used(opened(w, { transport: () => transport({ list, call, initialize }) })),
    },
  ),
  on("Gateway#fetch", () => [posted(rpc("tools/list"))], {
    run: async (w, request) => (await w.open.fetch(request)).text(),
  }),
  on(
    "Gateway#fetch",
    () => [
      rpc("tools/call", { name: "search_tools", arguments: { query: "a message", limit: 3 }, _meta: { progressToken: 1 } }),
    ],
    { about: "messages", run: async (w, body) => (await w.open.fetch(posted(body))).text() },
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
    {
      about: "messages of the newer protocol",
      run: async (w, body) =>
        (await w.open.fetch(posted(body, { "mcp-protocol-version": NEW, "mcp-method": "tools/list" }))).text(),
    },
  ),
  on("Gateway#follow", () => [{ params: { notifications: { resourceSubscriptions: ["a:b"] } } }], {
    run: (w, request) => w.open.follow(request).catch(unlessUnknown),
  }),
  on("Gateway#server", () => [{ era: "legacy" }]),
  on(
    "Gateway#setServers",
    () => [
      { a: { command: "unused" }, b: { command: "x", args: [], env: { A: "b" }, cwd: "/" } },
      { allow: ["a:*"], deny: ["b:*"], effects: { "a:*": "write" } },
    ],
    {
      run: async (w, ...args) => {
        const open = await opened(w);
        try {
          await open.setServers(...args);
        } finally {
          await open.close();
        }
      },
    },
  ),

  // Without `fetch` it is the runtime's, which has no way to this vendor.
  on("proxy.siftFetch", () => [SETTINGS(), WIRES["v1/messages"].body()], {
    run: (w, settings, body) =>
      read(
        w
          .siftFetch(settings)("https://vendor.test/v1/messages", { method: "POST", body: text(body) })
          .catch(unlessUnreached),
      ),
  }),
  on("proxy.siftProxy", () => [{ upstream: "https://vendor.test/", basePath: "/api", ...SETTINGS() }], {
    run: (w, settings) => read(w.siftProxy(settings)(asked("v1/messages", WIRES["v1/messages"].body()))),
  }),
  ...wires,
];
