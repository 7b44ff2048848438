/** Puts the prompt section behind the host's own text, with an empty line between. */

/** Texts of a system prompt, one after the other; what is empty is left out. */
export function joined(...texts: readonly (string | null | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== null && text !== "").join("\n\n");
}
