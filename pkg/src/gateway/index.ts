/** `toolsift/gateway`: many MCP servers behind one small, constant set of tools. */

export { gateway, type Gateway } from "./gateway.js";
export { type ProcessCommand, type ProcessOptions, processTransport } from "../mcp/process.js";
export { neutralised } from "../suspicious/hidden.js";
export { inspect, neutral, type Finding } from "../suspicious/inspect.js";
export { lookAlikes, type LookAlike } from "../suspicious/look-alike.js";
export { pinnedHash, type PinnedTool, reviewAgainst, type PinReview, type Pins } from "./pins.js";
export { serverWay } from "../servers/read.js";
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
  ServerState,
  ServerStatus,
  ServerTool,
  ServerWay,
  TrustPolicy,
} from "./types.js";
