/** The one call for Anthropic's API: it starts the servers, registers tools, and gives runs. */

import type { LoopOptions } from "../../door/loop-options.js";
import type { AnthropicSift } from "./door.js";

/**
 * Tool search for Anthropic's API in one call: connects the MCP servers, registers their tools and your own, and keeps the
 * sessions.
 *
 * ```ts
 * const mcpServers = { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } };
 * const sift = await toolsift({ mcpServers });
 * const { text } = await sift.run("chat-42", client, params);
 * await sift.close();
 * ```
 *
 * A server that does not start does not stop the others; `sift.status()` and `onStatus` say why.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`; `peer_missing` where
 * `mcpServers` needs an MCP SDK and none is installed; the error of a broken tool of your own. Nothing is left running then.
 */
export async function toolsift<S>(options: LoopOptions<S> = {}): Promise<AnthropicSift> {
  const [{ opened }, { AnthropicSift }] = await Promise.all([import("../../door/loop-door.js"), import("./door.js")]);
  return opened(AnthropicSift, options);
}
