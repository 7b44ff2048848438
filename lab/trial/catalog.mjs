/** Makes the catalog of a task: the needed tools, and other tools, chosen by a seed, up to a given size. */

import { existsSync, readFileSync } from "node:fs";
import { readCatalogs } from "../../scripts/lib/catalogs.mjs";
import { shuffled } from "../eval/random.mjs";
import { valuesOf } from "../../scripts/lib/json-lines.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { Problem } from "../../scripts/lib/run.mjs";

/** The servers of tests/vectors/catalogs/mcp60.json that are unlike all captured servers. */
const OFFICE = ["linear", "gdrive", "calendar", "weather"];

const CAPTURED = at("www", "captured");

/**
 * Returns all available tools, as `{ server, tool }`: the project's own (written for its tests, or captured from servers in
 * its development packages), and further ones from the folder `catalogs`.
 */
export function poolOf(catalogs) {
  const own = [...written(), ...listed(captured())];
  const servers = new Set(own.map(({ server }) => server));
  const more = catalogs === undefined ? [] : listed(readCatalogs(catalogs)).filter(({ server }) => !servers.has(server));
  const seen = new Set();
  // Some folders contain a server twice, once with all of its optional tools.
  return [...own, ...more].filter(({ tool }) => {
    const key = JSON.stringify([tool.name, tool.description]);
    return seen.has(key) ? false : seen.add(key);
  });
}

function written() {
  const town = valuesOf(at("tests", "golden", "town", "catalog.jsonl"));
  const office = JSON.parse(readFileSync(at("tests", "vectors", "catalogs", "mcp60.json"), "utf8"));
  return [...town, ...office.filter(({ server }) => OFFICE.includes(server))].map(asEntry);
}

function captured() {
  if (!existsSync(CAPTURED)) throw new Problem("the tools of the development servers are missing: node scripts/capture.mjs");
  return readCatalogs(CAPTURED);
}

const listed = (catalogs) => catalogs.flatMap(({ server, tools }) => tools.map((tool) => ({ server, tool })));

/** Returns a tool in the form of the test catalogs and of labelled sets. */
export const asEntry = ({ name, description, parameters, server }) => ({
  server,
  tool: { name, description, inputSchema: parameters ?? { type: "object", properties: {} } },
});

/** Returns the label of a tool: its server, if there is one, and its name. */
export const labelOf = ({ server, tool }) => (server === null ? tool.name : `${server}/${tool.name}`);

/** The greatest share of one server in a catalog, so that a large server does not dominate it. */
const SHARE = 0.1;

/**
 * Returns the entries of a catalog of `size` tools, in the order of the pool. It has all tools with a `needed` label, then
 * other tools of their servers, then tools of further servers in a random order from the `seed`.
 */
export function fill(pool, needed, size, seed) {
  const chosen = new Set(pool.filter((entry) => needed.has(labelOf(entry))));
  if (chosen.size > size) throw new Problem(`--size ${size}: the tasks need ${chosen.size} tools`);
  if (size > pool.length) {
    throw new Problem(
      `--size ${size}: there are ${pool.length} tools; --catalogs DIR adds those of a folder of tools/list answers`,
    );
  }
  const counts = new Map();
  const add = (entry) => {
    chosen.add(entry);
    counts.set(entry.server, (counts.get(entry.server) ?? 0) + 1);
  };
  const near = new Set([...chosen].map(({ server }) => server));
  for (const entry of chosen) add(entry);
  const servers = shuffled([...new Set(pool.map(({ server }) => server))], seed);
  const inOrder = servers.filter((server) => near.has(server)).concat(servers.filter((server) => !near.has(server)));
  const others = inOrder.flatMap((server) =>
    shuffled(
      pool.filter((entry) => entry.server === server),
      seed,
    ),
  );
  for (const most of [SHARE * size, size]) {
    for (const entry of others) {
      if (chosen.size < size && !chosen.has(entry) && (counts.get(entry.server) ?? 0) < most) add(entry);
    }
  }
  return pool.filter((entry) => chosen.has(entry));
}

/** Groups the entries by server, to register them. */
export function byServer(entries) {
  const servers = new Map();
  for (const { server, tool } of entries) servers.set(server, [...(servers.get(server) ?? []), tool]);
  return [...servers].map(([server, tools]) => ({ server, tools }));
}
