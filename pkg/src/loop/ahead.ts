/** Searches for the user's own message before the model is asked, wherever an SDK has it. */

import type { Session } from "../session.js";
import { type Shape, trueOrFalse } from "../shape.js";
import { isList } from "../values.js";

/** An option of whatever sees the user's message before the model does. */
export interface AheadOptions {
  /** Whether what the user's last message clearly finds is loaded before the model is asked. Default false. */
  prefetch?: boolean | undefined;
}

export const AHEAD: Shape<AheadOptions> = { prefetch: trueOrFalse };

/** Where SDKs have the conversation. */
interface Request {
  prompt?: unknown;
  messages?: unknown;
  input?: unknown;
  contents?: unknown;
}

/** Loads what the last message finds, if it is the user's and the option says so. */
export function searchAhead(session: Session, { prefetch = false }: AheadOptions, request: Request): void {
  if (prefetch) session.prefetch(lastMessage(request));
}

/** The text of the last message, if it is the user's; empty where it is not, as behind the answer of a tool. */
function lastMessage({ prompt, messages, input, contents }: Request): string {
  const said = prompt ?? messages ?? input ?? contents;
  const last: unknown = isList(said) ? said.at(-1) : said;
  if (typeof last === "string") return last;
  const { role, type, content, parts } = Object(last) as Record<"role" | "type" | "content" | "parts", unknown>;
  // Gemini's contents may say nothing; LangChain's messages have a type.
  const isUser = role === undefined ? type === undefined || type === "human" : role === "user";
  return isUser ? textOf(content ?? parts) : "";
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: readonly unknown[] = isList(content) ? content : [];
  // What clients write beside an answer is a reminder of theirs, not what the user asks.
  if (parts.some(isAnswer)) return "";
  const texts = parts.map((part) => (Object(part) as { text?: unknown }).text ?? part);
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** Whether a part of a message is the answer of a tool, where the vendor has these in messages of the user's. */
function isAnswer(part: unknown): boolean {
  const { type, functionResponse, toolResult } = Object(part) as Record<"type" | "functionResponse" | "toolResult", unknown>;
  return type === "tool_result" || functionResponse !== undefined || toolResult !== undefined;
}
