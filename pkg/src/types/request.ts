/** One model request: tools in a vendor's format, and text for the prompt. */

import type { Size } from "./cost.js";
import type { WireDefinitions, WireFormat, WireTools } from "./wire.js";

/**
 * What a definition of a request is sent as.
 *
 * - `"discovery"`: one of the tools by which the model finds others.
 * - `"eager"`: a tool that is not deferred, in full.
 * - `"revealed"`: a tool that was deferred and is revealed, in full.
 * - `"stub"`: a tool that is deferred and stands in the list nevertheless, as a stub, or in full where that is not larger.
 */
export type ToolRole = "discovery" | "eager" | "revealed" | "stub";

/** Options of `session.assemble`. */
export interface AssembleOptions<F extends WireFormat = WireFormat> {
  /** Default `"mcp"`. */
  format?: F | undefined;
}

/** Tools and prompt text for one model request, by the format of its tools. */
export interface Assembly<F extends WireFormat = WireFormat> {
  /** Whether anything is deferred. When it is not, `tools` holds every tool and `systemPrompt` is empty. */
  active: boolean;
  /** The definitions in the chosen wire format, to be sent as they are. */
  tools: WireTools[F][];
  /** What each definition is sent as, in the order of `tools`; in Google's format in that of its `functionDeclarations`. */
  roles: ToolRole[];
  /** To be appended to the host's system prompt; empty when there is nothing to say. */
  systemPrompt: string;
  size: Size;
  /** What could be deferred, in the measure that decides whether it is. */
  deferrable: {
    tools: number;
    /** Tokens of their definitions, in the format of Chat Completions. */
    tokens: number;
    /** Tokens from which on they are deferred where tokens decide; 0 without a known window, or without such tools. */
    thresholdTokens: number;
  };
}

/** A tool that is deferred unless it is revealed. */
export interface HeldBack<F extends WireFormat = WireFormat> {
  /** The name that the model sees. */
  name: string;
  /** Its definition in the chosen wire format. */
  definition: WireDefinitions[F];
}
