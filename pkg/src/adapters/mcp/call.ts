/** Calls a tool of an MCP server. Both SDKs take the same options, but not in the same place. */

import { methodOf } from "../lib/method.js";
import { type Wait, within } from "./wait.js";
import type { McpClient, McpToolResult } from "./types.js";

type Call = { name: string; arguments: Record<string, unknown> };
type V1 = (call: Call, schema: undefined, options: object) => Promise<unknown>;
type V2 = (call: Call, options: object) => Promise<unknown>;

/** The client's own limit comes after ours, which ends the call by its signal and says what took too long. */
const LATER_MS = 1_000;

/** Calls a tool. Each progress notification of the server gives the call more time, within the total. */
export function callTool(client: McpClient, call: Call, wait: Wait): Promise<McpToolResult> {
  const answer = async (signal: AbortSignal, progress: () => void) => {
    const options = { timeout: (wait.totalMs ?? wait.ms) + LATER_MS, signal, onprogress: progress };
    const ask = methodOf("the client", client, "callTool");
    return isV2(client) ? (ask as V2)(call, options) : (ask as V1)(call, undefined, options);
  };
  return within(wait, answer) as Promise<McpToolResult>;
}

/** Version 2 of the SDK tells versions of the protocol apart, and accepts no schema of the result. */
function isV2(client: McpClient): boolean {
  return typeof (client as { getProtocolEra?: unknown }).getProtocolEra === "function";
}

/** Whether the server answered that there is no such session, as servers over HTTP do after they were started anew. */
export function knowsNoSession(error: unknown): boolean {
  type Fields = Partial<Record<"name" | "code" | "status" | "statusCode", unknown>>;
  const { name, code, status, statusCode } = Object(error) as Fields;
  // These errors are the server's own answer to the call, with a code of its own.
  const isServers = ["McpError", "ProtocolError", "MCPClientError"].includes(String(name));
  return statusCode === 404 || (!isServers && (code === 404 || status === 404));
}
