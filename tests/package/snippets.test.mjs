/**
 * Compiles every snippet of the documents and every file of examples/ in a strict project with the packed package and all
 * SDKs.
 *
 * A `ts` block is compiled as TypeScript, a `js` block as JavaScript with checked types, each as a module. In a `js` block,
 * which has no annotations, a parameter may have any type; for the examples there is no such exception. An excerpt uses
 * names that it does not declare: `NAMES` declares them, for all pages and for single pages.
 */

import assert from "node:assert/strict";
import { cpSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";
import { allDrives } from "../adapters/lib/all.mjs";
import { appWith } from "../adapters/lib/app.mjs";
import { compiled } from "../adapters/lib/compiled.mjs";

const DOCS = readdirSync(at("docs"), { recursive: true }).filter((name) => name.endsWith(".md"));
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "examples/worker/README.md",
  "examples/adapters/README.md",
  "examples/proxy/README.md",
  ...DOCS.map((name) => `docs/${name}`),
];

/** What excerpts take as given: the first on every page, the others on theirs. */
const NAMES = {
  "": `
    const sift: import("toolsift").ToolSift;
    const session: import("toolsift").Session;
    const servers: import("toolsift/mcp").McpServers;
    const execute: import("toolsift").Execute;
    const scope: import("toolsift").Scope;
  `,
  "docs/adapters/ai-sdk.md": `
    const weather: import("ai").Tool<{ city: string }, string>;
    const calendar: import("ai").Tool<{ day: string }, string>;
    const system: string;
    const model: import("ai").LanguageModel;
    const sifted: import("toolsift/ai-sdk").SiftedTools<{ weather: typeof weather; calendar: typeof calendar }>;
  `,
  "docs/adapters/ai-sdk-middleware.md": `
    const tools: import("ai").ToolSet;
  `,
  "docs/adapters/langchain.md": `
    const model: import("@langchain/openai").ChatOpenAI;
    const tools: import("@langchain/core/tools").StructuredTool[];
    const checkpointer: import("@langchain/langgraph").MemorySaver;
  `,
  "docs/adapters/openai-agents.md": `
    const tools: import("toolsift").ToolList;
    const memory: import("@openai/agents").Session;
    const fromAgentItems: typeof import("toolsift/openai-agents").fromAgentItems;
  `,
  "docs/adapters/your-own.md": `
    const acme: typeof import("./4.mjs").acme;
    const client: Parameters<typeof acme>[0];
    const instructions: string;
    const messages: { role: string; text: string }[];
  `,
  "docs/mcp-trust.md": `
    const tools: import("toolsift").ToolList;
    const savedPins: import("toolsift").ToolPin[] | undefined;
    const approved: (tool: import("toolsift").QuarantinedTool) => Promise<boolean>;
    const save: (pins: import("toolsift").ToolPin[]) => Promise<void>;
  `,
  "docs/deploy.md": `
    const ToolSift: typeof import("toolsift").ToolSift;
    const githubTools: import("toolsift").ToolList;
    const slackTools: import("toolsift").ToolList;
    const bytes: Uint8Array;
  `,
  "docs/enrichment.md": `
    const tools: import("toolsift").ToolList;
    const model: import("ai").LanguageModel;
    const earlierText: string;
  `,
  "docs/guide.md": `
    const clients: Record<string, import("@modelcontextprotocol/sdk/client/index.js").Client>;
  `,
  "docs/search.md": `
    const tools: import("toolsift").ToolList;
    const toolsift: typeof import("toolsift/mcp").toolsift;
    function relevanceOf(query: string, texts: string[], signal: AbortSignal): Promise<number[]>;
  `,
  "docs/skills.md": `
    const toolsift: typeof import("toolsift/ai-sdk").toolsift;
    const description: string;
    const text: string;
    const mcpServers: Record<string, { command: string }>;
  `,
  "docs/sessions.md": `
    const tools: import("toolsift").ToolList;
    const adasClient: import("toolsift/mcp").McpClient;
    const adasToken: string;
    const serversOf: Map<string, import("toolsift/mcp").McpServers>;
    const everybodys: Record<string, { url: string }>;
    const model: import("ai").LanguageModel;
    type Dispatch = import("toolsift").Dispatch;
    const store: import("toolsift/store").SessionStore;
    const message: string;
    function runAgent(session: import("toolsift").Session, message: string): Promise<string>;
  `,
};

/** Modules that only a platform has, and the variables of the environment that are set. */
const MODULES = `
  declare module "cloudflare:workers" { export const env: { SESSIONS: string } }
  declare namespace NodeJS { interface ProcessEnv { GEMINI_API_KEY: string; OPENAI_API_KEY: string; REDIS_URL: string } }
`;

const SDKS = {
  "@ai-sdk/openai": "@ai-sdk/openai-4",
  "@langchain/openai": "@langchain/openai",
  "@mastra/core": "@mastra/core",
  "@modelcontextprotocol/client": "@modelcontextprotocol/client",
  "@modelcontextprotocol/sdk": "@modelcontextprotocol/sdk",
  "@opentelemetry/api": "@opentelemetry/api",
  "@types/node": "@types/node",
  ioredis: "ioredis",
  unstorage: "unstorage",
};

const OPTIONS = {
  allowJs: true,
  exactOptionalPropertyTypes: true,
  checkJs: true,
  types: ["node"],
  lib: ["es2023", "esnext.disposable", "dom", "dom.iterable"],
};

/** An application with every SDK at its newest. */
const application = async () =>
  appWith({ ...Object.assign({}, ...(await allDrives()).map(({ versions }) => versions.at(-1))), ...SDKS });

/** What the compiler says, by the names of the files in the folder. */
const said = (text, folder) => text.replaceAll(/^\S*?(?=snippets\/|examples\/)/gm, "").replaceAll(folder, "");

/** Whether a module binds a name itself, by a declaration, a pattern or an import. */
const declares = (code, name) =>
  new RegExp(`^(?:export )?(?:const|let|import|class|type|interface|(?:async )?function)\\b[^=;()]*\\b${name}\\b`, "m").test(
    code,
  );

/** The blocks of a page as files, each with the names that it takes as given, and the file that has these. */
function filesOf(page) {
  const blocks = [...readFileSync(at(page), "utf8").matchAll(/^```(js|ts)\n(.*?)^```/gms)];
  const folder = `snippets/${page}`;
  const given = `${NAMES[""]}${NAMES[page] ?? ""}`;
  const names = [...given.matchAll(/(?:const|function|type) (\w+)/g)].map(([, name]) => name);
  const files = blocks.map(([, language, code], place) => {
    const bare = code.replaceAll(/"[^"\n]*"/g, '""');
    const taken = names.filter((name) => new RegExp(`\\b${name}\\b`).test(bare) && !declares(bare, name));
    const from = taken.length > 0 ? `import { ${taken.join(", ")} } from "./names.mjs";` : "";
    return [`${folder}/${place + 1}.m${language}`, `${from}\n${code}\nexport {};\n`];
  });
  return {
    files: Object.fromEntries(files),
    beside: { [`${folder}/names.d.mts`]: given.replace(/^ +(?=\w)/gm, "export ") },
  };
}

/** Every example, in the folder of the application. */
function examplesIn(folder) {
  cpSync(at("examples", "adapters"), join(folder, "examples"), { recursive: true });
  const names = readdirSync(at("examples", "adapters")).filter((name) => /\.m?[jt]s$/.test(name));
  return Object.fromEntries(
    names.map((name) => [`examples/${name}`, readFileSync(at("examples", "adapters", name), "utf8")]),
  );
}

/** What a snippet in JavaScript may do and an example may not: leave it to the compiler what a parameter is. */
const IMPLICIT = /^snippets\/\S+\.mjs\S* error TS70\d\d: .*\n( .*\n)*/gm;

test("every snippet and every example compiles", async () => {
  const { folder } = await application();
  const servers = readFileSync(at("examples", "adapters", "servers.mjs"), "utf8");
  const files = { "snippets/modules.d.ts": MODULES, ...examplesIn(folder) };
  for (const page of PAGES) {
    const own = filesOf(page);
    Object.assign(files, own.files, own.beside, { [`snippets/${page}/servers.mjs`]: servers });
  }
  assert.equal(said(compiled(folder, files, OPTIONS), folder).replaceAll(IMPLICIT, ""), "");
});
