/** Reads fields of JSON values of which nothing is known. */

/** An object of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; none for what is no object. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** Whether a value is an object with fields. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The elements of a list that are objects. */
export function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A text; undefined for what is none. */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The text of a message's content: a text, or a list of parts, some of which have one. */
export function textOf(content: unknown): string {
  return (
    textIn(content) ??
    objectsIn(content)
      .map(({ text }) => textIn(text) ?? "")
      .join("")
  );
}

/** The fields that have a value: pieces of a stream leave many of them empty. */
export function definedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
