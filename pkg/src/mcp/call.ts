/** Calls a tool of a server, in the way of either SDK, and never checks its answer by a schema of the server's. */

import { ToolSiftError } from "../errors.js";
import type { McpClient, McpRequestOptions, McpToolResult } from "./client.js";
import { ANYTHING } from "./list.js";
import { type Wait, within } from "./wait.js";

/** One call. The schema of the parameters says which of them a server over HTTP wants repeated as headers. */
export interface Call {
  params: { name: string; arguments?: Record<string, unknown> };
  inputSchema?: unknown;
}

type V1 = (request: object, schema: typeof ANYTHING, options: McpRequestOptions) => Promise<unknown>;
type Options = McpRequestOptions & { onprogress?: (progress: never) => void };
type CallTool = (params: Call["params"], ...options: (object | undefined)[]) => Promise<unknown>;

/** The client's own limit comes after ours, which ends the call by its signal and says what took too long. */
const LATER_MS = 1_000;

/**
 * Sends a call. The SDKs' own check of an answer is left out: it runs patterns of the server's output schema, and one such as
 * `^(a+)+$` stops the whole process for as long as the server likes.
 */
export async function sendCall(client: McpClient, { params, inputSchema }: Call, options: Options): Promise<unknown> {
  const { request, getProtocolEra } = client as { request?: V1; getProtocolEra?: unknown };
  const callTool = client.callTool.bind(client) as CallTool;
  // Version 2 of the SDK checks by the definition that it is given, and this one has no output schema.
  if (typeof getProtocolEra === "function") {
    return callTool(params, {
      ...options,
      toolDefinition: { name: params.name, inputSchema: inputSchema ?? { type: "object" } },
    });
  }
  if (typeof request !== "function") return callTool(params, undefined, options);
  return request.call(client, { method: "tools/call", params }, ANYTHING, options);
}

/** Calls a tool. Each progress notification of the server gives the call more time, within the total. */
export async function callTool(client: McpClient, call: Call, wait: Wait): Promise<McpToolResult> {
  const timeout = (wait.totalMs ?? wait.ms) + LATER_MS;
  const answer = await within(wait, (signal, onprogress) => sendCall(client, call, { timeout, signal, onprogress }));
  if (typeof answer === "object" && answer !== null) return { content: [], ...answer };
  throw new ToolSiftError("not_json", `it answered tools/call with ${String(answer).slice(0, 80)}, which is no result`);
}

/** Whether the server answered that there is no such session, as servers over HTTP do after they were started anew. */
export function knowsNoSession(error: unknown): boolean {
  type Fields = Partial<Record<"name" | "code" | "status" | "statusCode", unknown>>;
  const { name, code, status, statusCode } = Object(error) as Fields;
  // These errors are the server's own answer to the call, with a code of its own.
  const isServers = ["McpError", "ProtocolError", "MCPClientError"].includes(String(name));
  return statusCode === 404 || (!isServers && (code === 404 || status === 404));
}
