/** Makes the arguments of a model's call: a value of the right type for every required parameter. */

/** What stands in for a text that only a real conversation would know. */
const TEXT = "what the user said";
/** Schemas may refer to themselves; below this depth a parameter is left empty. */
const DEPTH = 4;

/** Arguments for a tool's schema: the same in every profile, so that they tell nothing for or against one. */
export function argumentsFor(schema) {
  return object(schema, DEPTH);
}

function object(schema, depth) {
  const properties = schema?.properties ?? {};
  const required = Array.isArray(schema?.required) ? schema.required.filter((key) => typeof key === "string") : [];
  return Object.fromEntries(required.map((key) => [key, value(properties[key], depth - 1)]));
}

function value(schema, depth) {
  if (Array.isArray(schema?.enum) && schema.enum.length > 0) return schema.enum[0];
  if (schema?.const !== undefined) return schema.const;
  const type = Array.isArray(schema?.type) ? schema.type[0] : schema?.type;
  if (type === "number" || type === "integer") return 7;
  if (type === "boolean") return true;
  if (type === "array") return depth > 0 ? [value(schema.items, depth - 1)] : [];
  if (type === "object") return depth > 0 ? object(schema, depth) : {};
  return TEXT;
}
