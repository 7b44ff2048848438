/** Reads the user's own message at the end of a request, which is searched before the model is asked. */

import { isList } from "../values.js";

/** Where SDKs have the conversation. */
interface Request {
  prompt?: unknown;
  messages?: unknown;
  input?: unknown;
  contents?: unknown;
}

/** The text of the last message, if it is the user's; empty where it is not, as behind the answer of a tool. */
export function lastMessage({ prompt, messages, input, contents }: Request): string {
  const said = prompt ?? messages ?? input ?? contents;
  const last: unknown = isList(said) ? said.at(-1) : said;
  if (typeof last === "string") return last;
  const { role = "user", content, parts } = Object(last) as { role?: unknown; content?: unknown; parts?: unknown };
  return role === "user" ? textOf(content ?? parts) : "";
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = (isList(content) ? content : []).map((part: unknown) => (Object(part) as { text?: unknown }).text ?? part);
  return texts.filter((text) => typeof text === "string").join("\n");
}
