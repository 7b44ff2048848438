/** Makes a text of a reply's beginning, by which its conversation is recognised in any format of the client. */

/** The maximum length of the compared text, in characters. */
export const COMPARED_CHARS = 400;

/** Returns the mark of a reply: the ids of its calls, or its text if it has no calls. */
export function replyMark(text: string, ids: readonly string[]): string {
  const named = ids.filter((id) => id !== "").sort();
  return named.length > 0 ? named.join(" ") : begun(text);
}

/** Returns the beginning of the text without white space, which clients trim. */
export function begun(text: string): string {
  return text
    .slice(0, 4 * COMPARED_CHARS)
    .replace(/\s+/g, "")
    .slice(0, COMPARED_CHARS);
}

/** Returns the mark of a system prompt: its text without times of day, which many prompts contain and change. */
export function promptMark(texts: readonly (string | undefined)[]): string {
  return texts.join("\n").replace(/\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?|\d{10,}/g, "");
}
