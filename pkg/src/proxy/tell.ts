/** Tells the host's listener of what happens. */

import { aside } from "../base/values.js";
import type { ProxyEvent, SiftFetchOptions } from "./types.js";

/** A listener that fails must not end the request that it listens to. */
export function tell({ onEvent }: Pick<SiftFetchOptions, "onEvent">, event: ProxyEvent): void {
  aside(() => onEvent?.(event));
}
