/** `ToolSift` and `Session`: every method, with every option. */

import { core, tool, tools } from "../lib/world.mjs";

export const packages = {};
export const covers = [
  "toolsift.ToolSiftOptions",
  "toolsift.IndexOptions",
  "toolsift.Limits",
  "toolsift.Budget",
  "toolsift.Scope",
  "toolsift.Selection",
]
  .concat([
    "toolsift.SearchOptions",
    "toolsift.ProfileSettings",
    "toolsift.SearchSettings",
    "toolsift.SessionOptions",
    "toolsift.PrefetchOptions",
    "toolsift.RestoreOptions",
    "toolsift.RegisterOptions",
  ])
  .concat([
    "toolsift.AssembleOptions",
    "toolsift.CallOptions",
    "toolsift.AsyncCallOptions",
    "toolsift.EvictOptions",
    "toolsift.FromMessagesOptions",
    "toolsift.RankOptions",
  ]);

export async function world(app) {
  const { guard } = await app.load("toolsift/guard");
  return { ...(await core(app)), guard };
}

const SCOPE = () => ({ servers: ["a"], tools: ["good", "a:read_file", "a:*"] });
const ENRICHMENT = () => [
  { name: "good", server: "a", hash: "0".repeat(16), queries: ["do well"], keywords: ["fine"], languages: ["en"] },
];
const REGISTER = () => ({ server: "b", names: "alias", deferral: "always", category: "work", enrichment: ENRICHMENT() });
const SCORES = () => ({ good: 0.9, read_file: 0.1 });

const OPTIONS = (w) => ({
  guard: w.guard(),
  profile: { name: "sift", specialCategories: ["work"] },
  contextWindow: 100_000,
  countTokens: (text) => text.length,
  activation: { contextShare: 0.1 },
  deferral: "opt-out",
  disclosure: "servers",
  stubWhen: "smaller",
  reveal: "search",
  surface: "growing",
  budget: { tools: 5, tokens: 4_000 },
  unrevealedCall: "refuse-with-schema",
  outOfScope: "conceal",
  preDiscovered: ["good"],
  alwaysAvailable: ["read_file"],
  search: {
    ranker: "sift",
    grammar: "full",
    universe: "deferrable",
    cutoff: "none",
    hits: 5,
    maxHits: 20,
    without: ["stems"],
  },
  searchesPerMinute: 10,
  synonyms: [["letter", "message"]],
  aliases: { mail: "send_message" },
  categories: ["work: what works"],
  selection: { servers: ["a", "b"], tools: ["good"] },
  limits: { tools: 100, bytes: 1e6, serverBytes: 1e6, sessions: 10, revealed: 5, revealedTokens: 1e5, whenFull: "evict" },
});

/** Definitions of every vendor's form. */
const FORMS = () => [
  tool("plain", {
    title: "T",
    server: "b",
    category: "c",
    searchHint: "h",
    searchKeywords: ["k"],
    searchQueries: ["q"],
    tags: ["t"],
    deferral: "never",
  }),
  {
    type: "function",
    function: { name: "chat", description: "d", parameters: { type: "object", properties: {} } },
    defer_loading: true,
  },
  { type: "function", name: "responses", description: "d", parameters: { type: "object" }, strict: false },
  { name: "messages", description: "d", input_schema: { type: "object" }, cache_control: { type: "ephemeral" } },
  {
    functionDeclarations: [
      { name: "google", description: "d", parametersJsonSchema: { type: "object" } },
      { name: "g2", parameters: { type: "OBJECT" } },
    ],
  },
  {
    name: "hinted",
    description: "d",
    inputSchema: { type: "object", $defs: { x: { type: "string" } }, anyOf: [{ properties: { a: { $ref: "#/$defs/x" } } }] },
    annotations: { readOnlyHint: true, destructiveHint: false },
  },
  {
    name: "standard",
    description: "d",
    inputSchema: {
      "~standard": {
        version: 1,
        vendor: "v",
        validate: (value) => ({ value }),
        jsonSchema: { input: () => ({ type: "object" }) },
      },
    },
  },
];

const MESSAGES = {
  openai: [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "1", type: "function", function: { name: "search_tools", arguments: '{"query":"message"}' } }],
    },
    { role: "tool", tool_call_id: "1", content: "Loaded. Call them from your next step on:\n- send_message(text)" },
    { role: "assistant", tool_calls: [{ id: "2", type: "function", function: { name: "send_message", arguments: "{}" } }] },
    { role: "tool", tool_call_id: "2", content: [{ type: "text", text: "sent" }] },
  ],
  "openai-responses": [
    { type: "message", role: "user", content: "hi" },
    { type: "function_call", call_id: "1", name: "search_tools", arguments: '{"query":"message"}' },
    {
      type: "function_call_output",
      call_id: "1",
      output: "Loaded. Call them from your next step on:\n- send_message(text)",
    },
    { type: "tool_search_call", call_id: "3", arguments: { query: "x" }, execution: "client" },
    { type: "tool_search_output", call_id: "3", tools: [{ type: "function", name: "read_file" }] },
  ],
  anthropic: [
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "1", name: "search_tools", input: { query: "message" } }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "Loaded.\n- send_message(text)" }] },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "2", name: "tool_search_tool_bm25", input: { query: "x" } },
        {
          type: "tool_search_tool_result",
          tool_use_id: "2",
          content: {
            type: "tool_search_tool_search_result",
            tool_references: [{ type: "tool_reference", tool_name: "read_file" }],
          },
        },
      ],
    },
  ],
  bedrock: [
    { role: "user", content: [{ text: "hi" }] },
    { role: "assistant", content: [{ toolUse: { toolUseId: "1", name: "search_tools", input: { query: "message" } } }] },
    {
      role: "user",
      content: [
        {
          toolResult: {
            toolUseId: "1",
            status: "success",
            content: [{ text: "Loaded.\n- send_message(text)" }, { json: { a: 1 } }],
          },
        },
      ],
    },
  ],
  ollama: [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ function: { name: "search_tools", arguments: { query: "message" } } }],
    },
    { role: "tool", tool_name: "search_tools", content: "Loaded.\n- send_message(text)" },
  ],
  google: [
    { role: "user", parts: [{ text: "hi" }] },
    { role: "model", parts: [{ functionCall: { id: "1", name: "search_tools", args: { query: "message" } } }] },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "1", name: "search_tools", response: { output: "Loaded.\n- send_message(text)" } } },
      ],
    },
  ],
  mcp: [
    { role: "assistant", content: { type: "tool_use", id: "1", name: "search_tools", input: { query: "message" } } },
    {
      role: "user",
      content: [{ type: "tool_result", toolUseId: "1", content: [{ type: "text", text: "Loaded.\n- send_message(text)" }] }],
    },
  ],
  "ai-sdk": [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "1", toolName: "search_tools", input: { query: "message" } }],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "1",
          toolName: "search_tools",
          output: { type: "text", value: "Loaded.\n- send_message(text)" },
        },
      ],
    },
  ],
  langchain: [
    { type: "human", content: "hi" },
    {
      type: "ai",
      content: "",
      tool_calls: [{ id: "1", name: "search_tools", args: { query: "message" }, type: "tool_call" }],
    },
    {
      type: "tool",
      tool_call_id: "1",
      content: "Loaded.\n- send_message(text)",
      artifact: { kind: "result", code: null, revealed: ["send_message"] },
    },
  ],
};

const ranks = {
  list: () => async () => ["good"],
  scores: () => ({ scores: async () => SCORES(), rerank: async () => ["good"], rerankWhen: "always" }),
};

const on = (name, args, run, more) => ({ names: [name], args, run, ...more });

export const targets = [
  on(
    "ToolSift#constructor",
    (w) => [OPTIONS(w)],
    async (w, options) => {
      const sift = new w.ToolSift(options);
      try {
        sift.register(tools(), { server: "a" });
        const session = sift.session("s");
        session.assemble();
        session.call("search_tools", { query: "message" });
      } finally {
        sift.dispose();
      }
    },
  ),
  ...["stub", "bridge"].map((profile) =>
    on(
      "ToolSift#constructor",
      () => [{ profile: { name: profile, config: profile === "stub" ? { enabled: true } : { enabled: "auto" } } }],
      (w, options) => new w.ToolSift(options).dispose(),
      { about: `config of ${profile}` },
    ),
  ),
  on(
    "ToolSift#fromIndex",
    (w) => [w.sift.exportIndex(), { ...OPTIONS(w), synonyms: [], search: {}, contentHash: w.sift.contentHash }],
    (w, index, options) => {
      w.ToolSift.fromIndex(index, options).dispose();
    },
  ),
  on(
    "ToolSift#register",
    () => [FORMS(), REGISTER()],
    (w, ...args) => w.sift.register(...args),
  ),
  on(
    "ToolSift#register",
    () => [{ tools: [tool("one"), tool("two")] }, { enrichment: JSON.stringify(ENRICHMENT()[0]) }],
    (w, ...args) => w.sift.register(...args),
    { about: "MCP's result" },
  ),
  on(
    "ToolSift#register",
    () => [tool("single", { annotations: { readOnlyHint: true } })],
    (w, ...args) => w.sift.register(...args),
    { about: "one tool" },
  ),
  on(
    "ToolSift#sync",
    () => ["a", [...tools().slice(1), ...FORMS()], { names: "strict", deferral: "automatic", category: "work" }],
    (w, ...args) => w.sift.sync(...args),
  ),
  on(
    "ToolSift#unregister",
    () => [{ server: "a", names: ["good"] }],
    (w, ...args) => w.sift.unregister(...args),
  ),
  on(
    "ToolSift#search",
    () => [["send a message", "good"], { limit: 3, session: "s", reasons: true, scores: SCORES() }],
    (w, ...args) => w.sift.search(...args),
  ),
  on(
    "ToolSift#explain",
    () => ["send a message", "good", { limit: 3, session: "s", scores: SCORES() }],
    (w, ...args) => w.sift.explain(...args),
  ),
  on(
    "ToolSift#session",
    () => ["t", { scope: SCOPE() }],
    (w, ...args) => w.sift.session(...args).assemble(),
  ),
  on(
    "ToolSift#closeSession",
    () => ["s"],
    (w, ...args) => w.sift.closeSession(...args),
  ),
  on(
    "ToolSift#restore",
    (w) => [
      { ...w.session.snapshot(), id: "t" },
      { replace: false, scope: "all" },
    ],
    (w, ...args) => w.sift.restore(...args),
  ),
  on(
    "ToolSift#size",
    () => [{ format: "google" }],
    (w, ...args) => w.sift.size(...args),
  ),
  {
    names: ["profiles", "version"]
      .map((name) => `ToolSift#${name}`)
      .concat(["exportIndex", "contentHash", "tools", "settings", "revision"].map((name) => `ToolSift#${name}`)),
    args: () => [{}],
    run: ({ ToolSift, sift }, extra) => [
      ToolSift.profiles(extra),
      ToolSift.version,
      sift.exportIndex(extra),
      sift.contentHash,
      sift.tools(extra),
      sift.settings,
      sift.revision,
    ],
  },
  on(
    "ToolSift#dispose",
    () => [{}],
    (w, extra) => {
      const sift = new w.ToolSift();
      const session = sift.session("s");
      sift.dispose(extra);
      sift.dispose(extra);
      try {
        session.assemble(extra);
      } catch (error) {
        if (error.code !== "disposed" && error.code !== "option_invalid" && error.code !== "option_unknown") throw error;
      }
    },
  ),
  on(
    "Session#register",
    () => [FORMS(), REGISTER()],
    (w, ...args) => w.session.register(...args),
  ),
  on(
    "Session#sync",
    () => ["own", FORMS(), { names: "any", category: "work", enrichment: ENRICHMENT() }],
    (w, ...args) => w.session.sync(...args),
  ),
  on(
    "Session#unregister",
    () => [{ server: "own", names: ["good"] }],
    (w, ...args) => w.session.unregister(...args),
  ),
  on(
    "Session#rescope",
    () => [SCOPE()],
    (w, ...args) => w.session.rescope(...args),
  ),
  on(
    "Session#assemble",
    () => [{ format: "bedrock" }],
    (w, ...args) => w.session.assemble(...args),
  ),
  on(
    "Session#heldBack",
    () => [{ format: "anthropic" }],
    (w, ...args) => w.session.heldBack(...args),
  ),
  on(
    "Session#call",
    () => [
      "search_tools",
      { query: "send a message", limit: 3 },
      { now: 1, visible: ["good", "search_tools"], scores: SCORES() },
    ],
    (w, ...args) => w.session.call(...args),
  ),
  on(
    "Session#call",
    () => ["add_tool", { tool_names: ["good", "read_file"] }],
    (w, ...args) => w.session.call(...args),
    { about: "add_tool" },
  ),
  on(
    "Session#call",
    () => ["good", '{"text":"x"}'],
    (w, ...args) => w.session.call(...args),
    { about: "a tool" },
  ),
  on(
    "Session#callAll",
    () => [
      [
        { name: "search_tools", args: { query: "message" } },
        { name: "good", args: { text: "x" } },
      ],
      { now: 1, visible: null },
    ],
    (w, ...args) => w.session.callAll(...args),
    { changes: true },
  ),
  ...Object.entries(ranks).map(([about, rank]) =>
    on(
      "Session#callAsync",
      () => [
        "search_tools",
        { query: "message" },
        {
          rank: rank(),
          rankTimeoutMs: 200,
          signal: new AbortController().signal,
          onProblem: () => {},
          now: 1,
          visible: ["good", "search_tools"],
          scores: SCORES(),
        },
      ],
      (w, ...args) => w.session.callAsync(...args),
      { about, says: /^console.warn: .*rank/ },
    ),
  ),
  on(
    "Session#reveal",
    () => [["read_file", "create_issue"]],
    (w, ...args) => w.session.reveal(...args),
  ),
  on(
    "Session#prefetch",
    () => ["Please read the file.", { tools: 2, tokens: 500 }],
    (w, ...args) => w.session.prefetch(...args),
  ),
  on(
    "Session#child",
    () => ["a child", { scope: SCOPE() }],
    (w, ...args) => w.session.child(...args).close(),
  ),
  on(
    "Session#handBack",
    () => [["read_file"]],
    (w, ...args) => {
      const child = w.session.child("a child");
      child.reveal(...args);
      child.handBack();
      child.close();
    },
  ),
  on(
    "Session#conceal",
    () => [["good"]],
    (w, ...args) => w.session.conceal(...args),
  ),
  on(
    "Session#evict",
    () => [{ tools: 0, tokens: 0 }],
    (w, ...args) => w.session.evict(...args),
  ),
  ...Object.entries(MESSAGES).map(([format, messages]) =>
    on(
      "Session#fromMessages",
      () => [structuredClone(messages), { format }],
      (w, ...args) => w.session.fromMessages(...args),
      { about: format },
    ),
  ),
  {
    names: ["revealed", "tools", "snapshot", "unmatched", "close"].map((name) => `Session#${name}`),
    args: () => [{}],
    run: ({ sift }, extra) => {
      const session = sift.session("other");
      return [
        session.revealed,
        session.tools(extra),
        session.snapshot(extra),
        session.unmatched(extra),
        session.close(extra),
        session.close(extra),
      ];
    },
  },
  on(
    "ToolSiftError#is",
    () => [new Error("x")],
    (w, value) => w.ToolSiftError.is(value),
  ),
  on(
    "toolsift.spans",
    () => [{ startSpan: () => ({ setStatus() {}, end() {} }) }],
    (w, tracer) => w.spans(tracer)({ type: "call", ms: 1 }),
  ),
  on(
    "toolsift.definitionHash",
    () => ["good", "Works."],
    (w, ...args) => w.definitionHash(...args),
  ),
];
