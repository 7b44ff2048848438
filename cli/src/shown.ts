/** Makes text of strangers safe to print: control characters and marks that change how text is read are shown escaped. */

// Controls, bidirectional marks, zero-width characters, tags, lone surrogates and separators of lines.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text with every control and format character escaped, cut to `limit` characters. */
export function shown(text: string, limit = 300): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.replace(UNSAFE, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);
}

/** The message of anything that was thrown, safe to print. */
export function reasonOf(error: unknown, limit = 600): string {
  return shown(error instanceof Error ? error.message : String(error), limit);
}
