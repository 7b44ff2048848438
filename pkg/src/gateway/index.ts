/** `toolsift/gateway`: many MCP servers behind one small, constant set of tools. */

export { gateway, type Gateway } from "./gateway.js";
export { followed } from "./http.js";
export type {
  DefinitionCache,
  Definitions,
  Effect,
  GatewayEvent,
  GatewayOptions,
  GatewayTransport,
  Review,
  ServerState,
  ServerStatus,
  ServerTool,
  ServerWay,
  TrustPolicy,
} from "./types.js";
