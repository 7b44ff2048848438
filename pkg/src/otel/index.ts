/**
 * Converts toolsift's events to OpenTelemetry spans, with the names of its conventions for generative AI and MCP. You pass
 * the tracer: this module does not import OpenTelemetry.
 *
 * ```ts
 * import { spans } from "toolsift/otel";
 *
 * const sift = await toolsift({ mcpServers, onEvent: spans(trace.getTracer("my-agent")) });
 * ```
 */

import { requireMethods } from "../base/checks.js";
import type { Attribute } from "../loop/events.js";
import { type Fields, fieldsOf, textIn } from "../wire/fields.js";

/** The part of OpenTelemetry's `Tracer` that is used. */
export interface SpanTracer {
  startSpan(name: string, options: { kind: number; startTime: number; attributes: Record<string, Attribute> }): SpanLike;
}

/** The part of OpenTelemetry's `Span` that is used. */
export interface SpanLike {
  setStatus(status: { code: number; message?: string }): unknown;
  end(endTime: number): void;
}

/** OpenTelemetry's numbers for the kinds of spans, and for the status of a failed span. */
const INTERNAL = 0;
const SERVER = 1;
const CLIENT = 2;
const ERROR = 2;

/** The vendor of each API, by the name in the conventions. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  "openai-responses": "openai",
};

/** The gateway's own tools, by the types of their events. */
const OWN: Readonly<Record<string, string>> = { search: "search_tools" };

interface SpanFields {
  name: string;
  kind: number;
  /** The start, in ms since 1970. */
  startTime: number;
  duration: number;
  attributes: Record<string, unknown>;
  message?: unknown;
}

/**
 * Returns a function that makes a span of each event, for `onEvent` of an adapter, the gateway and the proxy. Its parent is
 * the span that is active when the event is sent. Queries are left out, because they are people's private words.
 *
 * ```ts
 * const sift = await toolsift({ mcpServers, onEvent: spans(trace.getTracer("my-agent")) });
 * ```
 *
 * @throws ToolSiftError `option_invalid`
 */
export function spans(tracer: SpanTracer): (event: object) => void {
  requireMethods("tracer", tracer, ["startSpan"], "what trace.getTracer of @opentelemetry/api returns");
  return (event) => {
    const fields = spanFieldsOf(event as Fields);
    if (fields === undefined) return;
    const { name, kind, startTime, duration, message } = fields;
    const { "toolsift.query": _, ...others } = fields.attributes;
    const known = Object.entries(others).filter(([, value]) => value !== undefined && value !== null);
    const attributes = Object.fromEntries(known) as Record<string, Attribute>;
    const span = tracer.startSpan(name, { kind, startTime, attributes });
    const errorMessage = textIn(message);
    if (attributes["error.type"] !== undefined)
      span.setStatus({ code: ERROR, ...(errorMessage === undefined ? {} : { message: errorMessage }) });
    span.end(startTime + duration);
  };
}

function spanFieldsOf(event: Fields): SpanFields | undefined {
  const { type, tool, step, startTime, duration, attributes, message } = event as Fields & {
    startTime: number;
    duration: number;
  };
  if (attributes !== undefined) {
    // A reveal event follows the event of the call that caused it. Only a reveal before the first reply has no such call.
    const isAhead = type === "reveal" && step === 0;
    if (type === "reveal" && !isAhead) return undefined;
    return {
      name: isAhead ? String(tool) : `execute_tool ${tool}`,
      kind: INTERNAL,
      startTime,
      duration,
      attributes: fieldsOf(attributes),
      message,
    };
  }
  if (type === "request") return requested(event as Fields & { startTime: number; duration: number });
  return type === "call" || Object.hasOwn(OWN, String(type)) ? called(event) : undefined;
}

function requested({
  wire,
  model,
  stream,
  active,
  outcome,
  requests,
  full,
  sent,
  startTime,
  duration,
}: Fields & Pick<SpanFields, "startTime" | "duration">): SpanFields {
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": PROVIDERS[String(wire)] ?? wire,
    "gen_ai.request.model": model,
    "gen_ai.request.stream": stream,
    "toolsift.active": active,
    "toolsift.requests": requests,
    "toolsift.tokens.full": fieldsOf(full)["tokens"],
    "toolsift.tokens.sent": fieldsOf(sent)["tokens"],
    "error.type": outcome === "done" ? undefined : outcome,
  };
  return { name: model === undefined ? "chat" : `chat ${model}`, kind: CLIENT, startTime, duration, attributes };
}

/** Returns the span of a call by a client of the gateway. The event is sent when the call ends. */
function called({ type, session, name, server, tool, found, shown, ms = 0, outcome = "ok", code }: Fields): SpanFields {
  const own = OWN[String(type)];
  const attributes = {
    "mcp.method.name": "tools/call",
    "mcp.session.id": session,
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": own ?? name,
    "toolsift.tool.name": tool,
    "toolsift.tool.server": server,
    "toolsift.found": found,
    "toolsift.shown": shown,
    "error.type": outcome === "ok" ? undefined : (code ?? "tool_error"),
  };
  const duration = Number(ms);
  return { name: `tools/call ${own ?? name}`, kind: SERVER, startTime: Date.now() - duration, duration, attributes };
}
