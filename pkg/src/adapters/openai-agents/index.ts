/** The adapter for the OpenAI Agents SDK: settings for agents with deferred tools, and options for their runs. */

export { type Misspelt, type NotFoundOptions, type SiftAgents, siftAgents } from "./agents.js";
export type { AgentsSift } from "./door.js";
export type { AgentsOptions, AnyFunctionTool, NeedsApproval } from "./options.js";
export { fromAgentItems } from "./from-items.js";
export { type AgentsDoorOptions, toolsift } from "./toolsift.js";
