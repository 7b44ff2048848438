/** `toolsift/gateway`: many MCP servers behind one small, constant set of tools. */

import type { Gateway } from "./gateway.js";
import type { GatewayOptions } from "./types.js";

export type { Gateway } from "./gateway.js";
export { type ProcessCommand, type ProcessOptions, processTransport } from "../upstream/process.js";
export { serverEntry, serverWay } from "../servers/read.js";
export { spelled } from "../servers/plans.js";
export type {
  DefinitionCache,
  Definitions,
  Effect,
  GatewayEvent,
  GatewayOptions,
  GatewayRules,
  GatewayTool,
  GatewayTransport,
  Review,
  ServerEntry,
  ServerState,
  ServerStatus,
  ServerTool,
  ServerWay,
  TrustPolicy,
} from "./types.js";

/**
 * Opens a gateway in front of MCP servers. Its clients see a search tool, a tool that describes and tools that call; or all
 * tools as they are, where these take fewer tokens than searching would save.
 *
 * ```ts
 * import { gateway } from "toolsift/gateway";
 *
 * export default await gateway({ mcpServers: { docs: { url: "https://example.com/mcp" } } });
 * ```
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`
 */
export async function gateway(options: GatewayOptions): Promise<Gateway> {
  // With the SDK, which the rest of this module does not need, and which takes longer to load.
  const { open } = await import("./gateway.js");
  return open(options);
}
