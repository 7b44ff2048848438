/** The proxy's own errors: their HTTP status, and their form for the vendor's clients. */

import { ToolSiftError } from "../base/errors.js";
import { reasonOf } from "../base/values.js";
import type { ErrorCode } from "../types/index.js";
import type { Wire } from "./wire.js";

const STATUSES = new WeakMap<ToolSiftError, number>();

/** Makes an error that is answered with this HTTP status. */
export function failing(status: number, code: ErrorCode, message: string): ToolSiftError {
  const error = new ToolSiftError(code, message);
  STATUSES.set(error, status);
  return error;
}

/** Makes the error of a client's request that is too large. */
export const REQUEST = tooLarge("the request's body", 413);
/** Makes the error of an upstream's answer that is too large. */
export const REPLY = tooLarge("the upstream's reply", 502);

function tooLarge(what: string, status: number): (most: number) => ToolSiftError {
  return (most) => failing(status, "limit_out_of_range", `${what} has more than ${most} bytes, the limit`);
}

/** Returns the response for an error. */
export function errorResponse(wire: Wire | undefined, error: ToolSiftError): Response {
  return errorAnswer(wire, STATUSES.get(error) ?? statusOf(error.code), error);
}

/**
 * Returns the stream's last event if the stream cannot continue; undefined if the client itself ended it. Errors of other
 * code are not passed on in full.
 */
export function streamFailure(wire: Wire, error: unknown, signal: AbortSignal): string | undefined {
  const reason: unknown = signal.aborted ? signal.reason : error;
  const isOurs = ToolSiftError.is(reason);
  if (signal.aborted && !isOurs) return undefined;
  const code = isOurs ? reason.code : "upstream_failed";
  const message = isOurs ? reason.message : `the upstream's stream broke off: ${reasonOf(reason)}`;
  return wire.streamError(wire.error(500, code, message));
}

/** Returns the response for any error, with its status. */
export function errorAnswer(
  wire: Wire | undefined,
  status: number,
  { code, message }: { code: string; message: string },
): Response {
  const body = wire?.error(status, code, message) ?? JSON.stringify({ error: { code, message } });
  return new Response(body, { status, headers: { "content-type": "application/json", "x-toolsift-error": code } });
}

function statusOf(code: ErrorCode): number {
  return code === "internal" || code === "wasm_unavailable" ? 500 : 400;
}
