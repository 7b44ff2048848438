/** `toolsift/gateway`: many MCP servers behind one small, constant set of tools. */

export type { DefinitionCache, Definitions, Review, ServerTool, TrustPolicy } from "./types.js";
