/** The function `toolsift` for LangChain: connects the servers, registers the tools, returns settings for `createAgent`. */

import type { DoorwayOptions } from "../../door/types.js";
import type { LangChainSift } from "./door.js";
import { siftMiddleware } from "./middleware.js";
import { type LangChainOptions, OPTIONS } from "./options.js";

/** Options of `toolsift`: the common ones of all adapters, and those of the middleware. */
export interface LangChainDoorOptions extends DoorwayOptions, Omit<LangChainOptions, keyof DoorwayOptions> {}

/**
 * Adds tool search to LangChain in one call: connects the MCP servers, registers their tools and your own, and keeps the
 * sessions.
 *
 * ```ts
 * const mcpServers = { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } };
 * const sift = await toolsift({ mcpServers });
 * const agent = createAgent(sift.with({ model: "openai:gpt-5.4" }));
 * await agent.invoke({ messages }, { configurable: { thread_id: "chat-42" } });
 * await sift.close();
 * ```
 *
 * @throws ToolSiftError as described at `DoorwayOptions`; then everything that was started is stopped
 */
export async function toolsift(options: LangChainDoorOptions = {}): Promise<LangChainSift> {
  const [{ door }, { LangChainSift }] = await Promise.all([import("../../door/door.js"), import("./door.js")]);
  return door(LangChainSift, options, OPTIONS, siftMiddleware);
}
