/** Handles replies that ended too early: the last call may be incomplete and still look whole, so it is refused. */

import type { ModelCall } from "../../index.js";

/** What is wrong with a call in whose middle a reply ended; `advice` is what the model can do about it. */
export function cutOff(reason: string | null, advice = ""): NonNullable<ModelCall["broken"]> {
  const message = `The reply ended in the middle of this call (${reason}), so this call did not run.${advice}`;
  return { code: "arguments_not_json", message };
}
