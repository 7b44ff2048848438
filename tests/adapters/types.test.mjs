/**
 * Tests that strict programs compile without a cast, with every adapter and each version of its SDK. The programs are in the
 * folder `types`: types are inferred, and misspelt or wrong values do not compile.
 */

import { readFileSync } from "node:fs";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { MCP } from "./lib/doorway.mjs";
import { google } from "./lib/drives/google.mjs";
import { LANGCHAIN } from "./lib/drives/langchain.mjs";
import { openaiAgents } from "./lib/drives/openai-agents.mjs";
import { SDKS } from "./lib/mcp.mjs";
import { MAJORS } from "./lib/mock-model.mjs";
import { compiles } from "./lib/strict.mjs";

/** Some programs as one. */
const read = (...names) =>
  names.map((name) => readFileSync(new URL(`types/${name}.mts`, import.meta.url), "utf8")).join("\n");
const loose = { exact: false };
const sdk = (name) => ({ [name]: name });

for (const { label, major, packages } of MAJORS) {
  const named = (name) => (major === 7 ? [name, `${name}-7`] : [name]);
  compiles(`${label}: AI SDK`, read(...named("ai-sdk")), packages);
  compiles(`${label}: AI SDK's door`, read(...named("ai-sdk-door")), { ...packages, ...MCP });
  // AI SDK's own type of a message has no outputs where optional properties are exact.
  const messages = read(...named("ai-sdk-door"), "ai-sdk-door-messages");
  compiles(`${label}: the messages of an agent have its tools`, messages, { ...packages, ...MCP }, loose);
  compiles(`${label}: the middleware`, read("ai-sdk-middleware"), packages);
}

// LangChain's own type is not taken by `createAgent` where optional properties are exact.
const withoutHuman = (program) => program.replace(/,\s*humanInTheLoopMiddleware\(\{ interruptOn: \{ tide: true \} \}\)/, "");
compiles("Mastra, whose model is wrapped", read("mastra"), {
  ...MAJORS[0].packages,
  ...sdk("@mastra/core"),
  ...sdk("@ai-sdk/openai"),
});
for (const [name, packages] of Object.entries({ langchain: LANGCHAIN, "langchain-door": { ...LANGCHAIN, ...MCP } })) {
  compiles(`${name}`, read(name), packages, loose);
  compiles(`${name}, where optional properties are exact`, withoutHuman(read(name)), packages);
}

for (const extension of ["mts", "cts"]) {
  for (const packages of allOrLast(openaiAgents.versions)) {
    compiles(`a .${extension} with ${packages["@openai/agents"]}`, read("openai-agents"), packages, { extension });
  }
}

for (const packages of allOrLast(google.versions)) compiles(packages["@google/genai"], read("google"), packages);
for (const [name, of] of Object.entries({ openai: "openai", anthropic: "@anthropic-ai/sdk", google: "@google/genai" })) {
  compiles(`${name}'s door`, read(`${name}-door`, "own-tools"), { ...sdk(of), ...MCP });
}

const NAMES = ["@anthropic-ai/sdk", "@google/genai", "@modelcontextprotocol/client", "@modelcontextprotocol/sdk", "openai"];
const newest = Object.assign({}, ...[...NAMES, "arktype", "valibot", "@valibot/to-json-schema"].map(sdk));
compiles("the newest SDKs together", read("sdks"), newest);
compiles("the majors before", read("sdks"), { ...newest, openai: "openai-6", "@google/genai": "genai-2" });

for (const { label, packages, module } of SDKS) {
  compiles(`MCP ${label}`, read("mcp").replace("@modelcontextprotocol/client", module), packages);
}
