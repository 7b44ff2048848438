/** Makes text from files safe and short enough for a terminal. */

/** The longest name or value that a message quotes. */
const MAX_SHOWN = 80;

/** The text in quotes, with control, format and bidirectional characters escaped, cut at 80 characters. */
export function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return `"${visible(cut)}"`;
}

/** A path in quotes, whole: the user has to find the file. */
export function shownPath(path: string): string {
  return `"${visible(path)}"`;
}

/** The text with control, format and bidirectional characters and lone surrogates escaped. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}
