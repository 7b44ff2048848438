/** Makes elements of the page. What servers and models said becomes text, never markup. */

/** A text is shown with its hidden characters written out; null and undefined are nothing. */
export type Content = Node | string | null | undefined;

/** What an element has: properties, and a listener for clicks. */
type About<E> = Partial<Pick<E, keyof E & ("className" | "open")>> & { onClick?: (button: HTMLButtonElement) => void };

const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const visible = (text: string): string => text.replace(HIDDEN, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);

/** An element with what stands in it. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  { onClick, ...properties }: About<HTMLElementTagNameMap[K]>,
  ...inside: readonly (Content | readonly Content[])[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  if (onClick !== undefined) made.addEventListener("click", () => onClick(made as unknown as HTMLButtonElement));
  for (const one of inside.flat() as Content[]) {
    if (one !== null && one !== undefined) made.append(one instanceof Node ? one : visible(one));
  }
  return made;
}

/** A cell of a table. */
export const td = (className: string, ...inside: readonly Content[]): HTMLTableCellElement =>
  el("td", { className }, inside);

/** A row of a table. */
export const row = (...cells: readonly HTMLTableCellElement[]): HTMLTableRowElement => el("tr", {}, cells);

/** A text in grey. */
export const soft = (text: string): HTMLSpanElement => el("span", { className: "soft" }, text);

const opened = new Set<string>();

/** Details that stay open when the page is drawn again. */
export function opening(key: string, summary: string, ...inside: readonly Content[]): HTMLDetailsElement {
  const made = el("details", { open: opened.has(key) }, el("summary", {}, summary), inside);
  made.addEventListener("toggle", () => (made.open ? opened.add(key) : opened.delete(key)));
  return made;
}
