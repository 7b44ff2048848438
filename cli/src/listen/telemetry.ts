/**
 * OpenTelemetry spans for `toolsift mcp` and `toolsift proxy`, if OpenTelemetry is loaded first, as in
 * `NODE_OPTIONS="--import @opentelemetry/auto-instrumentations-node/register" npx toolsift mcp --config FILE`.
 */

import { spans, type SpanTracer } from "toolsift/otel";

/** The global symbol under which all copies of the OpenTelemetry API in a process share their registrations. */
const API = Symbol.for("opentelemetry.js.api.1");

/** Returns a listener that makes a span of each event. If no tracer is registered, the listener does nothing. */
export function telemetry(): (event: object) => void {
  const { trace } = ((globalThis as Record<symbol, unknown>)[API] ?? {}) as {
    trace?: { getTracer?(name: string): SpanTracer };
  };
  const tracer = trace?.getTracer?.("toolsift");
  return tracer === undefined ? () => {} : spans(tracer);
}
