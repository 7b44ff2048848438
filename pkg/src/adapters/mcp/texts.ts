/** Bounds the texts that servers send, before they come into the catalog or the prompt. */

/** The first characters of a text. */
export function cut(text: string, most: number, end = ""): string {
  if (text.length <= most) return text;
  // Half of a surrogate pair would make the whole prompt one that vendors refuse.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}${end}`;
}
