/**
 * Brings the tools of MCP servers into a catalog: from any number of clients, followed as they change, and run by `execute`.
 */

export { connectMcp } from "./connect.js";
export type { McpServers } from "./servers.js";
export type * from "./types.js";
