/** Measures the benefit of packs: the same queries with and without them, on the tools of all servers together. */

import { bootstrap } from "../eval/bootstrap.mjs";
import { mean } from "../eval/metrics.mjs";
import { valuesOf } from "../../scripts/lib/json-lines.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { familyOf } from "./check.mjs";

/** The greatest rank that counts as found. */
const DEPTH = 50;
/** The kinds of queries: texts of people, and queries that an agent writes for them. */
const KINDS = ["person", "agent"];
/** From this share of common words, a query counts as similar to a query in its tool's pack. */
const ALIKE = 0.5;

/** Reads queries by authors who had not seen the packs: `{ id, kind, query, relevant: ["server__tool"] }`. */
export const readQueries = () => valuesOf(at("lab", "packs", "queries.jsonl"));

/**
 * Compares search with and without packs: recall@1 and recall@5 by kind, the difference with its 95 % interval, and the
 * queries whose tool entered or left the first five hits. `unlike` are only the queries that are similar to no query of a
 * pack, because two authors sometimes write the same. `others` is the loss of a server without a pack among servers with
 * packs: each query is run with the packs of all servers except its own.
 *
 * @param packsFor of `toolsift/packs`
 */
export async function judge({ ToolSift, packsFor }, packs, catalogs, queries) {
  // Variants are left out, because they have the same tools with other descriptions.
  const servers = catalogs.filter(({ server }) => familyOf(server) === server);
  const without = ranks(ToolSift, servers, [], queries);
  const enrichments = await Promise.all(servers.map(async ({ tools }) => (await packsFor(tools)).entries));
  const withPacks = ranks(ToolSift, servers, enrichments, queries);
  const bare = withoutOwn(ToolSift, servers, enrichments, queries);
  const isUnlike = unlike(packs);
  const rows = queries.map((query, at) => ({ ...query, before: without[at], after: withPacks[at] }));
  const hits = (rank, most) => Number(rank !== null && rank <= most);
  const parts = {
    ...Object.fromEntries(KINDS.map((kind) => [kind, rows.filter((row) => row.kind === kind)])),
    all: rows,
    unlike: rows.filter(isUnlike),
    others: rows.map((row) => ({ ...row, after: bare.get(row.id) })),
  };
  const recall = Object.entries(parts).map(([kind, own]) => {
    const at = (most) => {
      const difference = bootstrap([own.map(({ before, after }) => hits(after, most) - hits(before, most))]).sets[0];
      const share = (key) => mean(own.map((row) => hits(row[key], most)));
      return { without: share("before"), with: share("after"), difference };
    };
    return { kind, queries: own.length, first: at(1), five: at(5) };
  });
  const lost = rows.filter(({ before, after }) => hits(before, 5) > hits(after, 5));
  const won = rows.filter(({ before, after }) => hits(before, 5) < hits(after, 5));
  const noLongerFirst = rows.filter(({ before, after }) => before === 1 && after !== 1);
  const tools = servers.reduce((sum, one) => sum + one.tools.length, 0);
  return { servers: servers.length, tools, recall, won: won.length, lost, noLongerFirst, byServer: byServer(rows, hits) };
}

/** Returns a function that tells whether a query is unlike all queries in the pack of its tools. */
function unlike(packs) {
  const wordsOf = (text) => new Set(text.toLowerCase().match(/[a-z0-9]+/g));
  const known = new Map();
  for (const { name: pack, entries } of packs) {
    for (const { name, queries } of entries) {
      const tool = `${pack}__${name}`;
      known.set(tool, [...(known.get(tool) ?? []), ...queries.map(wordsOf)]);
    }
  }
  return ({ query, relevant }) => {
    const words = wordsOf(query);
    return relevant.every((tool) =>
      (known.get(tool) ?? []).every((other) => {
        const common = [...words].filter((word) => other.has(word)).length;
        return common < ALIKE * (words.size + other.size - common);
      }),
    );
  };
}

/** Returns the ranks of each query without the packs of the servers with its tools. */
function withoutOwn(ToolSift, servers, enrichments, queries) {
  const serversOf = ({ relevant }) => [...new Set(relevant.map(serverOf))].sort().join();
  const groups = grouped(queries, serversOf);
  const found = new Map();
  for (const [own, asked] of groups) {
    const others = enrichments.map((entries, at) => (own.split(",").includes(servers[at].server) ? [] : entries));
    for (const [at, rank] of ranks(ToolSift, servers, others, asked).entries()) found.set(asked[at].id, rank);
  }
  return found;
}

const serverOf = (tool) => tool.split("__")[0];

function grouped(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** Returns the results of the queries by server. */
function byServer(rows, hits) {
  return [...grouped(rows, ({ relevant }) => serverOf(relevant[0]))].map(([server, own]) => {
    const count = (key, most) => own.reduce((sum, row) => sum + hits(row[key], most), 0);
    const pair = (most) => ({ without: count("before", most), with: count("after", most) });
    return { server, queries: own.length, first: pair(1), five: pair(5) };
  });
}

/** Returns for each query the rank of the best relevant tool, counted from 1, or null. */
function ranks(ToolSift, servers, enrichments, queries) {
  const sift = new ToolSift({ search: { universe: "all" } });
  try {
    for (const [at, { server, tools }] of servers.entries()) {
      sift.register(tools, { server, names: "alias", enrichment: enrichments[at] ?? [] });
    }
    const nameOf = new Map(sift.tools().map(({ name, server, originalName }) => [name, `${server}__${originalName}`]));
    return queries.map(({ query, relevant }) => {
      const { hits } = sift.search(query, { limit: DEPTH });
      const rank = hits.findIndex(({ name }) => relevant.includes(nameOf.get(name)));
      return rank < 0 ? null : rank + 1;
    });
  } finally {
    sift.dispose();
  }
}
