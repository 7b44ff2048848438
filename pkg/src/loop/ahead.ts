/** Searches for the user's own message before the model is asked, wherever an SDK has it. */

import type { Session } from "../core/session.js";
import { flagOr, type Shape } from "../base/shape.js";
import type { SettingsInfo } from "../types/index.js";
import { Driver } from "./driver.js";
import type { AheadOptions, RunOptions } from "./types.js";

export const AHEAD: Shape<AheadOptions> = { prefetch: flagOr("first") };

/** The option, and who is told of it. */
export type Watched = AheadOptions & Pick<RunOptions, "onEvent">;

/** Where SDKs have the conversation. */
export interface Conversation {
  prompt?: unknown;
  messages?: unknown;
  input?: unknown;
  contents?: unknown;
  /** The reply that the vendor keeps, from which the request goes on. */
  previous_response_id?: unknown;
  follows?: unknown;
}

interface Part {
  text?: unknown;
  /** `"tool_result"` is an answer of a tool, as the two that follow are. */
  type?: unknown;
  functionResponse?: unknown;
  toolResult?: unknown;
}

/** When messages are searched ahead: the option's value, or the default. The profiles of published systems stay as these are. */
export function aheadOf({ prefetch }: AheadOptions, { profile }: SettingsInfo): boolean | "first" {
  return prefetch ?? (profile === "sift" && "first");
}

/** Loads what the last message finds, if it is the user's and the option says so. */
export function searchAhead(session: Session, { prefetch, onEvent }: Watched, request: Conversation): void {
  const { prompt, messages, input, contents, previous_response_id, follows = previous_response_id } = request;
  const conversation: unknown[] = [prompt ?? messages ?? input ?? contents].flat();
  const isFirst = () =>
    (follows ?? null) === null && conversation.every((one) => HOSTS.test(roleOf(one))) && session.snapshot().turn === 0;
  const when = aheadOf({ prefetch }, session.settings);
  if (when === true || (when && isFirst())) new Driver(session, { onEvent }).ahead(lastMessage(conversation));
}

/** Whose messages come before the first reply of the model. */
const HOSTS = /^(user|system|developer)$/;

/** Who says a message. Gemini's contents may say nothing of whom they are; LangChain's messages have a type, and no role. */
function roleOf(message: unknown): string {
  const { role, type = "human" } = Object(message) as Record<string, unknown>;
  return String(role ?? (type === "human" ? "user" : type));
}

/** The text of the last message, if it is the user's; empty where it is not, as behind the answer of a tool. */
function lastMessage(messages: readonly unknown[]): string {
  const last = messages.at(-1);
  if (roleOf(last) !== "user") return "";
  const { content = last, parts = content } = Object(last) as Record<string, unknown>;
  const blocks = [parts].flat().map((part) => (typeof part === "string" ? { text: part } : Object(part)) as Part);
  // Some vendors have the answers of tools in messages of the user's. What clients write beside one is a reminder of theirs,
  // not what the user asks.
  if (blocks.some((part) => part.type === "tool_result" || part.functionResponse || part.toolResult)) return "";
  return blocks.flatMap(({ text }) => (typeof text === "string" ? text : [])).join("\n");
}
