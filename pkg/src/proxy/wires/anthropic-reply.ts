/** The replies of the Messages API, whole and streamed, as the client gets them. */

import type { Fields } from "../../wire/fields.js";
import type { Handed } from "../../loop/rounds.js";

/** A call through a bridge as that of the tool itself. */
export function unwrappedBlock(block: Fields, { unwrapped }: Handed): Fields {
  return { ...block, name: unwrapped!.name, input: unwrapped!.args };
}

/** Why a reply ended, once calls that are not the client's were taken out. */
export function stopOf(reason: unknown, handed: readonly Handed[]): unknown {
  return handed.length === 0 && reason === "tool_use" ? "end_turn" : reason;
}
