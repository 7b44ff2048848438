/** Tells runtimes in which nothing may outlive the request that began it. */

/**
 * Whether this is a Cloudflare Worker: a connection can be used by the request alone in which it was made. Elsewhere it lasts as
 * long as the process.
 */
export function isIsolated(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: unknown } };
  return navigator?.userAgent === "Cloudflare-Workers";
}
