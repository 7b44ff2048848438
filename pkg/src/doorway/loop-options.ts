/** The options of `toolsift()` for SDKs that have no form of their own for a tool that runs. */

import type { ToolsBySchema } from "./own-tools.js";
import type { DoorwayOptions } from "./types.js";

/** Options of `toolsift`. */
export interface LoopOptions<S> extends DoorwayOptions, AheadOptions {
  /** Tools of your own, by the names that the model sees. */
  tools?: ToolsBySchema<S> | undefined;
}

/** An option of the doors that see the user's message before the model does. */
export interface AheadOptions {
  /** Whether each run begins with `session.prefetch` of the user's message. Default false. */
  prefetch?: boolean | undefined;
}
