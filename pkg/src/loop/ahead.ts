/** Searches for the user's own message before the model is asked, if the SDK provides the message. */

import type { Session } from "../core/session.js";
import { flagOr, type Shape } from "../base/shape.js";
import type { SettingsInfo } from "../types/index.js";
import { Driver } from "./driver.js";
import type { AheadOptions, RunOptions } from "./types.js";

export const AHEAD: Shape<AheadOptions> = { prefetch: flagOr("first") };

/** The option `prefetch`, and the listener of its events. */
export type Watched = AheadOptions & Pick<RunOptions, "onEvent">;

/** The keys in which SDKs have the conversation. */
export interface Conversation {
  prompt?: unknown;
  messages?: unknown;
  input?: unknown;
  contents?: unknown;
  /** The stored reply at the vendor from which this request continues. */
  previous_response_id?: unknown;
  follows?: unknown;
}

interface Part {
  text?: unknown;
  /** `"tool_result"` marks a tool's answer, as do the two keys below. */
  type?: unknown;
  functionResponse?: unknown;
  toolResult?: unknown;
}

/** Returns when messages are searched ahead: the option's value, or the default, which is false except for `sift`. */
export function aheadOf({ prefetch }: AheadOptions, { profile }: SettingsInfo): boolean | "first" {
  return prefetch ?? (profile === "sift" && "first");
}

/** Loads the tools that fit the last message, if it is the user's and the option allows it. */
export function searchAhead(session: Session, { prefetch, onEvent }: Watched, request: Conversation): void {
  const { prompt, messages, input, contents, previous_response_id, follows = previous_response_id } = request;
  const conversation: unknown[] = [prompt ?? messages ?? input ?? contents].flat();
  const isFirst = () =>
    (follows ?? null) === null && conversation.every((one) => HOSTS.test(roleOf(one))) && session.snapshot().turn === 0;
  const when = aheadOf({ prefetch }, session.settings);
  if (when === true || (when && isFirst())) new Driver(session, { onEvent }).ahead(lastMessage(conversation));
}

/** The roles of messages before the first reply of the model. */
const HOSTS = /^(user|system|developer)$/;

/** Returns the role of a message. Gemini's contents may have no role; LangChain's messages have a type instead of a role. */
function roleOf(message: unknown): string {
  const { role, type = "human" } = Object(message) as Record<string, unknown>;
  return String(role ?? (type === "human" ? "user" : type));
}

/** Returns the text of the last message if it is the user's; otherwise an empty text, for example after a tool's answer. */
function lastMessage(messages: readonly unknown[]): string {
  const last = messages.at(-1);
  if (roleOf(last) !== "user") return "";
  const { content = last, parts = content } = Object(last) as Record<string, unknown>;
  const blocks = [parts].flat().map((part) => (typeof part === "string" ? { text: part } : Object(part)) as Part);
  // Some vendors put tools' answers into user messages. Text next to such an answer is a reminder by the client, not a
  // request of the user.
  if (blocks.some((part) => part.type === "tool_result" || part.functionResponse || part.toolResult)) return "";
  return blocks.flatMap(({ text }) => (typeof text === "string" ? text : [])).join("\n");
}
