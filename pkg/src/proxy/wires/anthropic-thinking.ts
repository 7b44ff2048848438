/**
 * Marks the thinking blocks of later rounds. The client sees all rounds as one message, and sends its blocks back in the
 * next request. The API accepts only thinking blocks that followed each other in one reply. So the blocks before the last
 * round with thinking are left out then. The mark is in the signature, which clients do not read.
 */

import { type Fields, isObject, objectsIn, textIn } from "../../wire/fields.js";
import type { Handed } from "../../loop/rounds.js";

const MARK = "toolsift.";
const MARKED = /^toolsift\.(\d{1,3})\.([^]*)$/;

/** Marks a signature, or the data in its place, with its round. The first round has no mark. */
export function markedAs(signature: string, round: number): string {
  return round > 1 ? `${MARK}${round}.${signature}` : signature;
}

/** Returns a block with another signature; unchanged if it has none. Redacted thinking has data in its place. */
function withSignature(block: Fields, change: (signature: string) => string | undefined): Fields {
  const key = block["type"] === "thinking" ? "signature" : block["type"] === "redacted_thinking" ? "data" : undefined;
  const signature = key && textIn(block[key]);
  const changed = signature ? change(signature) : undefined;
  return key === undefined || changed === undefined ? block : { ...block, [key]: changed };
}

/** Returns a block of a round for the client. */
export function markedBlock(block: Fields, round: number): Fields {
  return round === 1 ? block : withSignature(block, (signature) => markedAs(signature, round));
}

/** Removes the marks from a client's message, as text, for the API; unchanged if no block is marked. */
export function withoutMarks(text: string): string {
  if (!text.includes(MARK)) return text;
  const message: unknown = JSON.parse(text);
  if (!isObject(message) || message["role"] !== "assistant") return text;
  let last = 0;
  const blocks = objectsIn(message["content"]).map((marked) => {
    let round = 0;
    const block = withSignature(marked, (signature) => {
      const [, number, rest] = MARKED.exec(signature) ?? [];
      round = Number(number ?? 0);
      return rest;
    });
    last = Math.max(last, round);
    return { block, round };
  });
  if (last === 0) return text;
  const from = blocks.findIndex(({ round }) => round === last);
  return JSON.stringify({ ...message, content: blocks.slice(from).map(({ block }) => block) });
}

/** Converts a call through a bridge to a call of the tool itself. */
export function unwrappedBlock(block: Fields, { unwrapped }: Handed): Fields {
  return { ...block, name: unwrapped!.name, input: unwrapped!.args };
}

/** Returns the events of a complete block. The input of a call comes as a delta. */
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

/** Returns the reason why a reply ended, after calls that are not the client's were removed. */
export function stopOf(reason: unknown, handed: readonly Handed[]): unknown {
  return handed.length === 0 && reason === "tool_use" ? "end_turn" : reason;
}
