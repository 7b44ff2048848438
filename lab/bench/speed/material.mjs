/** Writes the input files for one catalog size: a file with one server on each line, the queries, and a few single tools. */

import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { madeUpCatalogs } from "./generate.mjs";
import { queriesFrom } from "./queries.mjs";

/** The number of tools, spread over the catalog, from which queries are made. */
const SAMPLE = 200;
const NEWLINE = 0x0a;

/** Writes the input files for `count` tools into a folder, and returns facts about them. */
export function writeMaterial(folder, count) {
  const file = openSync(join(folder, "catalog.ndjson"), "w");
  const [sample, servers] = [[], []];
  const every = Math.max(1, Math.floor(count / SAMPLE));
  let changing;
  let seen = 0;
  for (const catalog of madeUpCatalogs(count)) {
    writeSync(file, `${JSON.stringify(catalog)}\n`);
    servers.push(catalog.server);
    for (const tool of catalog.tools) {
      if (seen++ % every === 0) sample.push({ server: catalog.server, tool });
    }
    // The server that changes is in the middle of the catalog.
    if (seen < count / 2 || changing === undefined) changing = catalog;
  }
  closeSync(file);
  const rest = { tools: seen, servers, sample, changing, queries: queriesFrom(sample) };
  writeFileSync(join(folder, "rest.json"), JSON.stringify(rest));
  return { tools: seen, servers: servers.length, bytes: statSync(join(folder, "catalog.ndjson")).size };
}

/** Reads everything except the catalog. */
export const readRest = (folder) => JSON.parse(readFileSync(join(folder, "rest.json"), "utf8"));

/** Reads the catalog server by server, because its whole text can exceed the maximum length of a string. */
export function* readCatalog(folder) {
  const bytes = readFileSync(join(folder, "catalog.ndjson"));
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(NEWLINE, from);
    yield JSON.parse(bytes.toString("utf8", from, to));
    from = to + 1;
  }
}
