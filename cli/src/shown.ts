/** Makes text of strangers safe to print: control characters and marks that change the direction of text are shown escaped. */

// C0 and C1 controls, bidirectional marks, zero-width characters, tags and lone surrogates.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text with every control and format character escaped, cut to `limit` characters. Line breaks stay where `lines` is set. */
export function shown(text: string, limit = 300, { lines = false }: { lines?: boolean } = {}): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.replace(UNSAFE, (one) => {
    if (lines && (one === "\n" || one === "\t")) return one;
    return `\\u{${one.codePointAt(0)!.toString(16)}}`;
  });
}

/** The message of anything that was thrown, safe to print. */
export function reasonOf(error: unknown, limit = 600): string {
  return shown(error instanceof Error ? error.message : String(error), limit);
}
