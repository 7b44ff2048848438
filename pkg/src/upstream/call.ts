/** Calls a tool of a server, in the way of either SDK, and never checks its answer by a schema of the server's. */

import { ToolSiftError } from "../base/errors.js";
import type { McpClient, McpRequestOptions, McpToolResult } from "../servers/client.js";
import { ANYTHING } from "./list.js";
import { type Wait, within } from "../base/wait.js";

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

/** HTTP statuses that say nothing of a session, whatever their text says: who asks is not let in, or asks too often. */
const NOT_OF_SESSION = [401, 403, 407, 408, 429];
/** What a server that knows no such session writes, whichever status it answers with. */
const NO_SESSION = /session|initiali[sz]e/i;
/** Errors of JSON-RPC about the request itself. */
const ABOUT_REQUEST = /"code"\s*:\s*-32(?:600|601|602|603|700)\b/;
/** Where a proxy does not reach the server that the session was begun with. */
const UNREACHED = [502, 503, 504];
/** The code with which servers say in JSON-RPC that there is no such session. */
const SESSION_NOT_FOUND = -32_001;
/** Errors that are the server's own answer to the call, with a code of its own. */
const ANSWERS = ["McpError", "ProtocolError", "MCPClientError"];

/**
 * What an error of a call over HTTP says of the client's session, as servers answer after they were started anew. `lost`: the
 * server refused the call, since it knows no such session; it has done nothing. `doubtful`: it may be so, and the call may
 * have been run.
 */
export function sessionAfter(client: object, error: unknown): "lost" | "doubtful" | undefined {
  const { transport } = client as { transport?: { sessionId?: unknown } | null };
  const hasSession = typeof transport?.sessionId === "string";
  const cause: unknown = Object(error).cause;
  return ofSession(error, hasSession) ?? (cause === undefined ? undefined : ofSession(cause, hasSession));
}

function ofSession(error: unknown, hasSession: boolean): "lost" | "doubtful" | undefined {
  const { name, code, message } = Object(error) as Partial<Record<"name" | "code" | "message", unknown>>;
  const [text, isAnswer] = [String(message), ANSWERS.includes(String(name))];
  const status = httpStatus(error, isAnswer);
  if (status === 404 || status === 410) return "lost";
  if (status === undefined || status < 400)
    return isAnswer && hasSession && code === SESSION_NOT_FOUND ? "doubtful" : undefined;
  if (NOT_OF_SESSION.includes(status)) return undefined;
  const isNamed = NO_SESSION.test(text);
  if (status >= 500) return hasSession && (isNamed || UNREACHED.includes(status)) ? "doubtful" : undefined;
  return isNamed || (status === 400 && hasSession && !ABOUT_REQUEST.test(text)) ? "lost" : undefined;
}

/** The HTTP status of an error of a transport. Those of the older transport over SSE have it in their text alone. */
function httpStatus(error: unknown, isAnswer: boolean): number | undefined {
  const { code, status, statusCode, message } = Object(error) as Partial<
    Record<"code" | "status" | "statusCode" | "message", unknown>
  >;
  const [, told] = isAnswer ? [] : (/\(HTTP (\d{3})\)/.exec(String(message)) ?? []);
  const found =
    statusCode ?? (isAnswer ? undefined : [status, code, told && Number(told)].find((one) => typeof one === "number"));
  return typeof found === "number" ? found : undefined;
}
