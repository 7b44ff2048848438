/** Searches the tools that a client defers, as the vendors' own tool searches do: by a pattern, or by words. */

import { ToolSift } from "toolsift:self";
import { ToolSiftError } from "../../errors.js";
import type { ToolSift as Sift } from "../../index.js";
import { RecentCatalogs } from "../../recent-catalogs.js";
import type { ToolDefinition } from "../../types.js";
import type { Found, Search } from "./types.js";

/** The vendors' limits. */
const MOST_HITS = 5;
const MOST_CHARS = { pattern: 200, words: 500 };
/** Characters of all lists that are kept, beside their number. */
const MOST_KEPT_CHARS = 67_108_864;

/** How a search reads its query. */
export type Kind = keyof typeof MOST_CHARS;

interface SearchableList {
  text: string;
  kind: Kind;
  sift: Sift;
}

/** Lists of tools that can be searched. The most recently used are kept. */
export class Finder {
  readonly #kept: RecentCatalogs<SearchableList>;
  /** The texts of the lists of requests that go on: a reply may search many times. */
  readonly #texts = new WeakMap<readonly object[], string>();

  constructor(most: number) {
    this.#kept = new RecentCatalogs(most, MOST_KEPT_CHARS);
  }

  /** What a search of these tools finds. Definitions that the core refuses are not found. */
  find(tools: readonly object[], kind: Kind, { query, limit }: Search): Found {
    if (query === undefined || query.trim() === "") return { error: "the search needs a text to search for" };
    const most = MOST_CHARS[kind];
    if (query.length > most) return { error: `the search has ${query.length} characters; at most ${most} are allowed` };
    const sift = this.#siftOf(tools, kind);
    const hits = Number.isInteger(limit) && (limit as number) > 0 ? Math.min(limit as number, MOST_HITS) : MOST_HITS;
    try {
      return { names: sift.search(query, { limit: hits }).hits.map(({ name }) => name) };
    } catch (error) {
      if (!ToolSiftError.is(error)) throw error;
      return { error: error.message };
    }
  }

  /** The version of the core, whose rankers change with it. */
  version(): string {
    const sift = this.#siftOf([], "words");
    const session = sift.session("version");
    const [, version] = session.ranker;
    session.close();
    return version;
  }

  #siftOf(tools: readonly object[], kind: Kind): Sift {
    const text = this.#texts.get(tools) ?? JSON.stringify(tools);
    this.#texts.set(tools, text);
    const known = this.#kept.find((one) => one.kind === kind && one.text === text);
    const one = known ?? { text, kind, sift: makeSift(tools, kind) };
    // A search is over as soon as it returns, and what was used last is not disposed of.
    this.#kept.use(one)();
    return one.sift;
  }
}

function makeSift(tools: readonly object[], kind: Kind): Sift {
  const sift = new ToolSift({ search: { universe: "all", ...(kind === "pattern" && { ranker: "pattern" as const }) } });
  sift.register(tools as ToolDefinition[]);
  return sift;
}
