import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, type FunctionDeclaration, type Tool as GoogleTool } from "@google/genai";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { ListToolsResult, Tool as McpTool1 } from "@modelcontextprotocol/sdk/types.js";
import OpenAI from "openai";
import { runTools, ToolSift } from "toolsift";
import type { JsonObject, ToolDefinition, WireFormat, WireTools } from "toolsift";
import { type } from "arktype";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { z } from "zod";

const sift = new ToolSift();
const session = sift.session("s");
const openai = new OpenAI({ apiKey: "none" });
const anthropic = new Anthropic({ apiKey: "none" });
const google = new GoogleGenAI({ apiKey: "none" });
const client = new Client({ name: "a", version: "1" });
const client2 = new Client2({ name: "a", version: "1" });

// What the SDKs take.
const messages = [{ role: "user" as const, content: "Go on." }];
await openai.chat.completions.create({ model: "m", messages, tools: session.assemble({ format: "openai" }).tools });
await openai.responses.create({
  model: "m",
  input: "Go on.",
  tools: session.assemble({ format: "openai-responses" }).tools,
});
await anthropic.messages.create({
  model: "m",
  max_tokens: 9,
  messages,
  tools: session.assemble({ format: "anthropic" }).tools,
});
await google.models.generateContent({
  model: "m",
  contents: "Go on.",
  config: { tools: session.assemble({ format: "google" }).tools },
});
const listed: ListToolsResult = { tools: session.assemble().tools };
const listed2: Awaited<ReturnType<Client2["listTools"]>>["tools"] = session.assemble({ format: "mcp" }).tools;
const deferred: Anthropic.Tool[] = session
  .heldBack({ format: "anthropic" })
  .map(({ definition }) => ({ ...definition, defer_loading: true }));
const declarations: FunctionDeclaration[] = session.heldBack({ format: "google" }).map(({ definition }) => definition);
const functions: OpenAI.Responses.FunctionTool[] = session
  .heldBack({ format: "openai-responses" })
  .map(({ definition }) => definition);

// By a format that is known only when the program runs.
function sent<F extends WireFormat>(format: F): WireTools[F][] {
  return session.assemble({ format }).tools;
}
sent("anthropic")[0]?.input_schema.properties;
// @ts-expect-error a definition of one format is not one of another
session.assemble({ format: "anthropic" }).tools[0]?.inputSchema;
// @ts-expect-error nor is it what another SDK takes
const wrong: Anthropic.Tool[] = session.assemble({ format: "openai" }).tools;

// The loop.
await runTools(session, {
  format: "openai",
  send: async ({ tools, systemPrompt, answers }) => {
    tools[0]?.function.name satisfies string | undefined;
    const system = { role: "system" as const, content: systemPrompt };
    const { choices } = await openai.chat.completions.create({ model: "m", messages: [system], tools });
    return { calls: [], text: choices[0]?.message.content, answers };
  },
  execute: () => "done",
});
await runTools(session, { send: ({ tools }) => ({ calls: [], first: tools[0]?.inputSchema.type }), execute: () => 1 });
// What register takes: the SDKs' own types, by themselves, in lists, and as results.
declare const sdk: {
  chat: OpenAI.ChatCompletionTool[];
  responses: OpenAI.Responses.Tool[];
  anthropic: Anthropic.ToolUnion[];
  one: Anthropic.Tool;
  google: GoogleTool[];
  declarations: FunctionDeclaration[];
  mcp: McpTool1[];
  params: OpenAI.ChatCompletionCreateParamsNonStreaming;
};
sift.register(await client.listTools());
sift.register((await client.listTools()).tools, { server: "s" });
sift.register(await client2.listTools());
sift.sync("s", await client.listTools());
sift.sync("s", await client2.listTools());
sift.register(sdk.chat);
sift.register(sdk.params.tools ?? []);
sift.register(sdk.responses);
sift.register(sdk.anthropic);
sift.register(sdk.one);
sift.register(sdk.google);
sift.register({ functionDeclarations: sdk.declarations });
sift.register(sdk.mcp);
sift.register([...sdk.mcp, ...sdk.chat, ...sdk.anthropic]);
sift.register(new ToolSift().session("s").assemble({ format: "anthropic" }).tools);
sift.register([
  { name: "a", description: "A", inputSchema: z.object({ a: z.string() }) },
  { name: "b", parameters: type({ a: "string" }), tags: ["x"], deferral: "never" },
  { name: "c", input_schema: toStandardJsonSchema(v.object({ a: v.string() })) },
  { name: "d", inputSchema: { type: "object", if: {}, then: { required: ["a"] } }, annotations: { readOnlyHint: true } },
  { type: "function", function: { name: "e", parameters: z.object({}), strict: true } },
  { functionDeclarations: [{ name: "f", parametersJsonSchema: { type: "object" } }] },
]);
declare const schema: JsonObject;
declare const read: ToolDefinition[];
sift.register({ name: "g", description: "G", parameters: schema });
sift.register(read);

// What it does not take.
const weather = { name: "weather", description: "The weather", inputSchema: { type: "object" } };
// @ts-expect-error a misspelt key
sift.register({ name: "a", descripton: "A" });
// @ts-expect-error a misspelt key one level down
sift.register([{ type: "function", function: { name: "a", paramters: {} } }]);
// @ts-expect-error a definition without a name
sift.register({ description: "A", inputSchema: {} });
// @ts-expect-error a map of tools
sift.register({ weather });
// @ts-expect-error a promise
sift.register(client.listTools());
// @ts-expect-error a schema that is a text
sift.register({ name: "a", inputSchema: "object" });
// @ts-expect-error a single definition is no list
sift.sync("s", weather);

export { listed, listed2, deferred, declarations, functions, wrong };
