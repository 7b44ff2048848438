/** Appends the prompt section to the host's own text, with an empty line between them. */

/** Joins the texts of a system prompt; empty texts are left out. */
export function joined(...texts: readonly (string | null | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== null && text !== "").join("\n\n");
}
