/** Detects the major version of AI SDK from its middleware, also before the first step. */

import { defaultSettingsMiddleware } from "ai";

/** Whether AI SDK is newer than ai 6. */
export function isSeven(): boolean {
  const { specificationVersion: version } = defaultSettingsMiddleware({ settings: {} });
  return version !== "v3";
}
