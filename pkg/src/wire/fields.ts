/** Reads fields of JSON values of unknown form. */

/** An object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an object; an empty object for other values. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** Checks if a value is an object and no list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the elements of a list that are objects. */
export function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns a text; undefined for other values. */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the text of a message's content, which is a text, or a list of parts with or without text. */
export function textOf(content: unknown): string {
  return (
    textIn(content) ??
    objectsIn(content)
      .map(({ text }) => textIn(text) ?? "")
      .join("")
  );
}

/** Returns the fields that have a value. Pieces of a stream have many fields without a value. */
export function definedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** Returns the sum of all numbers; other values are taken from the newer usage. */
export function summed(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (other === undefined || (other === null && one !== undefined)) return one;
  if (!isObject(one) || !isObject(other)) return other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, summed(one[key], other[key])]));
}
