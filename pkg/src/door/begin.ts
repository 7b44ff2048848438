/** Starts servers at once, and waits for all of them, for the first one, or for a time. */

import { pause } from "../base/wait.js";
import type { ServerConnection } from "../mcp/server-connection.js";

/**
 * When the wait ends: with all servers, the first that is connected, or all for at most so many milliseconds; where none is
 * connected by then, with the first one.
 */
export type Ready = "all" | "any" | number;

/**
 * Starts servers. Those that are there in time are registered in their order, which decides which of two tools of one name
 * keeps it; one that comes later is registered when it comes.
 *
 * @param over ends the wait
 * @param hasTools whether there are tools of servers, so that a request can be made without these
 */
export async function begin(
  servers: readonly ServerConnection[],
  ready: Ready,
  over: Promise<void>,
  hasTools: () => boolean,
): Promise<void> {
  let late = () => {};
  const isLate = new Promise<void>((resolve) => (late = resolve));
  let before = Promise.resolve();
  const starts = servers.map((server) => {
    const start = server.start(before);
    before = Promise.race([start, isLate]);
    return start;
  });
  if (ready === "any") late();
  const timer = typeof ready === "number" ? setTimeout(late, ready) : undefined;
  const all = Promise.all(starts).then(() => {});
  const first = Promise.any(starts.map((start, at) => start.then(() => isThere(servers[at]!)))).catch(() => all);
  const enough = () => (hasTools() || servers.some(({ state }) => state === "connected") ? undefined : first);
  await Promise.race([all, ready === "any" ? first : isLate.then(enough), over]);
  clearTimeout(timer);
  // Servers that were listed and waited for those before them are registered now.
  if (ready !== "all") await pause(0);
}

/** @throws Error for a server that did not come up */
function isThere({ state, name }: ServerConnection): void {
  if (state !== "connected") throw new Error(`${name} is ${state}`);
}
