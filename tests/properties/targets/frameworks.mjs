/** The adapters for frameworks: AI SDK and its middleware, LangChain, Mastra, OpenAI's agents. */

import { catalogOf, core } from "../lib/world.mjs";

const SDKS = [
  "ai",
  "langchain",
  "@langchain/langgraph",
  "@langchain/core",
  "@mastra/core",
  "@openai/agents",
  "@modelcontextprotocol/client",
];
export const packages = Object.fromEntries(SDKS.map((name) => [name, name]));
/** What a framework keeps is JSON, which has no holes. */
export const covers = [
  "ai-sdk",
  "ai-sdk-middleware",
  "langchain",
  "mastra",
  "openai-agents",
  "toolsift.AnswerOptions",
  "toolsift.RankOptions",
  "toolsift.AheadOptions",
];

// Nobody is told of these tests.
process.env.MASTRA_TELEMETRY_DISABLED = "1";
process.env.OPENAI_AGENTS_DISABLE_TRACING = "1";

let loaded;

/** Everything that is loaded once: some of these SDKs take seconds. */
async function load(app) {
  const names = [
    "toolsift/ai-sdk",
    "toolsift/ai-sdk-middleware",
    "toolsift/langchain",
    "toolsift/mastra",
    "toolsift/openai-agents",
  ];
  const [aiSdk, middleware, langchain, mastra, agents] = await Promise.all(names.map(app.load));
  const [ai, lc, mastraTools, openaiAgents, context, { z }] = await Promise.all(
    ["ai", "langchain", "@mastra/core/tools", "@openai/agents", "@mastra/core/request-context", "zod"].map(app.load),
  );
  return { aiSdk, middleware, langchain, mastra, agents, ai, lc, mastraTools, openaiAgents, context, z };
}

export async function world(app) {
  loaded ??= load(app);
  const inside = await core(app);
  const sdks = await loaded;
  const sifted = await sdks.aiSdk.siftTools(inside.sift, { execute: () => "done" });
  const parts = sdks.langchain.siftGraph(inside.sift, { execute: () => "done" });
  return { ...inside, ...sdks, sifted, parts, answers: () => catalogOf(inside.sift) };
}

const on = (name, args, run, more) => ({ names: [name].flat(), args, run, ...more });

/** The host's functions, whose errors are the host's; tools are registered, and stay where they are. */
const HOST = { changes: true };
/** Where nobody listens, a ranker that fails is told to the console. */
const SAYS = { says: /^console.warn: .*rank/ };
const RANK = () => ({ rank: async () => ["good"], rankTimeoutMs: 100 });
const BOUNDS = () => ({ maxAnswerChars: 1_000, readOn: true, maxTools: 50 });
const WATCH = () => ({ patience: 3, onEvent: () => {}, ...RANK() });
const doorOf = (more) => ({
  mcpServers: {},
  env: { A: "b" },
  execute: () => "done",
  mcp: { timeoutMs: 300 },
  packs: false,
  startTimeoutMs: 300,
  ready: "any",
  onStatus: () => {},
  profile: "sift",
  activation: "on",
  limits: { tools: 100 },
  ...BOUNDS(),
  ...WATCH(),
  ...more,
});

const SCHEMA = () => ({ type: "object", properties: { text: { type: "string" } } });
const AI_TOOLS = ({ ai }) => ({
  own: ai.tool({ description: "d", inputSchema: ai.jsonSchema(SCHEMA()), execute: async () => "done" }),
  plain: { description: "d", inputSchema: ai.jsonSchema(SCHEMA()), execute: async () => "x" },
});
const CALL = () => ({ type: "tool-call", toolCallId: "1", toolName: "search_tools", input: '{"query":"a message"}' });
const GENERATED = () => ({
  content: [CALL(), { type: "text", text: "t" }],
  finishReason: { unified: "tool-calls", raw: undefined },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  warnings: [],
  providerMetadata: { toolsift: { revealed: ["good"] } },
});
const PARAMS = () => ({
  prompt: [
    { role: "system", content: "s" },
    { role: "user", content: [{ type: "text", text: "hi" }] },
    {
      role: "assistant",
      content: [
        {
          type: "tool-call",
          toolCallId: "0",
          toolName: "fn",
          input: {},
          providerOptions: { toolsift: { revealed: ["fn"] } },
        },
      ],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "0", toolName: "fn", output: { type: "text", value: "x" } }],
    },
  ],
  tools: [
    { type: "function", name: "fn", description: "d", inputSchema: SCHEMA() },
    { type: "function", name: "gn", description: "e", inputSchema: SCHEMA() },
  ],
  toolChoice: { type: "auto" },
});
const END = () => ({
  ...GENERATED(),
  content: [{ type: "text", text: "done" }],
  finishReason: { unified: "stop", raw: undefined },
});

/** A model of AI SDK's that answers with what a target says, and then ends. */
function modelOf(reply, chunks) {
  let asked = 0;
  const stream = () =>
    new ReadableStream({
      start(controller) {
        const all =
          asked++ === 0 && Array.isArray(chunks)
            ? chunks
            : [{ type: "finish", finishReason: { unified: "stop", raw: undefined }, usage: {} }];
        for (let at = 0; at < Math.min(all.length, 100); at++) controller.enqueue(all[at]);
        controller.close();
      },
    });
  return {
    specificationVersion: "v3",
    provider: "p",
    modelId: "m",
    doGenerate: async () => (asked++ === 0 ? reply : END()),
    doStream: async () => ({ stream: stream() }),
  };
}

const generated = (w, options, params, model) =>
  w.middleware
    .siftMiddleware(options)
    .wrapGenerate({ model, params, doGenerate: () => model.doGenerate(params), doStream: () => model.doStream(params) });
const MIDDLEWARE = () => ({ sift: { activation: "on" }, maxRounds: 2, maxTools: 50, onEvent: () => {}, ...RANK() });

const LC_TOOLS = ({ lc, z }) => [
  lc.tool(() => "done", { name: "own", description: "d", schema: z.object({ text: z.string() }) }),
  { name: "json", description: "d", schema: SCHEMA(), invoke: async () => "x" },
];
const LC = (w) => ({
  tools: LC_TOOLS(w).slice(0, 1),
  execute: () => "done",
  session: () => "s",
  scope: () => "all",
  handleToolErrors: true,
  ...BOUNDS(),
  ...WATCH(),
});
const LC_MESSAGES = ({ lc }) => [
  new lc.SystemMessage("s"),
  new lc.HumanMessage("hi"),
  new lc.AIMessage({
    content: "",
    tool_calls: [
      { id: "1", name: "search_tools", args: { query: "a message" }, type: "tool_call" },
      { id: "2", name: "good", args: { text: "x" }, type: "tool_call" },
    ],
  }),
];
const LC_RUN = () => ({ configurable: { thread_id: "s", checkpoint_ns: "" }, context: {}, signal: undefined });

const MASTRA_TOOLS = ({ mastraTools, z }) => ({
  own: mastraTools.createTool({
    id: "own",
    description: "d",
    inputSchema: z.object({ text: z.string() }),
    execute: async () => ({}),
  }),
});
const MASTRA = (w) => ({
  tools: MASTRA_TOOLS(w),
  execute: () => "done",
  session: () => "s",
  scope: () => "all",
  ...BOUNDS(),
  ...WATCH(),
});

const AGENT_TOOLS = ({ openaiAgents, z }) => [
  openaiAgents.tool({
    name: "own",
    description: "d",
    parameters: z.object({ text: z.string() }),
    execute: async () => "done",
  }),
];
const AGENTS = (w) => ({
  tools: AGENT_TOOLS(w),
  execute: () => "done",
  needsApproval: () => false,
  images: true,
  ...BOUNDS(),
  ...WATCH(),
});
const AGENT = () => ({ name: "agent", instructions: "i", model: "m", tools: [], toolUseBehavior: "run_llm_again" });
const RUN_OPTIONS = () => ({ toolNotFoundBehavior: "raise_error", toolErrorFormatter: () => "x", maxTurns: 3 });

/** Opens a door, uses and closes it. */
async function withDoor(open, use = () => {}) {
  const door = await open;
  try {
    return await use(door);
  } finally {
    await door.close();
  }
}

export const targets = [
  on(
    "ai-sdk.siftTools",
    (w) => [w.sift, { tools: AI_TOOLS(w), execute: () => "done", needsApproval: () => false, ...BOUNDS() }],
    (w, ...args) => w.aiSdk.siftTools(...args),
    HOST,
  ),
  on(
    "SiftedTools#for",
    (w) => [
      w.session,
      {
        prepareStep: () => ({}),
        stopWhen: [() => false],
        repairToolCall: () => null,
        system: "s",
        activeTools: ["good"],
        ...WATCH(),
      },
    ],
    (w, ...args) => w.sifted.for(...args),
  ),
  on(
    "ai-sdk.toolsift",
    (w) => [doorOf({ tools: AI_TOOLS(w), needsApproval: () => false, prefetch: true })],
    (w, options) => withDoor(w.aiSdk.toolsift(options)),
    HOST,
  ),
  on(
    "AiSdkSift#with",
    (w) => [
      "s",
      {
        model: modelOf(END()),
        prompt: "hi",
        tools: AI_TOOLS(w),
        prepareStep: () => ({}),
        stopWhen: [() => false],
        activeTools: ["own"],
        system: "s",
      },
    ],
    (w, ...args) => withDoor(w.aiSdk.toolsift({ activation: "on" }), (door) => door.with(...args)),
    HOST,
  ),

  on(
    "ai-sdk-middleware.siftMiddleware",
    () => [MIDDLEWARE()],
    (w, options) => generated(w, options, PARAMS(), modelOf(GENERATED())),
    { ...HOST, ...SAYS, about: "options" },
  ),

  on(
    "langchain.siftMiddleware",
    (w) => [w.sift, LC(w)],
    (w, ...args) => w.langchain.siftMiddleware(...args),
    HOST,
  ),
  on(
    "langchain.siftGraph",
    (w) => [w.sift, LC(w)],
    (w, ...args) => w.langchain.siftGraph(...args),
    HOST,
  ),
  on(
    "SiftGraph#request",
    (w) => [LC_MESSAGES(w), LC_RUN()],
    (w, ...args) => w.parts.request(...args),
  ),
  on(
    "SiftGraph#stuck",
    (w) => [{ messages: LC_MESSAGES(w) }],
    (w, input) => w.parts.stuck(input),
  ),
  on(
    "langchain.toolsift",
    (w) => [doorOf({ tools: LC_TOOLS(w).slice(0, 1), session: () => "s", handleToolErrors: true })],
    (w, options) => withDoor(w.langchain.toolsift(options)),
    HOST,
  ),

  on(
    "mastra.siftProcessor",
    (w) => [w.sift, MASTRA(w)],
    (w, ...args) => w.mastra.siftProcessor(...args),
    HOST,
  ),
  on(
    "mastra.threadSessionId",
    () => ["thread", "resource"],
    (w, ...args) => w.mastra.threadSessionId(...args),
  ),
  on(
    "mastra.toolsift",
    (w) => [doorOf({ tools: MASTRA_TOOLS(w), session: () => "s" })],
    (w, options) => withDoor(w.mastra.toolsift(options)),
    HOST,
  ),
  on(
    "MastraSift#with",
    () => [{ id: "a", name: "a", instructions: "i", model: "openai/m", tools: {}, inputProcessors: [] }],
    (w, settings) => withDoor(w.mastra.toolsift({ activation: "on" }), (door) => door.with(settings)),
    HOST,
  ),

  on(
    "openai-agents.siftAgents",
    (w) => [w.sift, AGENTS(w)],
    (w, ...args) => w.agents.siftAgents(...args),
    HOST,
  ),
  on(
    "SiftAgents#runOptions",
    () => [RUN_OPTIONS()],
    (w, options) => w.agents.siftAgents(w.sift, { execute: () => "done" }).runOptions(options),
    HOST,
  ),
  on(
    "openai-agents.fromAgentItems",
    (w) => [
      w.session,
      [
        { type: "function_call", callId: "1", name: "search_tools", arguments: '{"query":"message"}' },
        { type: "function_call_result", callId: "1", output: [{ type: "text", text: "Loaded.\n- send_message(text)" }] },
      ],
    ],
    (w, ...args) => w.agents.fromAgentItems(...args),
  ),
  on(
    "openai-agents.toolsift",
    (w) => [doorOf({ tools: AGENT_TOOLS(w), needsApproval: () => false, images: true })],
    (w, options) => withDoor(w.agents.toolsift(options)),
    HOST,
  ),
  on(
    ["AgentsSift#with", "AgentsSift#runOptions"],
    () => ["s", AGENT(), RUN_OPTIONS()],
    (w, session, settings, options) =>
      withDoor(w.agents.toolsift({ activation: "on" }), (door) => [door.with(session, settings), door.runOptions(options)]),
    HOST,
  ),
];
