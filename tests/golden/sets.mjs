/** Reads and checks the queries of each golden set, and makes the catalog for them. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { at } from "../../scripts/lib/paths.mjs";
import { Problem } from "../../scripts/lib/run.mjs";

/** The sets, each with the file of its catalog: a JSON array or a line of JSON for each tool. */
export const SETS = {
  mcp60: at("tests", "vectors", "catalogs", "mcp60.json"),
  town: at("tests", "golden", "town", "catalog.jsonl"),
};

/** What kinds of query there are. To those of the last one the right answer is none. */
export const NOTHING = "nothing";
export const CLASSES = ["keywords", "synonym", "paraphrase", "exact", "intents", "typo", "script", NOTHING];

/** One set: `{ name, tools, queries }`. */
export function readSet(name) {
  const tools = inFixedOrder(parsed(SETS[name]).map(toDefinition));
  const queries = parsed(at("tests", "golden", name, "queries.jsonl"));
  const known = new Set(tools.map((tool) => tool.name));
  const seen = new Set();
  for (const one of queries) {
    const wrong = wrongWith(one, known) ?? (seen.has(one.id) ? "is there twice" : undefined);
    if (wrong) throw new Problem(`the query ${one.id} of ${name} ${wrong}`);
    seen.add(one.id);
  }
  return { name, tools, queries };
}

function parsed(path) {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".jsonl")
    ? text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : JSON.parse(text);
}

function toDefinition({ name, description, parameters, server, search_hint: searchHint, tags }) {
  return { name, description, parameters, server, searchHint, tags };
}

/** By a hash of the name, so that neither the order of writing nor that of letters decides between equals. */
function inFixedOrder(tools) {
  const hash = ({ name }) => createHash("sha256").update(name).digest("hex");
  return tools.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1));
}

/** What a query gets wrong, if anything. */
export function wrongWith({ query, relevant, match, class: kind }, known) {
  if (typeof query !== "string" || query.trim() === "") return "asks nothing";
  if (!CLASSES.includes(kind)) return `is of the class ${kind}, which is none of ${CLASSES.join(", ")}`;
  if (match !== "any" && match !== "all") return `has the match ${match}, which is neither any nor all`;
  const strange = relevant.find((name) => !known.has(name));
  if (strange !== undefined) return `wants ${strange}, which is not in the catalog`;
  if ((relevant.length === 0) !== (kind === NOTHING)) return `of the class ${kind} wants ${relevant.length} tools`;
  return undefined;
}
