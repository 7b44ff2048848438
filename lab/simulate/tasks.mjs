/** Makes a task from every labelled query, with the hits of a search and the cost of each hit. */

import { needsOf } from "../eval/metrics.mjs";
import { registerAccepted } from "../eval/ours.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { MOST_SEARCHES } from "./steps.mjs";
import { lineOf, tokensOf } from "./line.mjs";

/** The number of hits that a search of the package shows. */
export const PAGE = 10;
/** The number of hits that are read from a ranking, for all searches of the model. */
export const DEPTH = PAGE * MOST_SEARCHES;
/** The most needs of one task, because they are bits of a number. */
const MOST_NEEDS = 30;

/** The profile whose ranker is used. */
export const PROFILE = "sift";
/** The settings that give each strategy its discovery tools. */
const SURFACES = { reveal: { profile: PROFILE }, constant: { surface: "constant" }, bridge: { profile: "bridge" } };
/**
 * The options for measuring: all tools are deferred, even if there are only a few, and the limits are as high as possible.
 */
export const MEASURED = { activation: "on", deferral: "opt-out", limits: { tools: 200_000 } };

/**
 * What stands at the beginning of every request, in tokens: `{ full, reveal, constant, bridge }`, each with its
 * `definitions` and its `prompt`.
 */
export function beginningsOf(ToolSift, tools) {
  const beginnings = {};
  for (const [strategy, options] of Object.entries(SURFACES)) {
    const sift = new ToolSift({ ...options, ...MEASURED });
    try {
      registerAccepted(sift, tools);
      const { full, parts } = sift.session("s").assemble({ format: "mcp" }).size;
      beginnings.full = { definitions: full.tokens, prompt: 0 };
      beginnings[strategy] = {
        definitions: parts.discovery.tokens + parts.eager.tokens,
        prompt: parts.prompt.tokens + parts.listing.tokens,
      };
    } finally {
      sift.dispose();
    }
  }
  return beginnings;
}

/** Returns the cost of a tool's name, its line and its definition. */
export const costsOf = (name, tokens, { description, parameters }) => ({
  definition: tokens,
  line: tokensOf(lineOf({ name, description, parameters })),
  name: tokensOf(`${name}, `),
});

/** Throws if a set has no task, or if a task has too many needs. */
export function checkTasks(sets) {
  for (const { name, queries } of sets) {
    const counts = queries.map((query) => needsOf(query).length);
    if (Math.max(0, ...counts) === 0) throw new Problem(`the set ${name} has no query that needs a tool`);
    const large = queries.find((_, at) => counts[at] > MOST_NEEDS);
    if (large) throw new Problem(`the query ${large.id} of ${name} needs more than ${MOST_NEEDS} tools`);
  }
}

/**
 * How many tools the package lists when a model asks a query, and the names of those that it loads then and for the pages
 * behind, when the model asks again.
 */
function answeredFor(sift, query) {
  const session = sift.session("s");
  const { content } = session.call("search_tools", { query });
  for (let search = 1; search < MOST_SEARCHES; search += 1) session.call("search_tools", { query });
  const loaded = new Set(session.revealed);
  session.close();
  return { loaded, listed: content.split("\n").filter((line) => line.startsWith("- ")).length };
}

/** Returns the tools that the package loads for the user's message before the model is asked. */
function aheadFor(sift, query) {
  const session = sift.session("s");
  const loaded = new Set(session.prefetch(query));
  session.close();
  return loaded;
}

/**
 * The tasks of some queries, leaving out those that need nothing: `{ needs, confidence, hits, listed }`, where `needs` has a
 * bit for each need, `listed` is how many hits the package's first answer lists, and each hit has its costs, its `score`,
 * the needs that it `meets`, whether the package `loads` it when the model searches for it and goes on to the next pages,
 * and whether it is loaded `ahead` where the user says the same.
 */
export function tasksOf(ToolSift, { tools }, queries) {
  const sift = new ToolSift({ profile: PROFILE, ...MEASURED });
  try {
    const own = registerAccepted(sift, tools);
    const costs = new Map(sift.tools().map(({ name, tokens }) => [name, costsOf(name, tokens, own.get(name))]));
    return queries.flatMap((query) => {
      const needs = needsOf(query);
      if (needs.length === 0) return [];
      const { hits, confidence } = sift.search(query.query, { limit: DEPTH });
      const met = (name) => needs.reduce((bits, group, at) => bits | (group.includes(name) ? 1 << at : 0), 0);
      const { loaded, listed } = answeredFor(sift, query.query);
      const ahead = aheadFor(sift, query.query);
      const priced = hits.map(({ name, score }) => {
        return {
          ...costs.get(name),
          score,
          meets: met(own.get(name).name),
          loads: loaded.has(name),
          ahead: ahead.has(name),
        };
      });
      return [{ needs: 2 ** needs.length - 1, confidence, hits: priced, listed }];
    });
  } finally {
    sift.dispose();
  }
}
