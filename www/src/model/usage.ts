/** Writes the code for an SDK, and the command for a client, that use these servers through toolsift. */

/** A server in the code. */
interface Started {
  server: string;
  /** Its package, with `pypi:` in front of a Python package, or its URL; null if neither is known. */
  start: string | null;
}

interface Sdk {
  title: string;
  /** The packages to install in addition to toolsift. */
  packages: string[];
  imports: string[];
  /** The entry point of toolsift. */
  entry: string;
  /** The lines that use `sift`. */
  body: string[];
}

const QUESTION = '"What is new?"';
const MESSAGES = `const messages = [{ role: "user" as const, content: ${QUESTION} }];`;

export const SDKS = {
  "ai-sdk": {
    title: "AI SDK",
    packages: ["ai", "@ai-sdk/openai"],
    imports: ['import { openai } from "@ai-sdk/openai";', 'import { generateText } from "ai";'],
    entry: "toolsift/ai-sdk",
    body: [`const { text } = await generateText(sift.with("chat-42", { model: openai("gpt-5.4"), prompt: ${QUESTION} }));`],
  },
  openai: {
    title: "OpenAI",
    packages: ["openai"],
    imports: ['import OpenAI from "openai";'],
    entry: "toolsift/openai",
    body: [MESSAGES, 'const { text } = await sift.run("chat-42", new OpenAI(), { model: "gpt-5.4", messages });'],
  },
  anthropic: {
    title: "Anthropic",
    packages: ["@anthropic-ai/sdk"],
    imports: ['import Anthropic from "@anthropic-ai/sdk";'],
    entry: "toolsift/anthropic",
    body: [
      MESSAGES,
      'const params = { model: "claude-opus-5-5", max_tokens: 4096, messages };',
      'const { text } = await sift.run("chat-42", new Anthropic(), params);',
    ],
  },
  langchain: {
    title: "LangChain",
    packages: ["langchain", "@langchain/openai"],
    imports: ['import { createAgent } from "langchain";'],
    entry: "toolsift/langchain",
    body: [
      'const agent = createAgent(sift.with({ model: "openai:gpt-5.4" }));',
      `const { messages } = await agent.invoke({ messages: ${QUESTION} }, { configurable: { thread_id: "chat-42" } });`,
      "const text = messages.at(-1)?.text;",
    ],
  },
} satisfies Record<string, Sdk>;

export type SdkId = keyof typeof SDKS;

/** MCP clients, by their names for `npx toolsift mcp add`. */
export const CLIENTS = {
  "claude-code": "Claude Code",
  cursor: "Cursor",
  vscode: "VS Code",
  codex: "Codex",
};

export type ClientId = keyof typeof CLIENTS;

/** Returns the command that installs the packages. */
export function installLine(sdk: SdkId): string {
  return ["npm install toolsift", "@modelcontextprotocol/client", ...SDKS[sdk].packages].join(" ");
}

/** Returns a TypeScript program for an SDK, with these servers. */
export function codeFor(sdk: SdkId, servers: readonly Started[]): string {
  const { imports, entry, body } = SDKS[sdk];
  const lines = servers.map((one) => `    ${keyOf(one.server)}: ${literal(entryOf(one))},`);
  return [
    ...imports,
    `import { toolsift } from "${entry}";`,
    "",
    "const sift = await toolsift({",
    "  mcpServers: {",
    ...lines,
    "  },",
    "});",
    ...body,
    "console.log(text);",
    "await sift.close();",
    "",
  ].join("\n");
}

/** Returns the command that moves a client's servers behind the gateway. */
export function commandFor(client: ClientId): string {
  return `npx toolsift mcp add ${client}`;
}

/** Returns a server's entry: with its URL, its package, or a command with a placeholder for the reader. */
function entryOf({ server, start }: Started): object {
  if (start?.match(/^https?:/)) return { url: start };
  const [, python, name] = /^(pypi:)?(@?[\w.-]+(?:\/[\w.-]+)?)(?:@[\w.-]+)?$/.exec(start ?? "") ?? [];
  if (name === undefined) return { command: `<what starts ${server}>` };
  if (python) return { command: "uvx", args: [name] };
  const { args = [], env } = NEEDS[name] ?? {};
  const entry = { command: "npx", args: ["-y", name, ...args] };
  return env ? { ...entry, env: Object.fromEntries(env.map((key) => [key, `<your ${key}>`])) } : entry;
}

/** The arguments and variables that servers of the sample need, from their documentation. */
const NEEDS: Record<string, { args?: string[]; env?: string[] }> = {
  "@modelcontextprotocol/server-filesystem": { args: ["<a folder>"] },
  "@modelcontextprotocol/server-github": { env: ["GITHUB_PERSONAL_ACCESS_TOKEN"] },
  "@modelcontextprotocol/server-slack": { env: ["SLACK_BOT_TOKEN", "SLACK_TEAM_ID"] },
  "@cloudflare/mcp-server-cloudflare": { args: ["run", "<your account id>"], env: ["CLOUDFLARE_API_TOKEN"] },
};

/** Returns a value in TypeScript's notation, on one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, one]) => `${keyOf(key)}: ${literal(one)}`);
  return `{ ${pairs.join(", ")} }`;
}

function keyOf(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
