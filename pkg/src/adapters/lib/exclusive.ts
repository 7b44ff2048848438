/** Keeps two runs out of one conversation. Their messages would interleave, and a vendor refuses what comes of it. */

import { ToolSiftError } from "../../base/errors.js";

/** The conversations of the runs that have not ended. */
const busy = new WeakSet<object>();

/**
 * Makes the `begin` of an adapter's model for `runTools`.
 *
 * @param key where the conversation stands in the parameters, for the error
 * @returns begins a run, and returns what ends it; throws ToolSiftError `option_conflict` while another run goes on
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
