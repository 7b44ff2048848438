/** The replies of the Messages API, whole and streamed, as the client gets them. */

import type { Fields } from "../../wire/fields.js";
import type { Handed } from "../../loop/rounds.js";

/** A call through a bridge as that of the tool itself. */
export function unwrappedBlock(block: Fields, { unwrapped }: Handed): Fields {
  return { ...block, name: unwrapped!.name, input: unwrapped!.args };
}

/** The events of a block that comes whole. The input of a call comes in pieces. */
export function blockEvents(index: number, block: Fields): Fields[] {
  const isCall = block["type"] === "tool_use";
  const content_block = isCall ? { ...block, input: {} } : block;
  const delta = { type: "input_json_delta", partial_json: JSON.stringify(block["input"]) };
  return [
    { type: "content_block_start", index, content_block },
    ...(isCall ? [{ type: "content_block_delta", index, delta }] : []),
    { type: "content_block_stop", index },
  ];
}

/** Why a reply ended, once calls that are not the client's were taken out. */
export function stopOf(reason: unknown, handed: readonly Handed[]): unknown {
  return handed.length === 0 && reason === "tool_use" ? "end_turn" : reason;
}
