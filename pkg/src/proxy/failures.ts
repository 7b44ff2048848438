/** Errors of the proxy's own, in the form in which the vendor's clients read errors. */

import type { ErrorCode } from "../types.js";
import type { Wire } from "./wire.js";

/** The status of an error that the client or the host made. */
export function statusOf(code: ErrorCode): number {
  return code === "internal" || code === "out_of_memory" || code === "wasm_unavailable" ? 500 : 400;
}

/** The answer that tells of an error. */
export function errorResponse(wire: Wire | undefined, status: number, { code, message }: { code: string; message: string }): Response {
  const body = wire?.error(status, code, message) ?? JSON.stringify({ error: { code, message } });
  return new Response(body, { status, headers: { "content-type": "application/json", "x-toolsift-error": code } });
}
