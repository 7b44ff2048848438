/** Makes the arguments of a model's call: a value of the right type for every required parameter. */

/** The placeholder for a text that only a real conversation would have. */
const TEXT = "what the user said";
/** The greatest depth of arguments. Schemas can refer to themselves, so deeper parameters are left empty. */
const DEPTH = 4;

/** Returns arguments for a tool's schema. They are equal in every profile, so that they favour none. */
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
