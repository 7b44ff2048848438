/** One model request: tools in a vendor's format, and text for the prompt. */

import type { Size } from "./cost.js";
import type { JsonObject } from "./json.js";

/** How the tools of one model request are written; `"bedrock"` is that of Bedrock's Converse. */
export type WireFormat = "mcp" | "openai" | "openai-responses" | "anthropic" | "google" | "bedrock";

/**
 * What a definition of a request is sent as.
 *
 * - `"discovery"`: one of the tools by which the model finds others.
 * - `"eager"`: a tool that is not held back, in full.
 * - `"revealed"`: a tool that was held back and is revealed, in full.
 * - `"stub"`: a tool that is held back and stands in the list nevertheless, as a stub, or in full where that is not larger.
 */
export type ToolRole = "discovery" | "eager" | "revealed" | "stub";

/** Options of `session.assemble`. */
export interface AssembleOptions {
  /** Default `"mcp"`. */
  format?: WireFormat;
}

/** Tools and prompt text for one model request. */
export interface Assembly {
  /** Whether anything is held back. When it is not, `tools` holds every tool and `systemPrompt` is empty. */
  active: boolean;
  /** The definitions in the chosen wire format, to be sent as they are. */
  tools: JsonObject[];
  /** What each definition is sent as, in the order of `tools`; in Google's format in that of its `functionDeclarations`. */
  roles: ToolRole[];
  /** To be appended to the host's system prompt; empty when there is nothing to say. */
  systemPrompt: string;
  size: Size;
  /** What could be held back, in the measure that decides whether it is. */
  deferrable: {
    tools: number;
    /** Tokens of their definitions, in the format of Chat Completions. */
    tokens: number;
    /** Tokens from which on they are held back where tokens decide; 0 without a known window, or without such tools. */
    thresholdTokens: number;
  };
}

/** A tool that is held back unless it is revealed. */
export interface HeldBack {
  /** The name that the model sees. */
  name: string;
  /** Its definition in the chosen wire format. */
  definition: JsonObject;
}
