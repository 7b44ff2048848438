/** Reports events to your program's listener. */

import { aside } from "../base/values.js";
import type { ProxyEvent, SiftFetchOptions } from "./types.js";

/** Calls the listener. Its errors are ignored, because they must not end the request. */
export function tell({ onEvent }: Pick<SiftFetchOptions, "onEvent">, event: ProxyEvent): void {
  aside(() => onEvent?.(event));
}
