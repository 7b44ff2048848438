/** `toolsift/gateway`: gives clients of many MCP servers one small, constant set of tools. */

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
 * Opens a gateway for MCP servers. Its clients get one tool that searches and three tools that call. If all tools together
 * take fewer tokens than a search would save, clients get all tools unchanged.
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
  // Imported on demand: it imports the SDK, which takes longer to load and which the rest of this module does not need.
  const { open } = await import("./gateway.js");
  return open(options);
}
