/** One model request: tools in a vendor's format, and text for the prompt. */

import type { Size } from "./cost.js";
import type { JsonObject } from "./json.js";

/** How the tools of one model request are written. */
export type WireFormat = "mcp" | "openai" | "openai-responses" | "anthropic" | "google";

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
