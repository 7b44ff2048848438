/** What of the public surface has no target, and why. */

const BROUGHT = "the host brings it; targets call what uses it, with bad answers of it";

export const LEFT_OUT = {
  "AiSdkMcpClient#close": BROUGHT,
  "AiSdkMcpClient#listTools": BROUGHT,
  "AiSdkMcpClient#toolsFromDefinitions": BROUGHT,
  "DefinitionCache#read": BROUGHT,
  "DefinitionCache#write": BROUGHT,
  "FusedRanker#scores": BROUGHT,
  "GatewayTransport#close": BROUGHT,
  "GatewayTransport#explain": BROUGHT,
  "GatewayTransport#onclose": BROUGHT,
  "GatewayTransport#onerror": BROUGHT,
  "GatewayTransport#onmessage": BROUGHT,
  "GatewayTransport#send": BROUGHT,
  "GatewayTransport#start": BROUGHT,
  "KeyValueStore#getItem": BROUGHT,
  "KeyValueStore#getKeys": BROUGHT,
  "KeyValueStore#removeItem": BROUGHT,
  "KeyValueStore#setItem": BROUGHT,
  "McpClient#callTool": BROUGHT,
  "McpClient#close": BROUGHT,
  "McpClient#getInstructions": BROUGHT,
  "McpClient#getServerCapabilities": BROUGHT,
  "McpClient#listTools": BROUGHT,
  "Model#answered": BROUGHT,
  "Model#begin": BROUGHT,
  "Model#send": BROUGHT,
  "OwnTool#execute": BROUGHT,
  "TrustPolicy#review": BROUGHT,
};
