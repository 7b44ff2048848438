/**
 * Collects the queries that models wrote in recorded trials, with the right tools of each, as a labelled set for `npm run
 * eval`.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asLines, valuesOf } from "../../scripts/lib/json-lines.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { fill, labelOf, poolOf } from "./catalog.mjs";

const QUERIES = at("lab", "trial", "queries.jsonl");
const README = `# Queries of models

What models searched for in the recorded trials (lab/trial/recordings), labelled by hand: \`groups\` are the needs that a query
names, each with the tools that are right for it. Look-ups on the way to a need, and what nothing serves, are left out.
`;

/** Writes catalog.jsonl, queries.jsonl and README.md into a folder. Returns the numbers of tools and queries. */
export function writeQueries(folder, { catalogs, size }) {
  const asked = valuesOf(QUERIES);
  const pool = poolOf(catalogs);
  const entries =
    size === undefined ? pool : fill(pool, new Set(asked.flatMap(({ groups }) => groups.flat(1))), size, "trial");
  const counts = new Map();
  for (const { tool } of entries) counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1);
  const nameOf = ({ server, tool }) => (counts.get(tool.name) > 1 ? `${server}__${tool.name}` : tool.name);
  const names = new Map(entries.map((entry) => [labelOf(entry), nameOf(entry)]));
  const queries = asked.map(({ query, by, groups: labels }, i) => {
    const groups = labels.map((group) => group.filter((label) => names.has(label)).map((label) => names.get(label)));
    return { id: `${by}-${i + 1}`, query, kind: by, relevant: [...new Set(groups.flat())], match: "all", groups };
  });
  const known = queries.filter(({ groups }) => groups.every((group) => group.length > 0));
  const tools = entries.map((entry) => {
    const { description = "", inputSchema } = entry.tool;
    return { name: nameOf(entry), description, parameters: inputSchema, server: entry.server };
  });
  const write = (name, rows) => writeFileSync(join(folder, name), asLines(rows));
  mkdirSync(folder, { recursive: true });
  write("catalog.jsonl", tools);
  write("queries.jsonl", known);
  writeFileSync(join(folder, "README.md"), README);
  return { tools: tools.length, queries: known.length };
}
