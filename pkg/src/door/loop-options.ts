/** The options of `toolsift()` for SDKs that have no format for a tool with a function to run it. */

import type { ToolsBySchema } from "./own-tools.js";
import type { DoorwayOptions } from "./types.js";

/** Options of `toolsift`. */
export interface LoopOptions<S> extends DoorwayOptions {
  /** Tools of your own, by the names that the model sees. */
  tools?: ToolsBySchema<S> | undefined;
}
