/** Adds the tools of MCP clients to a catalog, keeps them up to date, and runs them with `execute`. */

export { connectMcp } from "../../mcp/servers.js";
export type { McpServers } from "../../mcp/servers.js";
export type * from "../../mcp/types.js";
