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
 * A server that does not start does not stop the others; `sift.status()` and `onStatus` say why.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`; `peer_missing` where
 * `mcpServers` needs an MCP SDK and none is installed; the error of a broken tool of your own. Nothing is left running then.
 */
export async function toolsift(options: MastraDoorOptions = {}): Promise<MastraSift> {
  const [{ door }, { MastraSift }] = await Promise.all([import("../../door/door.js"), import("./door.js")]);
  return door(MastraSift, options, OPTIONS, siftProcessor);
}
