/** Reads sets of tools and labelled queries from a folder, and checks each line. */

import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { linesOf, textOf, valuesOf } from "../../scripts/lib/json-lines.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { needsOf } from "./metrics.mjs";
import { shuffled } from "./random.mjs";

const CATALOG = "catalog.jsonl";
const QUERIES = "queries.jsonl";
const ENRICHMENT = "enrichment.jsonl";
/** The file with requests that no tool of the set serves. */
const UNSERVED = "no_match_queries.jsonl";

/** The seed for the order of every catalog, so that no ranker profits from the order of a file. */
const ORDER_SEED = "catalog order";

/**
 * Reads the sets in a folder, or the folder itself as one set: `{ name, tools, queries, unserved, enrichment?, notes }`.
 * Tools are in a fixed random order. `unserved` are requests that no tool serves. `enrichment` is the text of the set's own
 * file, or of a file in the folder `enrichment` next to the sets with whose name the set's name begins. `notes` are about
 * odd data.
 */
export function readSets(folder) {
  return setFolders(folder).map((path) => readSet(basename(path), path));
}

/**
 * Returns the sets with this project's own files for their catalogs. `CATALOG.enrichment.jsonl`, and the same name with a
 * language before the extension, are extra search words (`rewritten`). Every other `CATALOG.NAME.jsonl` is a set
 * `CATALOG NAME` of other requests for these tools. Requests without a relevant tool are those that no tool serves.
 */
export function withOwn(sets, folder) {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".jsonl"))
    .sort();
  return sets.flatMap((set) => {
    const own = files.filter((file) => file.startsWith(`${set.name}.`));
    const isWords = (file) => file.startsWith(`${set.name}.${ENRICHMENT.replace(".jsonl", ".")}`);
    const texts = own.filter(isWords).map((file) => textOf(join(folder, file)).trim());
    const worded = texts.length === 0 ? set : { ...set, rewritten: texts.join("\n") };
    const asked = own
      .filter((file) => !isWords(file))
      .map((file) => {
        const { queries, unserved } = queriesOf(join(folder, file));
        const name = `${set.name} ${file.slice(set.name.length + 1, -".jsonl".length)}`;
        return {
          ...worded,
          name,
          queries,
          unserved,
          notes: unknownIn(queries, new Set(set.tools.map(({ name }) => name))),
          isOwn: true,
        };
      });
    return [worded, ...asked];
  });
}

function queriesOf(path) {
  const all = linesOf(path).map(({ value, where }) => queryOf(value, where));
  const isServed = (query) => needsOf(query).length > 0;
  return { queries: all.filter(isServed), unserved: all.filter((query) => !isServed(query)).map(({ query }) => query) };
}

/** Returns a note about queries whose relevant tools do not exist. */
function unknownIn(queries, names) {
  const unknown = queries.filter((query) =>
    needsOf(query)
      .flat()
      .some((name) => !names.has(name)),
  );
  return unknown.length === 0 ? [] : [`${unknown.length} queries name relevant tools that the catalog lacks`];
}

function setFolders(folder) {
  const isSet = (path) => existsSync(join(path, CATALOG));
  const own = resolve(folder);
  if (isSet(own)) return [own];
  let names;
  try {
    names = readdirSync(own).sort();
  } catch (error) {
    throw new Problem(`the folder ${folder} cannot be read: ${error.message}`);
  }
  const found = names.map((name) => join(own, name)).filter(isSet);
  if (found.length === 0) throw new Problem(`${folder} holds no set: neither it nor a folder in it has a ${CATALOG}`);
  return found;
}

function readSet(name, path) {
  const tools = new Map();
  let repeated = 0;
  for (const { value, where } of linesOf(join(path, CATALOG))) {
    const tool = toolOf(value, where);
    if (tools.has(tool.name)) repeated += 1;
    else tools.set(tool.name, tool);
  }
  const queries = linesOf(join(path, QUERIES)).map(({ value, where }) => queryOf(value, where));
  if (queries.length === 0) throw new Problem(`${join(path, QUERIES)} holds no query`);
  const notes = [];
  if (repeated > 0) notes.push(`${repeated} lines repeat the name of an earlier tool and are left out`);
  notes.push(...unknownIn(queries, new Set(tools.keys())));
  const hollow = queries.filter((query) => needsOf(query).length === 0);
  if (hollow.length > 0) notes.push(`${hollow.length} queries name nothing relevant and count in no quality`);
  // Sorted by name first, so that the random order does not depend on the order in the file.
  const sorted = [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const words = wordsOf(name, path);
  const enrichment = words === undefined ? {} : { enrichment: textOf(words) };
  const unserved = existsSync(join(path, UNSERVED)) ? valuesOf(join(path, UNSERVED)).map(({ query }) => query) : [];
  return { name, tools: shuffled(sorted, ORDER_SEED), queries, unserved, ...enrichment, notes };
}

/** Returns the file with the enrichment of a set. */
function wordsOf(name, path) {
  if (existsSync(join(path, ENRICHMENT))) return join(path, ENRICHMENT);
  const shared = join(dirname(path), "enrichment");
  const files = existsSync(shared) ? readdirSync(shared).filter((file) => file.endsWith(".jsonl")) : [];
  const file = files.find((file) => `${name}_`.startsWith(`${basename(file, ".jsonl")}_`));
  return file && join(shared, file);
}

function toolOf(value, where) {
  const { name, description, parameters, server } = value ?? {};
  if (typeof name !== "string" || name === "") throw new Problem(`${where}: a tool needs a name`);
  for (const [key, text] of Object.entries({ description, server })) {
    if (text != null && typeof text !== "string") throw new Problem(`${where}: ${key} must be a text or null`);
  }
  return { name, description: description ?? "", parameters: parameters ?? null, server: server || null };
}

function queryOf(value, where) {
  const { id, query, relevant, match = "any", groups, kind } = value ?? {};
  const isNames = (list) => Array.isArray(list) && list.every((name) => typeof name === "string");
  if (typeof id !== "string" && typeof id !== "number") throw new Problem(`${where}: a query needs an id`);
  if (typeof query !== "string") throw new Problem(`${where}: query must be a text`);
  if (!isNames(relevant)) throw new Problem(`${where}: relevant must be a list of names`);
  if (match !== "any" && match !== "all") throw new Problem(`${where}: match must be any or all`);
  if (groups != null && !(Array.isArray(groups) && groups.every(isNames))) {
    throw new Problem(`${where}: groups must be a list of lists of names`);
  }
  if (kind != null && typeof kind !== "string") throw new Problem(`${where}: kind must be a text`);
  return { id, query, relevant, match, ...(groups == null ? {} : { groups }), ...(kind == null ? {} : { kind }) };
}
