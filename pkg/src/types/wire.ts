/**
 * Definitions of tools as each wire format has them. They are assignable to the types of the vendors' SDKs, none of which is
 * imported.
 */

import type { JsonObject } from "./json.js";

/** JSON Schema of a tool's parameters, which are an object. */
export interface ParametersSchema {
  type: "object";
  properties?: { [name: string]: JsonObject };
  required?: string[];
  [key: string]: unknown;
}

/** MCP, and what speaks its words. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: ParametersSchema;
}

/** OpenAI's Chat Completions, and what speaks the same. */
export interface OpenAITool {
  type: "function";
  function: { name: string; description: string; parameters: ParametersSchema };
}

/** OpenAI's Responses API. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: ParametersSchema;
  /** A catalog's schemas need not be of the subset that strict mode takes. */
  strict: false;
}

/** Anthropic's Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ParametersSchema;
}

/** One function of Google's Gemini API. */
export interface GoogleFunction {
  name: string;
  description: string;
  parametersJsonSchema: ParametersSchema;
}

/** The functions of a request, which Google's models take in one tool. */
export interface GoogleTool {
  functionDeclarations: GoogleFunction[];
}

/** One tool of the Converse API of Amazon Bedrock. */
export interface BedrockTool {
  toolSpec: { name: string; description: string; inputSchema: { json: ParametersSchema } };
}

/** The entries of a request's list of tools, by wire format. */
export interface WireTools {
  mcp: McpTool;
  openai: OpenAITool;
  "openai-responses": OpenAIResponsesTool;
  anthropic: AnthropicTool;
  google: GoogleTool;
  /** The `toolConfig.tools` of Converse. */
  bedrock: BedrockTool;
}

/** How the tools of one model request are written. */
export type WireFormat = keyof WireTools;

/** The definition of one tool, by wire format. */
export interface WireDefinitions extends Omit<WireTools, "google"> {
  google: GoogleFunction;
}
