/** The options of `toolsift()` for SDKs that have no form of their own for a tool that runs. */

import type { ToolsBySchema } from "./own-tools.js";
import type { DoorwayOptions } from "./types.js";

/** Options of `toolsift`. */
export interface LoopOptions<S> extends DoorwayOptions {
  /** Tools of your own, by the names that the model sees. */
  tools?: ToolsBySchema<S> | undefined;
}
