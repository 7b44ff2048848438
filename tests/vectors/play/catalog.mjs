/** Registers the catalog of a vector (a recorded example of a published system). */

import { NotUnderstood, only } from "./facts.mjs";

const ENTRY = ["name", "description", "parameters", "server", "category", "search_hint", "deferrable"];

/**
 * Registers entries in their order. A tool that bears the name of a discovery tool is left out: no system ever shows or
 * finds one, and ours does not take it.
 */
export function register(sift, entries, deferral) {
  const definitions = entries.map((entry) => {
    only(entry, ENTRY, "a tool of the catalog");
    const { name, description, parameters, server, category, search_hint: searchHint } = entry;
    return { name, description, parameters, server, category, searchHint, deferral: deferral(entry) };
  });
  const { rejected } = sift.register(definitions, { names: "any" });
  const problem = rejected.find(({ code }) => code !== "name_reserved");
  if (problem) throw new Error(`${problem.name} was not registered: ${problem.message}`);
}

/** Reads `"deferrable!=never"`. */
export function condition(text) {
  const [, sign, value] = /^deferrable(==|!=)(never|automatic|always)$/.exec(text) ?? [];
  if (sign === undefined) throw new NotUnderstood(`the condition ${JSON.stringify(text)}`);
  return (entry) => (policy(entry) === value) === (sign === "==");
}

/** What a tool says of itself. */
export const policy = (entry) => entry.deferrable ?? "automatic";

/** Whether a schema is the one that the catalog has under this name. */
export function isFrom(entries, name, schema) {
  const entry = entries.find((one) => one.name === name);
  return entry !== undefined && JSON.stringify(entry.parameters) === JSON.stringify(schema);
}

/** UTF-8 bytes of a value's compact JSON. */
export const bytesOf = (value) => Buffer.byteLength(JSON.stringify(value));
