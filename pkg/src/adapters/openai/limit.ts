/** How many tools a vendor with OpenAI's API takes in one request. */

import { whole } from "../../checks.js";
import { LIMITS, type ToolLimit } from "../lib/limits.js";

/** Options of both roads. */
export interface MaxTools {
  /**
   * Tools that the vendor takes in one request, your own included. Where there are more, the least recently used revealed tools
   * are evicted before the request is sent. Default 128, as OpenAI has it; other vendors may take more.
   */
  maxTools?: number | undefined;
}

/** @throws ToolSiftError `option_invalid`, `limit_out_of_range` */
export function limitOf({ maxTools = LIMITS.openai.most }: MaxTools): ToolLimit {
  return { ...LIMITS.openai, vendor: "the vendor", most: whole("maxTools", maxTools, 1, 100_000) };
}
