/** Recognises runtimes in which nothing may outlive the request that began it. */

/**
 * Checks if this is a Cloudflare Worker: there, only the request that made a connection can use it. In other runtimes a
 * connection lasts as long as the process.
 */
export function isIsolated(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: unknown } };
  return navigator?.userAgent === "Cloudflare-Workers";
}
