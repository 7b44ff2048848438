/** Adds up what the model calls of one host's call used. */

import { summed } from "../../wire/usage.js";
import type { Usage } from "./types.js";

/** The sum; what is no number is that of the newer one. */
export function added(before: Usage | undefined, usage: Usage): Usage {
  return before === undefined ? usage : (summed(before, usage) as Usage);
}
