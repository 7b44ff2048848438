/** The beginning of a reply as a text by which the conversation is known again, however the client writes it down. */

/** Characters of the reply's text that count. */
export const MOST = 400;

/** By the ids of its calls, or by its text where it makes none. */
export function replyMark(text: string, ids: readonly string[]): string {
  const named = ids.filter((id) => id !== "").sort();
  return named.length > 0 ? named.join(" ") : begun(text);
}

/** The text without white space, which clients trim, as far as it counts. */
export function begun(text: string): string {
  return text
    .slice(0, 4 * MOST)
    .replace(/\s+/g, "")
    .slice(0, MOST);
}

/** A system prompt as a text by which the conversation is known again: without the time of day, which many state anew. */
export function promptMark(texts: readonly (string | undefined)[]): string {
  return texts.join("\n").replace(/\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?|\d{10,}/g, "");
}
