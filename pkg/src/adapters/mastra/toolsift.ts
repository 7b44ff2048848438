/** The one call for Mastra: it starts the servers, registers tools, and gives settings that are ready for `new Agent`. */

import type { DoorwayOptions } from "../../door/types.js";
import type { MastraSift } from "./door.js";
import { OPTIONS, type ProcessorOptions } from "./options.js";
import { siftProcessor } from "./processor.js";

/** Options of `toolsift`: those of every door, and those of the processor. */
export interface MastraDoorOptions extends DoorwayOptions, Omit<ProcessorOptions, keyof DoorwayOptions> {}

/**
 * Tool search for Mastra in one call: connects the MCP servers, registers their tools and your own, and keeps the
 * sessions.
 *
 * ```ts
 * const mcpServers = { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } };
 * const sift = await toolsift({ mcpServers });
 * const agent = new Agent(sift.with({ id: "helper", name: "Helper", instructions: "Be kind.", model: "openai/gpt-5.4" }));
 * await agent.generate("What do you know about me?", { memory: { thread: "chat-42", resource: "ada" } });
 * await sift.close();
 * ```
 *
 * @throws ToolSiftError as `DoorwayOptions` says; nothing is left running then
 */
export async function toolsift(options: MastraDoorOptions = {}): Promise<MastraSift> {
  const [{ door }, { MastraSift }] = await Promise.all([import("../../door/door.js"), import("./door.js")]);
  return door(MastraSift, options, OPTIONS, siftProcessor);
}
