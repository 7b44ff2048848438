/** Makes a client of `@ai-sdk/mcp` answer as those of MCP's own SDKs do. */

import { ToolSiftError } from "../base/errors.js";
import type { AiSdkMcpClient, McpClient, McpRequestOptions } from "./types.js";

type Call = Parameters<McpClient["callTool"]>[0];
type Tools = Record<string, { execute(args: unknown, options: object): Promise<unknown> }>;

/** What these clients have besides the types of both major versions. */
interface Inside {
  /** It is missing in the types. Notifications and the end of the connection are seen here. */
  transport?: unknown;
  /** From the second major on, which has `callTool` too. */
  initializeResult?: { capabilities: ReturnType<NonNullable<McpClient["getServerCapabilities"]>> };
  callTool(call: Call & { options: McpRequestOptions }): Promise<unknown>;
  toolsFromDefinitions(definitions: object): Tools;
}

/** A client in the form that this adapter needs; any other client is returned unchanged. */
export function asMcpClient(client: McpClient | AiSdkMcpClient): McpClient {
  if (typeof client !== "object" || client === null || !("toolsFromDefinitions" in client)) return client;
  const inside = client as unknown as Inside;
  const call = (one: Call, _schema: undefined, options: McpRequestOptions) => {
    if (inside.initializeResult !== undefined) return inside.callTool({ ...one, options });
    // The first major calls tools only through those that it makes for AI SDK.
    const definitions = { tools: [{ name: one.name, inputSchema: { type: "object" } }] };
    const tools = inside.toolsFromDefinitions(definitions);
    const tool = (tools as Partial<Tools>)[one.name];
    if (tool === undefined) throw new ToolSiftError("option_invalid", `the client made no tool of ${one.name}`);
    return tool.execute(one.arguments, { abortSignal: options.signal });
  };
  return {
    listTools: (params = {}, options = {}) => client.listTools({ params, options }),
    callTool: call as McpClient["callTool"],
    getServerCapabilities: () => inside.initializeResult?.capabilities,
    getInstructions: () => client.instructions,
    close: () => client.close(),
    ...(inside.transport !== undefined && { transport: inside.transport }),
  };
}
