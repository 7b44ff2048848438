/**
 * Tool definitions in each wire format. They are assignable to the types of the vendors' SDKs, none of which is imported.
 */

import type { JsonObject } from "./json.js";

/** JSON Schema of a tool's parameters, which are an object. */
export interface ParametersSchema {
  type: "object";
  properties?: { [name: string]: JsonObject };
  required?: string[];
  [key: string]: unknown;
}

/** A tool of MCP, and of other software that uses MCP's keys. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: ParametersSchema;
}

/** A tool of OpenAI's Chat Completions, and of APIs with the same format. */
export interface OpenAITool {
  type: "function";
  function: { name: string; description: string; parameters: ParametersSchema };
}

/** A tool of OpenAI's Responses API. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: ParametersSchema;
  /** False, because a catalog's schemas may lie outside the subset that strict mode accepts. */
  strict: false;
}

/** A tool of Anthropic's Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ParametersSchema;
}

/** A function of Google's Gemini API. */
export interface GoogleFunction {
  name: string;
  description: string;
  parametersJsonSchema: ParametersSchema;
}

/** The tool of a Google request, which contains all functions. */
export interface GoogleTool {
  functionDeclarations: GoogleFunction[];
}

/** A tool of the Converse API of Amazon Bedrock. */
export interface BedrockTool {
  /** Converse refuses an empty description: a tool without a description has no such key. */
  toolSpec: { name: string; description?: string; inputSchema: { json: ParametersSchema } };
}

/** The entries of a request's tool list, by wire format. */
export interface WireTools {
  mcp: McpTool;
  openai: OpenAITool;
  "openai-responses": OpenAIResponsesTool;
  anthropic: AnthropicTool;
  google: GoogleTool;
  /** An entry of Converse's `toolConfig.tools`. */
  bedrock: BedrockTool;
}

/** The wire format of a request's tools. */
export type WireFormat = keyof WireTools;

/** The definition of one tool, by wire format. */
export interface WireDefinitions extends Omit<WireTools, "google"> {
  google: GoogleFunction;
}
