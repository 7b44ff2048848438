/** The function `toolsift` for OpenAI's APIs: connects the servers, registers the tools, and runs the model. */

import type { LoopOptions } from "../../door/loop-options.js";
import type { OpenAISift } from "./door.js";

/**
 * Adds tool search to OpenAI's APIs in one call: connects the MCP servers, registers their tools and your own, and keeps the
 * sessions.
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
export async function toolsift<S>(options: LoopOptions<S> = {}): Promise<OpenAISift> {
  const [{ opened }, { OpenAISift }] = await Promise.all([import("../../door/loop-door.js"), import("./door.js")]);
  return opened(OpenAISift, options);
}
