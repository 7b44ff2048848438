/** The adapter for the OpenAI Agents SDK: settings of agents whose tools are held back, and options of their runs. */

export type { AgentsOptions, NeedsApproval } from "./options.js";
export { recall } from "./recall.js";
export { SiftAgents, siftAgents } from "./agents.js";
