/**
 * Marks the thinking of later rounds. The client sees the rounds as one message, and sends its blocks back in the next request.
 * The API takes only blocks that followed each other in one reply, so what stands before the last round that thought is left
 * out then. The mark stands in the signature, which clients do not read.
 */

import { type Fields, isObject, objectsIn, textIn } from "../../wire/fields.js";
import type { Handed } from "../../loop/rounds.js";

export const MARK = "toolsift.";
const MARKED = /^toolsift\.(\d{1,3})\.([^]*)$/;

/** A signature, or data in its place, of a round after the first. */
export function markedAs(signature: string, round: number): string {
  return round > 1 ? `${MARK}${round}.${signature}` : signature;
}

/** The key of a block under which its signature stands. */
export function signatureKey(block: Fields): "signature" | "data" | undefined {
  if (block["type"] === "thinking") return "signature";
  return block["type"] === "redacted_thinking" ? "data" : undefined;
}

/** A block of a round for the client. */
export function markedBlock(block: Fields, round: number): Fields {
  const key = signatureKey(block);
  const signature = key === undefined ? undefined : textIn(block[key]);
  return key === undefined || !signature || round === 1 ? block : { ...block, [key]: markedAs(signature, round) };
}

/** A message of the client's as the API takes it, as text; unchanged where no block of it is marked. */
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

/** The round of a marked signature, and the signature without the mark. */
export function markIn(signature: string): { round: number; signature: string } | undefined {
  const [, round, rest] = MARKED.exec(signature) ?? [];
  return rest === undefined ? undefined : { round: Number(round), signature: rest };
}

/** The round that a block is marked with; 0 without a mark. */
function roundOf(block: Fields): number {
  const key = signatureKey(block);
  return (key === undefined ? undefined : markIn(textIn(block[key]) ?? ""))?.round ?? 0;
}

function unmarked(block: Fields): Fields {
  const key = signatureKey(block);
  const signature = key === undefined ? undefined : markIn(textIn(block[key]) ?? "")?.signature;
  return key === undefined || signature === undefined ? block : { ...block, [key]: signature };
}

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
