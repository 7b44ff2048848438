/**
 * Brings the tools of MCP servers into a catalog: from any number of clients, followed as they change, and run by `execute`.
 */

export { connectMcp } from "../../mcp/servers.js";
export type { McpServers } from "../../mcp/servers.js";
export type * from "../../mcp/types.js";
