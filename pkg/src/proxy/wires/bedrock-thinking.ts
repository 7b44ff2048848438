/**
 * Marks the reasoning of later rounds, as `anthropic-thinking.ts` does: the client sends the rounds back as one message, and the
 * API takes only reasoning that followed on what stands before it.
 */

import { type Fields, fieldsOf, isObject, objectsIn, textIn } from "../../wire/fields.js";
import { MARK, markedAs, markIn } from "./anthropic-thinking.js";

/** A block of a round for the client; undefined for what has no place for a mark: a client would take it apart. */
export function markedBlock(block: Fields, round: number): Fields | undefined {
  const { redactedContent } = fieldsOf(block["reasoningContent"]);
  if (round > 1 && redactedContent !== undefined) return undefined;
  const signature = signatureOf(block);
  return signature === undefined || round === 1 ? block : signed(block, markedAs(signature, round));
}

/** A message of the client's as the API takes it, as text; unchanged where no block of it is marked. */
export function withoutMarks(text: string): string {
  if (!text.includes(MARK)) return text;
  const message: unknown = JSON.parse(text);
  if (!isObject(message) || message["role"] !== "assistant") return text;
  const blocks = objectsIn(message["content"]);
  const marks = blocks.map((block) => markIn(signatureOf(block) ?? ""));
  const last = Math.max(0, ...marks.map((mark) => mark?.round ?? 0));
  if (last === 0) return text;
  const from = marks.findIndex((mark) => mark?.round === last);
  const content = blocks
    .map((block, at) => (marks[at] === undefined ? block : signed(block, marks[at].signature)))
    .slice(from);
  return JSON.stringify({ ...message, content });
}

function signatureOf(block: Fields): string | undefined {
  return textIn(fieldsOf(fieldsOf(block["reasoningContent"])["reasoningText"])["signature"]);
}

function signed(block: Fields, signature: string): Fields {
  const reasoning = fieldsOf(block["reasoningContent"]);
  return {
    ...block,
    reasoningContent: { ...reasoning, reasoningText: { ...fieldsOf(reasoning["reasoningText"]), signature } },
  };
}
