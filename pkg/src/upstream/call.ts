/** Calls a tool of a server with either SDK, without checking its answer against the server's output schema. */

import { ToolSiftError } from "../base/errors.js";
import type { McpClient, McpRequestOptions, McpToolResult } from "../servers/client.js";
import { ANYTHING } from "./list.js";
import { type Wait, within } from "../base/wait.js";

/** One call. The schema of the parameters decides which of them are also sent as HTTP headers. */
export interface Call {
  params: { name: string; arguments?: Record<string, unknown> };
  inputSchema?: unknown;
}

type V1 = (request: object, schema: typeof ANYTHING, options: McpRequestOptions) => Promise<unknown>;
type Options = McpRequestOptions & { onprogress?: (progress: never) => void };
type CallTool = (params: Call["params"], ...options: (object | undefined)[]) => Promise<unknown>;

/** The extra time of the client's own time limit, in ms: toolsift's limit must end the call first, with a better reason. */
const LATER_MS = 1_000;

/**
 * Sends a call. The SDKs' own check of the answer is avoided: it runs patterns of the server's output schema, and a pattern
 * such as `^(a+)+$` can block the whole process for any time.
 */
export async function sendCall(client: McpClient, { params, inputSchema }: Call, options: Options): Promise<unknown> {
  const { request, getProtocolEra } = client as { request?: V1; getProtocolEra?: unknown };
  const callTool = client.callTool.bind(client) as CallTool;
  // Version 2 of the SDK checks against the given definition, which has no output schema here.
  if (typeof getProtocolEra === "function") {
    return callTool(params, {
      ...options,
      toolDefinition: { name: params.name, inputSchema: inputSchema ?? { type: "object" } },
    });
  }
  if (typeof request !== "function") return callTool(params, undefined, options);
  return request.call(client, { method: "tools/call", params }, ANYTHING, options);
}

/** Calls a tool. Each progress notification of the server extends the time limit, within the total limit. */
export async function callTool(client: McpClient, call: Call, wait: Wait): Promise<McpToolResult> {
  const timeout = (wait.totalMs ?? wait.ms) + LATER_MS;
  const answer = await within(wait, (signal, onprogress) => sendCall(client, call, { timeout, signal, onprogress }));
  if (typeof answer === "object" && answer !== null) return { content: [], ...answer };
  throw new ToolSiftError("not_json", `it answered tools/call with ${String(answer).slice(0, 80)}, which is no result`);
}

/** The codes of time limits: toolsift's own, and those of both SDKs. */
const TOO_LATE: unknown[] = ["not_currently_available", -32_001, "REQUEST_TIMEOUT"];

/** Returns true if a call has ended because the server did not answer within the time limit. The error may be a cause. */
export function isTooLate(error: unknown): boolean {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  return TOO_LATE.includes(code) || TOO_LATE.includes(Object(cause).code);
}

/** HTTP statuses that are not about a session, whatever their text is: missing rights, or too many requests. */
const NOT_OF_SESSION = [401, 403, 407, 408, 429];
/** Matches the text of a server that does not know the session, with any status. */
const NO_SESSION = /session|initiali[sz]e/i;
/** Matches JSON-RPC errors about the request itself. */
const ABOUT_REQUEST = /"code"\s*:\s*-32(?:600|601|602|603|700)\b/;
/** The statuses of a proxy that cannot connect to the session's server. */
const UNREACHED = [502, 503, 504];
/** The JSON-RPC code for an unknown session. */
const SESSION_NOT_FOUND = -32_001;
/** The names of errors that are the server's own answer to the call. */
const ANSWERS = ["McpError", "ProtocolError", "MCPClientError"];

/**
 * Returns the state of the client's session after an error of a call over HTTP. A restarted server no longer knows the
 * session. `lost`: the server refused the call because it does not know the session; it has not run the call. `doubtful`:
 * the session may be lost, and the call may have been run. Undefined: the error is not about the session.
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

/** Returns the HTTP status of a transport's error. The older transport over SSE has it only in the error's text. */
function httpStatus(error: unknown, isAnswer: boolean): number | undefined {
  const { code, status, statusCode, message } = Object(error) as Partial<
    Record<"code" | "status" | "statusCode" | "message", unknown>
  >;
  const [, told] = isAnswer ? [] : (/\(HTTP (\d{3})\)/.exec(String(message)) ?? []);
  const found =
    statusCode ?? (isAnswer ? undefined : [status, code, told && Number(told)].find((one) => typeof one === "number"));
  return typeof found === "number" ? found : undefined;
}
