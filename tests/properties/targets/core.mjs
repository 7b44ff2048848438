/** `ToolSift` and `Session`: every method, with every option. */

import { SHAPES } from "../../history/lib/write.mjs";
import { HOSTED_SEARCH } from "../lib/apis.mjs";
import { on } from "../lib/target.mjs";
import { core, enriched, tool, tools } from "../lib/world.mjs";

export const packages = {};
export const covers = [
  "toolsift.ToolSiftOptions",
  "toolsift.IndexOptions",
  "toolsift.Limits",
  "toolsift.Budget",
  "toolsift.Scope",
  "toolsift.Selection",
  "toolsift.SearchOptions",
  "toolsift.ProfileSettings",
  "toolsift.SearchSettings",
  "toolsift.SessionOptions",
  "toolsift.PrefetchOptions",
  "toolsift.RestoreOptions",
  "toolsift.RegisterOptions",
  "toolsift.AssembleOptions",
  "toolsift.CallOptions",
  "toolsift.AsyncCallOptions",
  "toolsift.EvictOptions",
  "toolsift.FromMessagesOptions",
  "toolsift.RankOptions",
];

export async function world(app) {
  const { guard } = await app.load("toolsift/guard");
  return { ...(await core(app)), guard };
}

const SCOPE = () => ({ servers: ["a"], tools: ["good", "a:read_file", "a:*"] });
const REGISTER = () => ({ server: "b", names: "alias", deferral: "always", category: "work", enrichment: [enriched()] });
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

/** A conversation that loads a tool and calls it. */
const TURNS = [
  {
    steps: [
      [{ id: "1", name: "search_tools", args: { query: "message" }, text: "Loaded.\n- send_message(text)" }],
      [{ id: "2", name: "send_message", args: {}, text: "sent" }],
    ],
  },
];
/** What some formats have besides: the searches of vendors, and what LangChain keeps beside an answer. */
const MORE = {
  "openai-responses": [
    { type: "tool_search_call", call_id: "3", arguments: { query: "x" }, execution: "client" },
    { type: "tool_search_output", call_id: "3", tools: [{ type: "function", name: "read_file" }] },
  ],
  anthropic: [{ role: "assistant", content: HOSTED_SEARCH("3") }],
  langchain: [{ type: "tool", tool_call_id: "1", content: "", artifact: { kind: "result", revealed: ["send_message"] } }],
};
/** One shape of each format: the first. */
const FORMATS = new Map(SHAPES.toReversed().map(([, format, write]) => [format, write]));

const ranks = {
  list: () => async () => ["good"],
  scores: () => ({ scores: async () => SCORES(), rerank: async () => ["good"], rerankWhen: "always" }),
};

export const targets = [
  on("ToolSift#constructor", (w) => [OPTIONS(w)], {
    run: async (w, options) => {
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
  }),
  ...Object.entries({ stub: true, bridge: "auto" }).map(([name, enabled]) =>
    on("ToolSift#constructor", () => [{ profile: { name, config: { enabled } } }], {
      about: `config of ${name}`,
      run: (w, options) => new w.ToolSift(options).dispose(),
    }),
  ),
  on(
    "ToolSift#fromIndex",
    (w) => [w.sift.exportIndex(), { ...OPTIONS(w), synonyms: [], search: {}, contentHash: w.sift.contentHash }],
    { run: (w, ...args) => w.ToolSift.fromIndex(...args).dispose() },
  ),
  on("ToolSift#register", () => [FORMS(), REGISTER()]),
  on("ToolSift#register", () => [{ tools: [tool("one"), tool("two")] }, { enrichment: JSON.stringify(enriched()) }], {
    about: "MCP's result",
  }),
  on("ToolSift#register", () => [tool("single", { annotations: { readOnlyHint: true } })], { about: "one tool" }),
  on("ToolSift#sync", () => [
    "a",
    [...tools().slice(1), ...FORMS()],
    { names: "strict", deferral: "automatic", category: "work" },
  ]),
  on("ToolSift#unregister", () => [{ server: "a", names: ["good"] }]),
  on("ToolSift#search", () => [["send a message", "good"], { limit: 3, session: "s", reasons: true, scores: SCORES() }]),
  on("ToolSift#explain", () => ["send a message", "good", { limit: 3, session: "s", scores: SCORES() }]),
  on("ToolSift#session", () => ["t", { scope: SCOPE() }], { run: (w, ...args) => w.sift.session(...args).assemble() }),
  on("ToolSift#closeSession", () => ["s"]),
  on("ToolSift#restore", (w) => [
    { ...w.session.snapshot(), id: "t" },
    { replace: false, scope: "all" },
  ]),
  on("ToolSift#size", () => [{ format: "google" }]),
  on("Session#register", () => [FORMS(), REGISTER()]),
  on("Session#sync", () => ["own", FORMS(), { names: "any", category: "work", enrichment: [enriched()] }]),
  on("Session#unregister", () => [{ server: "own", names: ["good"] }]),
  on("Session#rescope", () => [SCOPE()]),
  on("Session#assemble", () => [{ format: "bedrock" }]),
  on("Session#heldBack", () => [{ format: "anthropic" }]),
  on("Session#call", () => [
    "search_tools",
    { query: "send a message", limit: 3 },
    { now: 1, visible: ["good", "search_tools"], scores: SCORES() },
  ]),
  on("Session#call", () => ["add_tool", { tool_names: ["good", "read_file"] }], { about: "add_tool" }),
  on("Session#call", () => ["good", '{"text":"x"}'], { about: "a tool" }),
  on(
    "Session#callAll",
    () => [
      [
        { name: "search_tools", args: { query: "message" } },
        { name: "good", args: { text: "x" } },
      ],
      { now: 1, visible: null },
    ],
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
      { about, says: /^console.warn: .*rank/ },
    ),
  ),
  on("Session#reveal", () => [["read_file", "create_issue"]]),
  on("Session#prefetch", () => ["Please read the file.", { tools: 2, tokens: 500 }]),
  on("Session#child", () => ["a child", { scope: SCOPE() }], { run: (w, ...args) => w.session.child(...args).close() }),
  on("Session#conceal", () => [["good"]]),
  on("Session#evict", () => [{ tools: 0, tokens: 0 }]),
  ...[...FORMATS].map(([format, write]) =>
    on("Session#fromMessages", () => [structuredClone([...write(TURNS), ...(MORE[format] ?? [])]), { format }], {
      about: format,
    }),
  ),
  on("ToolSiftError#is", () => [new Error("x")], { run: (w, value) => w.ToolSiftError.is(value) }),
  on("toolsift.spans", () => [{ startSpan: () => ({ setStatus() {}, end() {} }) }], {
    run: (w, tracer) => w.spans(tracer)({ type: "call", ms: 1 }),
  }),
  on("toolsift.definitionHash", () => ["good", "Works."]),
];
