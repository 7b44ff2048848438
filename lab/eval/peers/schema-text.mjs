/** Collects the words of a schema: names, descriptions and values of parameters at every depth. */

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The keys of a schema whose values map names, which the author chose, to schemas. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/** Returns the names, titles, descriptions and allowed values of the parameters at every depth. */
export function deepTexts(schema) {
  if (Array.isArray(schema)) return schema.flatMap(deepTexts);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (NAMED.has(key) && isObject(value)) {
      return Object.entries(value).flatMap(([name, inner]) => [name, ...deepTexts(inner)]);
    }
    if (key === "description" || key === "title") return typeof value === "string" ? [value] : [];
    if (key === "enum" && Array.isArray(value)) return value.filter((one) => typeof one === "string");
    return deepTexts(value);
  });
}
