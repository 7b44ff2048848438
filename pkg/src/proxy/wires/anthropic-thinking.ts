/**
 * Marks the thinking blocks of later rounds. The client sees all rounds as one message, and sends its blocks back in the
 * next request. The API accepts only thinking blocks that followed each other in one reply. So the blocks before the last
 * round with thinking are left out then. The mark is in the signature, which clients do not read.
 */

import { type Fields, isObject, objectsIn, textIn } from "../../wire/fields.js";
import type { Handed } from "../../loop/rounds.js";

export const MARK = "toolsift.";
const MARKED = /^toolsift\.(\d{1,3})\.([^]*)$/;

/** Marks a signature, or the data in its place, with its round. The first round has no mark. */
export function markedAs(signature: string, round: number): string {
  return round > 1 ? `${MARK}${round}.${signature}` : signature;
}

/** Returns the key of a block's signature. */
export function signatureKey(block: Fields): "signature" | "data" | undefined {
  if (block["type"] === "thinking") return "signature";
  return block["type"] === "redacted_thinking" ? "data" : undefined;
}

/** Returns a block of a round for the client. */
export function markedBlock(block: Fields, round: number): Fields {
  const key = signatureKey(block);
  const signature = key === undefined ? undefined : textIn(block[key]);
  return key === undefined || !signature || round === 1 ? block : { ...block, [key]: markedAs(signature, round) };
}

/** Removes the marks from a client's message, as text, for the API; unchanged if no block is marked. */
export function withoutMarks(text: string): string {
  if (!text.includes(MARK)) return text;
  const message: unknown = JSON.parse(text);
  if (!isObject(message) || message["role"] !== "assistant") return text;
  const blocks = objectsIn(message["content"]);
  const rounds = blocks.map(roundOf);
  const last = Math.max(0, ...rounds);
  if (last === 0) return text;
  const content = blocks.slice(rounds.indexOf(last)).map((block) => unmarked(block));
  return JSON.stringify({ ...message, content });
}

/** Returns the round of a marked signature, and the signature without the mark. */
export function markIn(signature: string): { round: number; signature: string } | undefined {
  const [, round, rest] = MARKED.exec(signature) ?? [];
  return rest === undefined ? undefined : { round: Number(round), signature: rest };
}

/** Returns the round of a block's mark; 0 without a mark. */
function roundOf(block: Fields): number {
  const key = signatureKey(block);
  return (key === undefined ? undefined : markIn(textIn(block[key]) ?? ""))?.round ?? 0;
}

function unmarked(block: Fields): Fields {
  const key = signatureKey(block);
  const signature = key === undefined ? undefined : markIn(textIn(block[key]) ?? "")?.signature;
  return key === undefined || signature === undefined ? block : { ...block, [key]: signature };
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
