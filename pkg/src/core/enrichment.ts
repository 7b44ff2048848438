/** Hands enrichments to the core, which reads them as text. */

import { text } from "../base/texts.js";
import { isList, kind } from "../base/values.js";
import { ToolSiftError } from "../base/errors.js";
import { ownFields, plain } from "../base/plain.js";

/** The core's own limit, in bytes. */
const MOST_CHARS = 64 * 1024 * 1024;

/** The options of a registration as the core takes them: the enrichment as text, everything else as plain data. */
export function registration(options: unknown): unknown {
  if (typeof options !== "object" || options === null || isList(options)) return plain("options", options);
  const { enrichment, ...others } = ownFields("options", options);
  const settings = plain("options", others) as Record<string, unknown>;
  return enrichment === undefined ? settings : { ...settings, enrichment: sidecar(enrichment) };
}

function sidecar(enrichment: unknown): string | null {
  if (enrichment === null) return null;
  const what = "options.enrichment";
  if (typeof enrichment !== "string" && !isList(enrichment)) {
    const message = `${what} must be a list of entries or the text of an enrichment file, got ${kind(enrichment)}`;
    throw new ToolSiftError("option_invalid", message);
  }
  // Through JSON, half a surrogate pair in an entry arrives as an escape, which the core refuses with its place.
  const written = isList(enrichment) ? JSON.stringify(enrichment) : text(what, enrichment);
  if (written.length > MOST_CHARS) {
    throw new ToolSiftError("enrichment_invalid", `${what} takes ${written.length} characters; at most ${MOST_CHARS}`);
  }
  return written;
}
