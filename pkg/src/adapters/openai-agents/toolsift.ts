/** The function `toolsift` for the OpenAI Agents SDK: connects the servers, registers the tools, returns agent settings. */

import type { DoorwayOptions } from "../../door/types.js";
import { siftAgents } from "./agents.js";
import type { AgentsSift } from "./door.js";
import { type AgentsOptions, OPTIONS } from "./options.js";

/** Options of `toolsift`: the common ones of all adapters, and those of `siftAgents`. */
export interface AgentsDoorOptions extends DoorwayOptions, Omit<AgentsOptions, keyof DoorwayOptions> {}

/**
 * Adds tool search to the OpenAI Agents SDK in one call: connects the MCP servers, registers their tools and your own, and
 * keeps the sessions.
 *
 * ```ts
 * const mcpServers = { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } };
 * const sift = await toolsift({ mcpServers });
 * const agent = new Agent(sift.with("chat-42", { name: "Helper", instructions: "You help." }));
 * const { finalOutput } = await run(agent, "What do you know about me?", sift.runOptions());
 * await sift.close();
 * ```
 *
 * @throws ToolSiftError as described at `DoorwayOptions`; then everything that was started is stopped
 */
export async function toolsift(options: AgentsDoorOptions = {}): Promise<AgentsSift> {
  const [{ door }, { AgentsSift }] = await Promise.all([import("../../door/door.js"), import("./door.js")]);
  return door(AgentsSift, options, OPTIONS, siftAgents);
}
