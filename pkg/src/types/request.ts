/** One model request: tools in a vendor's format, and text for the prompt. */

import type { Size } from "./cost.js";
import type { WireDefinitions, WireFormat, WireTools } from "./wire.js";

/**
 * The role of a definition in a request.
 *
 * - `"discovery"`: a discovery tool, by which the model finds other tools.
 * - `"eager"`: a tool that is not deferred, in full.
 * - `"revealed"`: a deferred tool that is loaded, in full.
 * - `"stub"`: a deferred tool that is in the list as a stub, or in full if that is not larger.
 */
export type ToolRole = "discovery" | "eager" | "revealed" | "stub";

/** Options of `session.assemble`. */
export interface AssembleOptions<F extends WireFormat = WireFormat> {
  /** The wire format of the tools. Default `"mcp"`. */
  format?: F | undefined;
}

/** Tools and prompt text for one model request, by the format of its tools. */
export interface Assembly<F extends WireFormat = WireFormat> {
  /** True if tools are deferred. Otherwise `tools` has every tool and `systemPrompt` is empty. */
  active: boolean;
  /** The definitions in the chosen wire format, ready to be sent. */
  tools: WireTools[F][];
  /** The role of each definition, in the order of `tools`; in Google's format in the order of its `functionDeclarations`. */
  roles: ToolRole[];
  /** Text to append to your program's system prompt; can be empty. */
  systemPrompt: string;
  size: Size;
  /** The tools that can be deferred, measured as the activation measures them. */
  deferrable: {
    tools: number;
    /** Tokens of their definitions, in the format of Chat Completions. */
    tokens: number;
    /** Tokens from which tools are deferred, if tokens decide; 0 without a known window or without deferrable tools. */
    thresholdTokens: number;
  };
}

/** A tool that is deferred unless it is loaded. */
export interface HeldBack<F extends WireFormat = WireFormat> {
  /** The name that the model sees. */
  name: string;
  /** The tool's definition in the chosen wire format. */
  definition: WireDefinitions[F];
}
