/** Appends the prompt section to the host's own text, with an empty line between them. */

import { fieldsOf, textIn } from "./fields.js";

/** Joins the texts of a system prompt; empty texts are left out. */
export function joined(...texts: readonly (string | null | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== null && text !== "").join("\n\n");
}

/**
 * Messages with the prompt section behind their own system messages at the beginning: in the last of them, since some models
 * take one only.
 *
 * @param read reads a message, if the messages are no objects
 * @param written writes one
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

/** The content of a message, a text or a list of parts, with the prompt section behind it. */
export function withSection(content: unknown, section: string): string | unknown[] {
  return Array.isArray(content) ? [...content, { type: "text", text: section }] : joined(textIn(content), section);
}

/** Whether a message is one of those that instruct the model. */
export function isSystem(message: unknown): boolean {
  const { role } = fieldsOf(message);
  return role === "system" || role === "developer";
}
