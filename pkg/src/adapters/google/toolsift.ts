/** The one call for the Gemini API: it starts the servers, registers tools, and gives runs. */

import type { LoopOptions } from "../../door/loop-options.js";
import type { GoogleSift } from "./door.js";

/**
 * Tool search for the Gemini API in one call: connects the MCP servers, registers their tools and your own, and keeps the
 * sessions.
 *
 * ```ts
 * const mcpServers = { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } };
 * const sift = await toolsift({ mcpServers });
 * const { text } = await sift.run("chat-42", client, params);
 * await sift.close();
 * ```
 *
 * @throws ToolSiftError as `DoorwayOptions` says; nothing is left running then
 */
export async function toolsift<S>(options: LoopOptions<S> = {}): Promise<GoogleSift> {
  const [{ opened }, { GoogleSift }] = await Promise.all([import("../../door/loop-door.js"), import("./door.js")]);
  return opened(GoogleSift, options);
}
