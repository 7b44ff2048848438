/**
 * The clients that `npm run clients` plays, with their pinned versions.
 *
 * Each row has the `client`, its name in lab/REPORT.md; its `language`; and the `wires`, the APIs over which it is played.
 * `packages` are exact versions from PyPI or npm. The first one, or the one with the client's name, is the client itself;
 * `ours` is a devDependency of this repository. `program` is its file in the language's folder; a client without a program
 * uses its agent in tests/proxy/lib/clients. `ends` is the call that ends a run, if the framework has such a call. With
 * `another`, a second agent then has the last words. `streams` means that a client always streams.
 */

import { VENDORS } from "../../tests/proxy/lib/clients/packages.mjs";

/** The last text of every conversation. */
export const LAST_WORDS = "All done.";

/** The OpenAI package that the frameworks use. */
const OPENAI = { package: "openai", version: "3.57.0" };
const ANTHROPIC = { package: "anthropic", version: "2.13.0" };

export const CLIENTS = [
  { client: "openai", language: "Python", wires: ["chat", "responses"], packages: VENDORS },
  { client: "anthropic", language: "Python", wires: ["messages"], packages: VENDORS },
  {
    client: "litellm",
    language: "Python",
    wires: ["chat", "messages"],
    program: "litellm.py",
    packages: [{ package: "litellm", version: "1.110.2" }],
  },
  {
    client: "pydantic-ai",
    language: "Python",
    wires: ["chat", "responses", "messages"],
    program: "pydantic_ai.py",
    packages: [{ package: "pydantic-ai-slim", extras: "openai,anthropic", version: "2.68.0" }, OPENAI, ANTHROPIC],
    ends: { name: "final_result", args: { text: LAST_WORDS } },
  },
  {
    client: "openai-agents",
    language: "Python",
    wires: ["chat", "responses"],
    program: "openai_agents.py",
    packages: [{ package: "openai-agents", version: "0.24.0" }, OPENAI],
    ends: { name: "transfer_to_writer", args: {}, another: true },
  },
  {
    client: "langgraph",
    language: "Python",
    wires: ["chat", "responses"],
    program: "langgraph.py",
    packages: [{ package: "langgraph", version: "1.2.24" }, { package: "langchain-openai", version: "1.7.4" }, OPENAI],
  },
  {
    client: "smolagents",
    language: "Python",
    wires: ["chat"],
    program: "smolagents.py",
    packages: [{ package: "smolagents", extras: "openai", version: "1.26.0" }, OPENAI],
    ends: { name: "final_answer", args: { answer: LAST_WORDS } },
  },
  {
    client: "google-genai",
    language: "Python",
    wires: ["gemini"],
    program: "google_genai.py",
    packages: [{ package: "google-genai", version: "3.6.1" }],
  },
  {
    client: "autogen",
    language: "Python",
    wires: ["chat"],
    program: "autogen.py",
    packages: [
      { package: "autogen-ext", extras: "openai", version: "0.7.5" },
      { package: "autogen-agentchat", version: "0.7.5" },
      OPENAI,
    ],
  },
  { client: "openai", language: "JavaScript", wires: ["chat", "responses"], ours: "openai" },
  { client: "openai, `runTools`", language: "JavaScript", wires: ["chat"], program: "run-tools.mjs", ours: "openai" },
  { client: "@anthropic-ai/sdk", language: "JavaScript", wires: ["messages"], ours: "@anthropic-ai/sdk" },
  { client: "@google/genai", language: "JavaScript", wires: ["gemini"], ours: "@google/genai" },
  { client: "@ai-sdk/openai", language: "JavaScript", wires: ["chat", "responses"], ours: "@ai-sdk/openai-4" },
  {
    client: "@ai-sdk/openai-compatible",
    language: "JavaScript",
    wires: ["chat"],
    program: "openai-compatible.mjs",
    packages: [
      { package: "@ai-sdk/openai-compatible", version: "3.0.92" },
      { package: "ai", version: "7.0.173" },
    ],
  },
  {
    client: "@langchain/openai",
    language: "JavaScript",
    wires: ["chat", "responses"],
    program: "langchain.mjs",
    ours: "@langchain/openai",
  },
  {
    client: "LlamaIndex",
    language: "JavaScript",
    wires: ["chat"],
    program: "llamaindex.mjs",
    packages: [
      { package: "llamaindex", version: "0.12.1" },
      { package: "@llamaindex/openai", version: "0.4.23" },
      { package: "@llamaindex/workflow", version: "1.1.25" },
    ],
    streams: "always",
  },
  { client: "Mastra's model router", language: "JavaScript", wires: ["chat"], program: "mastra.mjs", ours: "@mastra/core" },
];
