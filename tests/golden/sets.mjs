/** Reads the queries of each golden set, and makes the catalog for them. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { at } from "../../scripts/lib/paths.mjs";
import { Problem } from "../../scripts/lib/run.mjs";

/** The sets, each with the file of its catalog: a JSON array or a line of JSON for each tool. */
export const SETS = {
  mcp60: at("tests", "vectors", "catalogs", "mcp60.json"),
  town: at("tests", "golden", "town", "catalog.jsonl"),
};

/** One set: `{ name, tools, queries }`. */
export function readSet(name) {
  const tools = inFixedOrder(parsed(SETS[name]).map(toDefinition));
  const queries = parsed(at("tests", "golden", name, "queries.jsonl"));
  const known = new Set(tools.map((tool) => tool.name));
  const wrong = queries.find(({ relevant }) => relevant.some((one) => !known.has(one)));
  if (wrong) throw new Problem(`the query ${wrong.id} of ${name} wants a tool that is not in the catalog`);
  return { name, tools, queries };
}

function parsed(path) {
  const text = readFileSync(path, "utf8");
  const lines = () =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  return path.endsWith(".jsonl") ? lines() : JSON.parse(text);
}

function toDefinition({ name, description, parameters, server, search_hint: searchHint, tags }) {
  return { name, description, parameters, server, searchHint, tags };
}

/** By a hash of the name, so that neither the order of writing nor that of letters decides between equals. */
function inFixedOrder(tools) {
  const hash = ({ name }) => createHash("sha256").update(name).digest("hex");
  return tools.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1));
}
