/**
 * Does a strict program that uses `toolsift()` with OpenAI, Anthropic or Google compile without a cast?
 * 1. From nothing to a run, in eight lines.
 * 2. Own tools are typed by their schemas: what the schema makes of the arguments, or JSON.
 * 3. Misspelt options and keys of tools do not compile.
 */

import { MCP } from "./lib/doorway.mjs";
import { compiles } from "./lib/strict.mjs";

const ROADS = [
  {
    label: "openai",
    packages: { openai: "openai" },
    program: `
import OpenAI from "openai";
import { toolsift } from "toolsift/openai";

const sift = await toolsift({ mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } } });
const client = new OpenAI();
const { text } = await sift.run("chat-42", client, { model: "gpt-5.4", messages: [{ role: "user", content: "Go on." }] });
const other = await sift.runResponses("chat-42", client, { model: "gpt-5.4", input: [{ role: "user", content: "Go on." }] }, { toolSearch: "client", maxSteps: 3 });
text satisfies string;
other.reply.response.id satisfies string;
// @ts-expect-error there is no such option
await sift.run("chat-42", client, { model: "gpt-5.4", messages: [] }, { maxStep: 3 });
`,
  },
  {
    label: "anthropic",
    packages: { "@anthropic-ai/sdk": "@anthropic-ai/sdk" },
    program: `
import Anthropic from "@anthropic-ai/sdk";
import { toolsift } from "toolsift/anthropic";

const sift = await toolsift({ mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } } });
const messages = [{ role: "user" as const, content: "Go on." }];
const params = { model: "claude-opus-5-5", max_tokens: 4096, messages };
const { text, finish } = await sift.run("chat-42", new Anthropic(), params, { mode: "client" });
text satisfies string;
finish satisfies "done" | "steps" | "refused";
// @ts-expect-error there is no such mode
await sift.run("chat-42", new Anthropic(), params, { mode: "vendor" });
`,
  },
  {
    label: "google",
    packages: { "@google/genai": "@google/genai" },
    program: `
import { GoogleGenAI } from "@google/genai";
import { toolsift } from "toolsift/google";

const sift = await toolsift({ mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } } });
const contents = [{ role: "user", parts: [{ text: "Go on." }] }];
const { text, reply } = await sift.run("chat-42", new GoogleGenAI({}), { model: "gemini-3.8-flash", contents });
text satisfies string;
reply.response.candidates?.length satisfies number | undefined;
// @ts-expect-error a session's id is a text
await sift.run(42, new GoogleGenAI({}), { model: "gemini-3.8-flash", contents });
`,
  },
];

const TOOLS = `
import { z } from "zod";

const bookTable = {
  description: "Books a table",
  inputSchema: z.object({ guests: z.number(), at: z.string().default("noon") }),
  execute: ({ guests, at }: { guests: number; at: string }) => guests + at.length,
};
const more = await toolsift({
  tools: {
    bookTable,
    weather: {
      description: "Get the weather",
      inputSchema: z.object({ city: z.string(), days: z.coerce.number() }),
      execute: async ({ city, days }, { signal }) => {
        city satisfies string;
        days satisfies number;
        // @ts-expect-error there is no such argument
        ({ city, days }).town;
        return { city, days, signal: signal?.aborted };
      },
    },
    lamp: {
      description: "Switch the lamp",
      inputSchema: { type: "object", properties: { on: { type: "boolean" } } },
      execute: ({ on }) => (on === true ? "on" : "off"),
      deferral: "never",
    },
  },
  env: { TOKEN: "x" },
  execute: ({ name, server }) => [name, server],
});
more.status().map(({ error }) => error);
await more.close();

// @ts-expect-error there is no such option
await toolsift({ tool: {} });
// @ts-expect-error a tool has no such key
await toolsift({ tools: { lamp: { descripton: "x", inputSchema: {}, execute: () => 1 } } });
// @ts-expect-error a tool runs
await toolsift({ tools: { lamp: { description: "x", inputSchema: {} } } });
// @ts-expect-error the schema gives a number
await toolsift({ tools: { lamp: { description: "x", inputSchema: z.object({ a: z.number() }), execute: ({ a }: { a: string }) => a } } });
`;

for (const { label, packages, program } of ROADS) {
  compiles(`${label}: a strict program of every part compiles`, program + TOOLS, { ...packages, ...MCP });
}
