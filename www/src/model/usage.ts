/** Writes the code and the configuration that put the playground's settings to use. */
import type { ToolSiftOptions } from "toolsift";

/** A list of tools as the code gets to it. */
export interface CodeServer {
  server: string;
  /** The file that it came from. */
  from: string;
  /** `package@version` of a server, or its URL; null where neither is known. */
  start: string | null;
  /** They are the host's own functions. */
  functions: boolean;
}

/** What the code is for. */
export type Sdk =
  | "ai-sdk"
  | "openai"
  | "openai-responses"
  | "anthropic"
  | "google"
  | "langchain"
  | "mastra"
  | "openai-agents"
  | "fetch"
  | "core";

interface SdkInfo {
  title: string;
  /** What is installed beside toolsift. */
  packages: string[];
  /** The entry of toolsift. */
  entry: string;
  imports: string[];
  /** What is done with `sift`. */
  body: string[];
}

const QUESTION = '"What is new?"';
const MESSAGES = `const messages = [{ role: "user" as const, content: ${QUESTION} }];`;

/** SDKs for which `toolsift()` opens the servers. */
type OneCall = Exclude<Sdk, "fetch" | "core">;

const CODE: Record<OneCall, SdkInfo> = {
  "ai-sdk": {
    title: "AI SDK",
    packages: ["ai", "@ai-sdk/openai"],
    entry: "toolsift/ai-sdk",
    imports: ['import { openai } from "@ai-sdk/openai";', 'import { generateText } from "ai";'],
    body: [`const { text } = await generateText(sift.with("chat-42", { model: openai("gpt-5.4"), prompt: ${QUESTION} }));`],
  },
  openai: {
    title: "OpenAI Chat",
    packages: ["openai"],
    entry: "toolsift/openai",
    imports: ['import OpenAI from "openai";'],
    body: [MESSAGES, 'const { text } = await sift.run("chat-42", new OpenAI(), { model: "gpt-5.4", messages });'],
  },
  "openai-responses": {
    title: "OpenAI Responses",
    packages: ["openai"],
    entry: "toolsift/openai",
    imports: ['import OpenAI from "openai";'],
    body: [
      `const input = [{ role: "user" as const, content: ${QUESTION} }];`,
      'const { text } = await sift.runResponses("chat-42", new OpenAI(), { model: "gpt-5.4", input });',
    ],
  },
  anthropic: {
    title: "Anthropic",
    packages: ["@anthropic-ai/sdk"],
    entry: "toolsift/anthropic",
    imports: ['import Anthropic from "@anthropic-ai/sdk";'],
    body: [
      MESSAGES,
      'const params = { model: "claude-opus-5-5", max_tokens: 4096, messages };',
      'const { text } = await sift.run("chat-42", new Anthropic(), params);',
    ],
  },
  google: {
    title: "Google",
    packages: ["@google/genai"],
    entry: "toolsift/google",
    imports: ['import { GoogleGenAI } from "@google/genai";'],
    body: [
      `const contents = [{ role: "user", parts: [{ text: ${QUESTION} }] }];`,
      'const { text } = await sift.run("chat-42", new GoogleGenAI({}), { model: "gemini-3.8-flash", contents });',
    ],
  },
  langchain: {
    title: "LangChain",
    packages: ["langchain", "@langchain/openai"],
    entry: "toolsift/langchain",
    imports: ['import { createAgent } from "langchain";'],
    body: [
      'const agent = createAgent(sift.with({ model: "openai:gpt-5.4" }));',
      `const { messages } = await agent.invoke({ messages: ${QUESTION} }, { configurable: { thread_id: "chat-42" } });`,
      "const text = messages.at(-1)?.text;",
    ],
  },
  mastra: {
    title: "Mastra",
    packages: ["@mastra/core"],
    entry: "toolsift/mastra",
    imports: ['import { Agent } from "@mastra/core/agent";'],
    body: [
      'const agent = new Agent(sift.with({ id: "helper", name: "Helper", instructions: "Be kind.", model: "openai/gpt-5.4" }));',
      `const { text } = await agent.generate(${QUESTION});`,
    ],
  },
  "openai-agents": {
    title: "OpenAI Agents",
    packages: ["@openai/agents"],
    entry: "toolsift/openai-agents",
    imports: ['import { Agent, run } from "@openai/agents";'],
    body: [
      'const agent = new Agent(sift.with("chat-42", { name: "Helper", instructions: "Be kind." }));',
      `const { finalOutput: text } = await run(agent, ${QUESTION});`,
    ],
  },
};

export const SDKS: Record<Sdk, string> = {
  ...(Object.fromEntries(Object.entries(CODE).map(([sdk, { title }]) => [sdk, title])) as Record<OneCall, string>),
  fetch: "Tools of your own",
  core: "No SDK",
};

/** What is typed before the code runs. */
export function installLine(sdk: Sdk): string {
  if (sdk === "fetch") return "npm install toolsift openai";
  const more = sdk === "core" ? [] : CODE[sdk].packages;
  return ["npm install toolsift", "@modelcontextprotocol/client", ...more].join(" ");
}

/** A TypeScript program for an SDK, with these options and these servers. */
export function codeFor(sdk: Sdk, options: ToolSiftOptions, servers: readonly CodeServer[], format: string): string {
  if (sdk === "core") return coreCode(options, servers, format);
  if (sdk === "fetch") return fetchCode(options);
  const { entry, imports, body } = CODE[sdk];
  const own = servers.filter(({ functions }) => functions);
  const given = [`  mcpServers: ${indented(serversText(servers, literal), 2)},`, ...optionLines(options)];
  if (own.length > 0) given.push(...EXECUTE);
  return [
    ...(own.length > 0 ? ['import { readFileSync } from "node:fs";'] : []),
    ...imports,
    `import { toolsift } from "${entry}";`,
    "",
    "const sift = await toolsift({",
    ...given,
    "});",
    ...own.map(({ from }) => `sift.register(JSON.parse(readFileSync(${JSON.stringify(from)}, "utf8")));`),
    ...(body.join().includes("chat-42") ? ["// An id for each conversation: what it has loaded stays loaded in it."] : []),
    ...body,
    "console.log(text);",
    "await sift.close();",
    "",
  ].join("\n");
}

/** Runs the host's own tools. */
const EXECUTE = ["  execute: ({ name }) => {", "    throw new Error(`put here what runs ${name}`);", "  },"];

/** For an agent that has its tools and its loop already: the client's `fetch` holds the tools back. */
function fetchCode(options: ToolSiftOptions): string {
  const lines = optionLines(options).map((line) => `  ${indented(line, 2)}`);
  const given = lines.length === 0 ? "" : ["{", "  sift: {", ...lines, "  },", "}"].join("\n");
  return [
    'import { readFileSync } from "node:fs";',
    'import OpenAI from "openai";',
    'import { siftFetch } from "toolsift/proxy";',
    "",
    `const client = new OpenAI({ fetch: siftFetch(${given}) });`,
    "",
    "// Everything else stays: the agent sends all its tools, and calls come back under their own names.",
    'const tools = JSON.parse(readFileSync("tools.json", "utf8"));',
    MESSAGES,
    'const reply = await client.chat.completions.create({ model: "gpt-5.4", messages, tools });',
    "console.log(reply.choices[0]?.message);",
    "",
  ].join("\n");
}

function coreCode(options: ToolSiftOptions, servers: readonly CodeServer[], format: string): string {
  const lines = optionLines(options);
  const [first] = servers;
  return [
    'import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";',
    'import { ToolSift } from "toolsift";',
    "",
    'const client = new Client({ name: "agent", version: "1.0.0" });',
    `await client.connect(new StreamableHTTPClientTransport(new URL(${JSON.stringify(urlOf(first))})));`,
    "",
    lines.length === 0 ? "const sift = new ToolSift();" : ["const sift = new ToolSift({", ...lines, "});"].join("\n"),
    `sift.register((await client.listTools()).tools, { server: ${JSON.stringify(first?.server ?? "github")} });`,
    "",
    "// What a conversation has loaded stays loaded in it.",
    'const session = sift.session("chat-42");',
    "// Before each request: send these to the model.",
    `const { tools, systemPrompt } = session.assemble({ format: ${JSON.stringify(format)} });`,
    "// For each call of the model: an answer for it, a tool to run, or a refusal.",
    'const outcome = session.call("search_tools", { query: "open a ticket" });',
    "console.log(tools, systemPrompt, outcome);",
    "",
  ].join("\n");
}

function urlOf(server: CodeServer | undefined): string {
  return server?.start && isUrl(server.start) ? server.start : "http://localhost:3000/mcp";
}

function optionLines(options: ToolSiftOptions): string[] {
  return Object.entries(options).map(([key, value]) => `  ${key}: ${indented(literal(value, 100 - key.length), 2)},`);
}

/** The servers as a configuration writes them; `write` is the notation. */
function serversText(servers: readonly CodeServer[], write: (value: unknown, room: number) => string): string {
  const named = servers.filter(({ functions }) => !functions);
  const shown = servers.length > 0 ? named : [{ server: "memory", start: "@modelcontextprotocol/server-memory@latest" }];
  return write(Object.fromEntries(shown.map((one) => [one.server, entryOf(one)])), 0);
}

/** Servers of which the reader has to say how they are started. */
export function blanksIn(servers: readonly CodeServer[]): string[] {
  return servers.filter(({ start, functions }) => start === null && !functions).map(({ server }) => server);
}

/** How a server is reached: by its package, by its URL, or by a command with a blank for the reader. */
function entryOf({ server, start }: Pick<CodeServer, "server" | "start">): object {
  if (start !== null && isUrl(start)) return { url: start };
  const [, name] = /^(@?[\w.-]+(?:\/[\w.-]+)?)@[\w.-]+$/.exec(start ?? "") ?? [];
  const { args = [], env } = NEEDS[name ?? ""] ?? {};
  const entry = { command: "npx", args: ["-y", name ?? `<the package of ${server}>`, ...args] };
  return env ? { ...entry, env: Object.fromEntries(env.map((key) => [key, `<your ${key}>`])) } : entry;
}

/** What servers of the samples do not start or work without, as their documentation has it. */
const NEEDS: Record<string, { args?: string[]; env?: string[] }> = {
  "@modelcontextprotocol/server-filesystem": { args: ["<a folder>"] },
  "@modelcontextprotocol/server-github": { env: ["GITHUB_PERSONAL_ACCESS_TOKEN"] },
  "@modelcontextprotocol/server-slack": { env: ["SLACK_BOT_TOKEN", "SLACK_TEAM_ID"] },
  "@cloudflare/mcp-server-cloudflare": { args: ["run", "<your account id>"], env: ["CLOUDFLARE_API_TOKEN"] },
};

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text);
}

/** A value in TypeScript's notation: on one line where it fits. */
function literal(value: unknown, room = 100): string {
  const short = onOneLine(value);
  if (short.length <= room || typeof value !== "object" || value === null) return short;
  const isList = Array.isArray(value);
  const inner = isList
    ? value.map((one) => literal(one))
    : Object.entries(value).map(([key, one]) => `${keyOf(key)}: ${literal(one, 100 - key.length)}`);
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${inner.map((line) => `  ${indented(line, 2)},`).join("\n")}\n${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return numberOr(value);
  const pairs = Object.entries(value).map(([key, one]) => `${keyOf(key)}: ${onOneLine(one)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** `200_000`: long numbers in groups of three. */
function numberOr(value: unknown): string {
  const text = JSON.stringify(value);
  return typeof value === "number" && value >= 10_000 ? text.replace(/\B(?=(\d{3})+$)/g, "_") : text;
}

function keyOf(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) && key !== "__proto__" ? key : JSON.stringify(key);
}

function indented(text: string, by: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(by)}`);
}

/** The servers in the form of `mcpServers`: what the gateway reads as `servers.json`. */
export function serversFile(servers: readonly CodeServer[]): string {
  return `{\n  "mcpServers": ${indented(
    serversText(servers, (value) => JSON.stringify(value, null, 2)),
    2,
  )}\n}\n`;
}
