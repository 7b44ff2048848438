/** The adapters for frameworks: AI SDK and its middleware, LangChain, Mastra, OpenAI's agents. */

import { on } from "../lib/target.mjs";
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
  const [aiSdk, middleware, langchain, mastra, agents] = await Promise.all(
    ["ai-sdk", "ai-sdk-middleware", "langchain", "mastra", "openai-agents"].map((name) => app.load(`toolsift/${name}`)),
  );
  const [ai, lc, mastraTools, openaiAgents, { z }] = await Promise.all(
    ["ai", "langchain", "@mastra/core/tools", "@openai/agents", "zod"].map(app.load),
  );
  return { aiSdk, middleware, langchain, mastra, agents, ai, lc, mastraTools, openaiAgents, z };
}

export async function world(app) {
  loaded ??= load(app);
  const inside = await core(app);
  const sdks = await loaded;
  const sifted = await sdks.aiSdk.siftTools(inside.sift, { execute: () => "done" });
  const parts = sdks.langchain.siftGraph(inside.sift, { execute: () => "done" });
  return { ...inside, ...sdks, sifted, parts, answers: () => catalogOf(inside.sift) };
}

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

/** A model of AI SDK's that answers with a call, and then ends. */
function model() {
  let asked = 0;
  const doGenerate = async () => (asked++ === 0 ? GENERATED() : END());
  return { specificationVersion: "v3", provider: "p", modelId: "m", doGenerate };
}

function generated(w, options) {
  const one = model();
  return w.middleware.siftMiddleware(options).wrapGenerate({ model: one, params: PARAMS(), doGenerate: one.doGenerate });
}
const MIDDLEWARE = () => ({ sift: { activation: "on" }, maxRounds: 2, maxTools: 50, onEvent: () => {}, ...RANK() });

const LC_TOOLS = ({ lc, z }) => [
  lc.tool(() => "done", { name: "own", description: "d", schema: z.object({ text: z.string() }) }),
];
const LC = (w) => ({
  tools: LC_TOOLS(w),
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
    HOST,
  ),
  on("SiftedTools#for", (w) => [
    w.session,
    {
      prepareStep: () => ({}),
      stopWhen: [() => false],
      repairToolCall: () => null,
      system: "s",
      activeTools: ["good"],
      ...WATCH(),
    },
  ]),
  on("ai-sdk.toolsift", (w) => [doorOf({ tools: AI_TOOLS(w), needsApproval: () => false, prefetch: true })], {
    ...HOST,
    run: (w, options) => withDoor(w.aiSdk.toolsift(options)),
  }),
  on(
    "AiSdkSift#with",
    (w) => [
      "s",
      {
        model: model(),
        prompt: "hi",
        tools: AI_TOOLS(w),
        prepareStep: () => ({}),
        stopWhen: [() => false],
        activeTools: ["own"],
        system: "s",
      },
    ],
    { ...HOST, run: (w, ...args) => withDoor(w.aiSdk.toolsift({ activation: "on" }), (door) => door.with(...args)) },
  ),

  on("ai-sdk-middleware.siftMiddleware", () => [MIDDLEWARE()], {
    ...HOST,
    ...SAYS,
    about: "options",
    run: generated,
  }),

  on("langchain.siftMiddleware", (w) => [w.sift, LC(w)], HOST),
  on("langchain.siftGraph", (w) => [w.sift, LC(w)], HOST),
  on("SiftGraph#request", (w) => [LC_MESSAGES(w), LC_RUN()]),
  on("SiftGraph#stuck", (w) => [{ messages: LC_MESSAGES(w) }]),
  on("langchain.toolsift", (w) => [doorOf({ tools: LC_TOOLS(w), session: () => "s", handleToolErrors: true })], {
    ...HOST,
    run: (w, options) => withDoor(w.langchain.toolsift(options)),
  }),

  on("mastra.siftProcessor", (w) => [w.sift, MASTRA(w)], HOST),
  on("mastra.threadSessionId", () => ["thread", "resource"]),
  on("mastra.toolsift", (w) => [doorOf({ tools: MASTRA_TOOLS(w), session: () => "s" })], {
    ...HOST,
    run: (w, options) => withDoor(w.mastra.toolsift(options)),
  }),
  on(
    "MastraSift#with",
    () => [{ id: "a", name: "a", instructions: "i", model: "openai/m", tools: {}, inputProcessors: [] }],
    { ...HOST, run: (w, settings) => withDoor(w.mastra.toolsift({ activation: "on" }), (door) => door.with(settings)) },
  ),

  on("openai-agents.siftAgents", (w) => [w.sift, AGENTS(w)], HOST),
  on("SiftAgents#runOptions", () => [RUN_OPTIONS()], {
    ...HOST,
    run: (w, options) => w.agents.siftAgents(w.sift, { execute: () => "done" }).runOptions(options),
  }),
  on("openai-agents.fromAgentItems", (w) => [
    w.session,
    [
      { type: "function_call", callId: "1", name: "search_tools", arguments: '{"query":"message"}' },
      { type: "function_call_result", callId: "1", output: [{ type: "text", text: "Loaded.\n- send_message(text)" }] },
    ],
  ]),
  on("openai-agents.toolsift", (w) => [doorOf({ tools: AGENT_TOOLS(w), needsApproval: () => false, images: true })], {
    ...HOST,
    run: (w, options) => withDoor(w.agents.toolsift(options)),
  }),
  on(["AgentsSift#with", "AgentsSift#runOptions"], () => ["s", AGENT(), RUN_OPTIONS()], {
    ...HOST,
    run: (w, session, settings, options) =>
      withDoor(w.agents.toolsift({ activation: "on" }), (door) => [door.with(session, settings), door.runOptions(options)]),
  }),
];
