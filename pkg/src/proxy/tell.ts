/** Tells the host's listener of what happens. */

import type { ProxyEvent, SiftFetchOptions } from "./types.js";

/** A listener that fails must not end the request that it listens to. */
export function tell({ onEvent }: Pick<SiftFetchOptions, "onEvent">, event: ProxyEvent): void {
  try {
    const told: unknown = onEvent?.(event);
    Promise.resolve(told).catch(() => {});
  } catch {}
}
