/** The one call for AI SDK: it starts the servers, registers tools, and gives settings that are ready for `generateText`. */

import type { ToolSet } from "ai";
import type { DoorwayOptions } from "../../door/types.js";
import type { AiSdkSift } from "./door.js";
import { OPTIONS, siftTools } from "./sifted.js";
import type { SiftToolsOptions } from "./types.js";

/** Options of `toolsift`. */
export interface AiSdkOptions<TOOLS extends ToolSet> extends Omit<DoorwayOptions, "execute">, SiftToolsOptions<TOOLS> {}

/**
 * Tool search for AI SDK in one call: connects the MCP servers, registers their tools and your own, and keeps the
 * sessions.
 *
 * ```ts
 * const mcpServers = { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } };
 * const sift = await toolsift({ mcpServers });
 * const { text } = await generateText(sift.with("chat-42", { model, prompt }));
 * await sift.close();
 * ```
 *
 * A server that does not start does not stop the others; `sift.status()` and `onStatus` say why.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`; `peer_missing` where
 * `mcpServers` needs an MCP SDK and none is installed; the error of a broken tool of your own. Nothing is left running then.
 */
export async function toolsift<TOOLS extends ToolSet = {}>(options: AiSdkOptions<TOOLS> = {}): Promise<AiSdkSift<TOOLS>> {
  const [{ door }, { AiSdkSift }] = await Promise.all([import("../../door/door.js"), import("./door.js")]);
  return door(AiSdkSift<TOOLS>, options as AiSdkOptions<TOOLS> & DoorwayOptions, OPTIONS, siftTools<TOOLS>);
}
