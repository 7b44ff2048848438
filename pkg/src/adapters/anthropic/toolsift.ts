/** The function `toolsift` for Anthropic's API: connects the servers, registers the tools, and runs the model. */

import type { LoopOptions } from "../../door/loop-options.js";
import type { AnthropicSift } from "./door.js";

/**
 * Adds tool search to Anthropic's API in one call: connects the MCP servers, registers their tools and your own, and keeps
 * the sessions.
 *
 * ```ts
 * const mcpServers = { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } };
 * const sift = await toolsift({ mcpServers });
 * const { text } = await sift.run("chat-42", client, params);
 * await sift.close();
 * ```
 *
 * @throws ToolSiftError as described at `DoorwayOptions`; then everything that was started is stopped
 */
export async function toolsift<S>(options: LoopOptions<S> = {}): Promise<AnthropicSift> {
  const [{ opened }, { AnthropicSift }] = await Promise.all([import("../../door/loop-door.js"), import("./door.js")]);
  return opened(AnthropicSift, options);
}
