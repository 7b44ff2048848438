/** Reads and changes JSON text in place: only needed values are parsed, and every byte around a change stays unchanged. */

interface Span {
  /** The index where the key begins; for an element of a list, where the value begins. */
  key: number;
  start: number;
  end: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Returns the index after a value that is known to be at an index; undefined for other values. */
export type Skip = (key: string, text: string, at: number) => number | undefined;

/** One JSON object as text. */
export class JsonText {
  readonly text: string;
  readonly #members: ReadonlyMap<string, Span>;
  readonly #parsed = new Map<string, unknown>();

  private constructor(text: string, members: ReadonlyMap<string, Span>) {
    this.text = text;
    this.#members = members;
  }

  /**
   * Parses the object in a text; undefined for any other text, and for a duplicate key, which parsers treat differently.
   *
   * @param known returns the end of values that need not be read
   */
  static of(text: string, known?: Skip): JsonText | undefined {
    const members = membersOf(text, known);
    return members === undefined ? undefined : new JsonText(text, members);
  }

  has(key: string): boolean {
    return this.#members.has(key);
  }

  raw(key: string): string | undefined {
    const span = this.#members.get(key);
    return span === undefined ? undefined : this.text.slice(span.start, span.end);
  }

  /**
   * Returns a value, which is parsed at the first access. It must not be changed.
   *
   * @throws SyntaxError
   */
  value(key: string): unknown {
    if (this.#parsed.has(key)) return this.#parsed.get(key);
    const raw = this.raw(key);
    const value: unknown = raw === undefined ? undefined : JSON.parse(raw);
    this.#parsed.set(key, value);
    return value;
  }

  /** Returns the text with changed values: new keys are appended, and keys with the value undefined are removed. */
  with(changes: Readonly<Record<string, string | undefined>>): string {
    const spans = [...this.#members];
    const end = this.text.lastIndexOf("}");
    let written = "";
    let from = 0;
    let left = spans.length;
    for (const [at, [key, span]] of spans.entries()) {
      if (!Object.hasOwn(changes, key)) continue;
      const change = changes[key];
      if (change !== undefined) {
        written += this.text.slice(from, span.start) + change;
        from = span.end;
        continue;
      }
      left -= 1;
      const next = spans[at + 1]?.[1];
      written += this.text.slice(from, span.key);
      // If the last member is removed, the comma before it is removed too.
      if (next === undefined) written = written.replace(/,\s*$/, "");
      from = next === undefined ? span.end : next.key;
    }
    written += this.text.slice(from, end);
    for (const [key, value] of Object.entries(changes)) {
      if (value === undefined || this.#members.has(key)) continue;
      written += `${left > 0 ? "," : ""}${JSON.stringify(key)}:${value}`;
      left += 1;
    }
    return written + this.text.slice(end);
  }
}

/** Returns the texts of a list's elements; undefined for a text that is no list. */
export function elementsOf(text: string): string[] | undefined {
  let at = space(text, 0);
  if (text.charCodeAt(at) !== OPEN_LIST) return undefined;
  const found: string[] = [];
  at = space(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_LIST) return found;
  for (;;) {
    const end = valueEnd(text, at);
    if (end === undefined) return undefined;
    found.push(text.slice(at, end));
    at = space(text, end);
    const code = text.charCodeAt(at);
    if (code === CLOSE_LIST) return found;
    if (code !== COMMA) return undefined;
    at = space(text, at + 1);
  }
}

/** Returns the text of a list of JSON texts. */
export function listOf(texts: readonly string[]): string {
  return `[${texts.join(",")}]`;
}

function membersOf(text: string, known: Skip | undefined): Map<string, Span> | undefined {
  const members = new Map<string, Span>();
  let at = space(text, 0);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return undefined;
  at = space(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return isEnd(text, at + 1) ? members : undefined;
  for (;;) {
    const span = memberAt(text, at, members, known);
    if (span === undefined) return undefined;
    at = space(text, span.end);
    const code = text.charCodeAt(at);
    if (code === CLOSE_OBJECT) return isEnd(text, at + 1) ? members : undefined;
    if (code !== COMMA) return undefined;
    at = space(text, at + 1);
  }
}

function memberAt(text: string, key: number, members: Map<string, Span>, known?: Skip): Span | undefined {
  const keyEnd = text.charCodeAt(key) === QUOTE ? stringEnd(text, key) : undefined;
  const name = keyEnd === undefined ? undefined : unquoted(text.slice(key, keyEnd));
  if (keyEnd === undefined || name === undefined || members.has(name)) return undefined;
  const colon = space(text, keyEnd);
  if (text.charCodeAt(colon) !== COLON) return undefined;
  const start = space(text, colon + 1);
  const end = known?.(name, text, start) ?? valueEnd(text, start);
  if (end === undefined) return undefined;
  const span = { key, start, end };
  members.set(name, span);
  return span;
}

function unquoted(quoted: string): string | undefined {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

function isEnd(text: string, at: number): boolean {
  return space(text, at) === text.length;
}

function space(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** Returns the index after the closing quote. */
function stringEnd(text: string, at: number): number | undefined {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return undefined;
}

/** Returns the index after a value. Objects and lists are only skipped: parsing them later finds their errors. */
function valueEnd(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (end === undefined) return undefined;
      if (depth === 0) return end;
      at = end - 1;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      if (depth === 0) return at > from ? at : undefined;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === COMMA || code <= 0x20)) {
      return at > from ? at : undefined;
    }
  }
  return undefined;
}
