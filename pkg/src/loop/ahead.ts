/** Searches for the user's own message before the model is asked, wherever an SDK has it. */

import type { Session } from "../session.js";
import { type Shape, trueOrFalse } from "../shape.js";
import { Driver, type DriverOptions } from "./driver.js";

/** An option of whatever sees the user's message before the model does. */
export interface AheadOptions {
  /** Whether what the user's last message clearly finds is loaded before the model is asked. Default false. */
  prefetch?: boolean | undefined;
}

export const AHEAD: Shape<AheadOptions> = { prefetch: trueOrFalse };

/** The option, and who is told of it. */
export type Watched = AheadOptions & Pick<DriverOptions, "onEvent">;

/** Where SDKs have the conversation. */
interface Request {
  prompt?: unknown;
  messages?: unknown;
  input?: unknown;
  contents?: unknown;
}

/** A part of a message. */
interface Part {
  text?: unknown;
  /** `"tool_result"` is an answer of a tool, as the two that follow are. */
  type?: unknown;
  functionResponse?: unknown;
  toolResult?: unknown;
}

/** Loads what the last message finds, if it is the user's and the option says so. */
export function searchAhead(session: Session, { prefetch = false, onEvent }: Watched, request: Request): void {
  if (prefetch) new Driver(session, { onEvent }).ahead(lastMessage(request));
}

/** The text of the last message, if it is the user's; empty where it is not, as behind the answer of a tool. */
function lastMessage({ prompt, messages, input, contents }: Request): string {
  const last: unknown = [prompt ?? messages ?? input ?? contents].flat().at(-1);
  // Gemini's contents may say nothing of whom they are; LangChain's messages have a type, and no role.
  const { role, type = "human", content = last, parts = content } = Object(last) as Record<string, unknown>;
  if ((role ?? (type === "human" ? "user" : type)) !== "user") return "";
  const said = [parts].flat().map((part) => (typeof part === "string" ? { text: part } : Object(part)) as Part);
  // Some vendors have the answers of tools in messages of the user's. What clients write beside one is a reminder of theirs,
  // not what the user asks.
  if (said.some((part) => part.type === "tool_result" || part.functionResponse || part.toolResult)) return "";
  return said.flatMap(({ text }) => (typeof text === "string" ? text : [])).join("\n");
}
