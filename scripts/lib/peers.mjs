/** Lists the supported SDKs: the packages that an application installs with each, and the tests that must pass with it. */

const adapter = (name) => `tests/adapters/${name}.test.mjs`;

/** Returns the version of the OpenAI provider that fits the major version of AI SDK. */
const providerOf = (version) => ({ "@ai-sdk/openai": version.startsWith("6.") ? "^3.0.0" : "^4.0.0" });

const LANGCHAIN = { "@langchain/openai": "^1.0.0", "@langchain/core": "^1.0.0", "@langchain/langgraph": "^1.0.0" };

/**
 * For each SDK: `beside(version)` returns the packages that are installed with it, with their version ranges; `tests` are
 * the test files to run.
 */
export const SETS = {
  "@anthropic-ai/sdk": { tests: ["anthropic", "anthropic-messages"].map(adapter) },
  "@google/genai": { tests: ["google", "google-replies"].map(adapter) },
  "@langchain/core": {
    // Later releases of these packages need a newer core, and so does the checkpointer that earlier releases install.
    beside: (_version, isFloor) => (isFloor ? { "@langchain/langgraph": "1.3.0", "@langchain/openai": "1.0.0" } : LANGCHAIN),
    tests: [adapter("langgraph")],
  },
  "@langchain/langgraph": { beside: () => LANGCHAIN, tests: [adapter("langgraph")] },
  langchain: { beside: () => LANGCHAIN, tests: ["langchain", "langchain-threads"].map(adapter) },
  "@modelcontextprotocol/client": { tests: ["mcp-lists", "mcp-trouble"].map(adapter) },
  "@modelcontextprotocol/server": {
    tests: ["gateway", "gateway-questions", "gateway-servers"].map((name) => `tests/cli/${name}.test.mjs`),
  },
  "@modelcontextprotocol/sdk": { tests: ["mcp-lists", "mcp-trouble"].map(adapter) },
  "@openai/agents": { tests: [adapter("openai-agents")] },
  ai: { beside: providerOf, tests: [adapter("ai-sdk")] },
  openai: { tests: [adapter("openai")] },
  unstorage: { tests: ["lifetime", "merging", "torn"].map((name) => `tests/store/${name}.test.mjs`) },
};
