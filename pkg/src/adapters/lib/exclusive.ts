/** Prevents two runs in one conversation at the same time: a vendor would refuse their mixed messages. */

import { ToolSiftError } from "../../base/errors.js";

/** The conversations of the runs that have not ended. */
const busy = new WeakSet<object>();

/**
 * Returns the `begin` of an adapter's model for `runTools`.
 *
 * @param key the name of the parameter that contains the conversation, for the error
 * @returns a function that begins a run and returns the function that ends it; it throws ToolSiftError `option_conflict`
 *   while another run uses the conversation
 */
export function exclusive<K extends string>(key: K, params: Record<K, object[]>): () => () => void {
  return () => {
    const conversation = params[key];
    if (busy.has(conversation)) {
      const why = `params.${key} is the conversation of a run that goes on`;
      throw new ToolSiftError("option_conflict", `${why}; wait for its end, or make a model with a list of its own`);
    }
    busy.add(conversation);
    return () => void busy.delete(conversation);
  };
}
