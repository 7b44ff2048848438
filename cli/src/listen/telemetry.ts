/**
 * Spans of the commands that serve, where OpenTelemetry was loaded before them, as in
 * `NODE_OPTIONS="--import @opentelemetry/auto-instrumentations-node/register" npx toolsift mcp`.
 */

import { spans, type SpanTracer } from "toolsift/otel";

/** Where the API of OpenTelemetry keeps what was registered, for all of its copies in a process. */
const API = Symbol.for("opentelemetry.js.api.1");

/** Returns a listener that makes a span of each event; it does nothing if nobody registered a tracer. */
export function telemetry(): (event: object) => void {
  const { trace } = ((globalThis as Record<symbol, unknown>)[API] ?? {}) as {
    trace?: { getTracer?(name: string): SpanTracer };
  };
  const tracer = trace?.getTracer?.("toolsift");
  return tracer === undefined ? () => {} : spans(tracer);
}
