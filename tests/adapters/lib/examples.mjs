/** An application with every SDK at its newest and two real MCP servers, in which examples run as they stand. */

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { allDrives } from "./all.mjs";
import { appWith } from "./app.mjs";

/** Packages of the examples that no adapter's tests name, and the programs that npx is to find. */
const MORE = { "@ai-sdk/openai": "@ai-sdk/openai-4", "@mastra/core": "@mastra/core" };
const PROGRAMS = ["memory", "filesystem"];

/** The environment in which an SDK finds its vendor. */
export const environment = (url) => ({
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: "none",
  OLLAMA_URL: `${url}/v1`,
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: "none",
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_API_KEY: "none",
  GOOGLE_API_KEY: undefined,
  MASTRA_TELEMETRY_DISABLED: "1",
  npm_config_offline: "true",
});

let made;

/** One application for all examples, with every SDK at its newest. */
export function application() {
  made ??= (async () => {
    const packages = Object.assign({}, ...(await allDrives()).map(({ versions }) => versions.at(-1)), MORE);
    for (const name of PROGRAMS) packages[`@modelcontextprotocol/server-${name}`] = `@modelcontextprotocol/server-${name}`;
    packages["@modelcontextprotocol/sdk"] = "@modelcontextprotocol/sdk";
    const app = await appWith(packages);
    const bin = join(app.folder, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    for (const name of PROGRAMS)
      symlinkSync(`../@modelcontextprotocol/server-${name}/dist/index.js`, join(bin, `mcp-server-${name}`));
    return app;
  })();
  return made;
}
