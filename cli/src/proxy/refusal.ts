/** Errors of the command's own in the form in which each vendor's clients read errors. */

/** The words of each vendor for a status. */
const ANTHROPIC: Record<number, string> = { 401: "authentication_error", 403: "permission_error", 503: "overloaded_error" };
const GOOGLE: Record<number, string> = { 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 503: "UNAVAILABLE" };

/** The body of an error, by the path that was asked for. */
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
