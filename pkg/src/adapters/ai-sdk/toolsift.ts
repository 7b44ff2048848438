/** The function `toolsift` for AI SDK: connects the servers, registers the tools, returns settings for `generateText`. */

import type { ToolSet } from "ai";
import type { DoorwayOptions } from "../../door/types.js";
import type { AiSdkSift } from "./door.js";
import { OPTIONS, sharedState } from "./sifted.js";
import type { SiftToolsOptions } from "./types.js";

/** Options of `toolsift`. */
export interface AiSdkOptions<TOOLS extends ToolSet> extends Omit<DoorwayOptions, "execute">, SiftToolsOptions<TOOLS> {}

/**
 * Adds tool search to AI SDK in one call: connects the MCP servers, registers their tools and your own, and keeps the
 * sessions.
 *
 * ```ts
 * const mcpServers = { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } };
 * const sift = await toolsift({ mcpServers });
 * const { text } = await generateText(sift.with("chat-42", { model, prompt }));
 * await sift.close();
 * ```
 *
 * @throws ToolSiftError as described at `DoorwayOptions`; then everything that was started is stopped
 */
export async function toolsift<TOOLS extends ToolSet = {}>(options: AiSdkOptions<TOOLS> = {}): Promise<AiSdkSift<TOOLS>> {
  const [{ door }, { AiSdkSift }] = await Promise.all([import("../../door/door.js"), import("./door.js")]);
  return door(AiSdkSift<TOOLS>, options as AiSdkOptions<TOOLS> & DoorwayOptions, OPTIONS, sharedState);
}
