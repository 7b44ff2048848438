/** Handles replies that ended too early: the last call may be incomplete and still look whole, so it is refused. */

import type { ModelCall } from "../index.js";

/** The refusal of a call in whose middle the reply ended; `advice` tells the model what to do. */
export function cutOff(reason: string | null, advice = ""): NonNullable<ModelCall["broken"]> {
  const message = `The reply ended in the middle of this call (${reason}), so this call did not run.${advice}`;
  return { code: "arguments_not_json", message };
}
