/** Formats the proxy's own errors as each vendor's clients expect them. */

/** Each vendor's error types by HTTP status. */
const ANTHROPIC: Record<number, string> = { 401: "authentication_error", 403: "permission_error", 503: "overloaded_error" };
const GOOGLE: Record<number, string> = { 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 503: "UNAVAILABLE" };

/** Returns the body of an error response. The path of the request tells which vendor's format to use. */
export function refusalFor(path: string, status: number, message: string): string {
  const isOurs = status >= 500;
  if (/\/messages\b/.test(path)) {
    return JSON.stringify({
      type: "error",
      error: { type: ANTHROPIC[status] ?? (isOurs ? "api_error" : "invalid_request_error"), message },
    });
  }
  if (/\/models\/[^/]+:\w+/.test(path)) {
    return JSON.stringify({
      error: { code: status, message, status: GOOGLE[status] ?? (isOurs ? "INTERNAL" : "INVALID_ARGUMENT") },
    });
  }
  return JSON.stringify({
    error: { message, type: isOurs ? "server_error" : "invalid_request_error", param: null, code: `proxy_${status}` },
  });
}
