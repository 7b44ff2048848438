/** Makes text of strangers safe to print: control characters and marks that change how text is read are shown escaped. */

import { escaped } from "./output/escape.js";

/** The text with every control and format character escaped, cut to `limit` characters. */
export function shown(text: string, limit = 300): string {
  return escaped(text.length > limit ? `${text.slice(0, limit)}…` : text);
}

/** The message of anything that was thrown, safe to print. */
export function reasonOf(error: unknown, limit = 600): string {
  return shown(error instanceof Error ? error.message : String(error), limit);
}
