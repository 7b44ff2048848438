/** Appends the prompt section to your program's own prompt, with an empty line between them. */

import { fieldsOf, textIn } from "./fields.js";

/** Joins the texts of a system prompt; empty texts are left out. */
export function joined(...texts: readonly (string | null | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== null && text !== "").join("\n\n");
}

/**
 * Returns messages with the prompt section at the end of the last system message at their beginning, because some models
 * accept only one system message.
 *
 * @param read reads a message, if the messages are not plain objects
 * @param written writes a message
 */
export function withPrompt<M>(
  messages: readonly M[],
  section: string,
  read: (message: M) => unknown = (message) => message,
  written: (message: object) => M = (message) => message as M,
): M[] {
  if (section === "") return [...messages];
  const end = messages.findIndex((message) => !isSystem(read(message)));
  const at = (end === -1 ? messages.length : end) - 1;
  if (at === -1) return [written({ role: "system", content: section }), ...messages];
  const last = fieldsOf(read(messages[at]!));
  const content = withSection(last["content"], section);
  return messages.map((message, index) => (index === at ? written({ ...last, content }) : message));
}

/** Returns the content of a message, a text or a list of parts, with the prompt section at its end. */
export function withSection(content: unknown, section: string): string | unknown[] {
  return Array.isArray(content) ? [...content, { type: "text", text: section }] : joined(textIn(content), section);
}

/** Checks if a message is a system or developer message. */
export function isSystem(message: unknown): boolean {
  const { role } = fieldsOf(message);
  return role === "system" || role === "developer";
}
