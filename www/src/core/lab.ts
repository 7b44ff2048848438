/**
 * Every ranker on the same catalog. Each is searched as the profile has it that it comes from; the ranker in force as the
 * settings have it.
 */
import type { Explanation, Ranker, SearchResult, ToolSift } from "toolsift";
import type { Line } from "../model/lines.ts";
import { defaultSettings, type ProfileTable, type Settings } from "../model/settings.ts";

/** What one ranker finds. */
export interface Column {
  ranker: Ranker;
  /** The profile whose settings it is searched with. */
  profile: string;
  inForce: boolean;
  /** Null where the query is refused. */
  result: SearchResult | null;
  /** Why it is refused. */
  refused: string | null;
}

/** Why one ranker finds a tool, or does not. */
export interface Reasoning {
  ranker: Ranker;
  explanation: Explanation | null;
}

/** A query whose tool was not the first. */
export interface Miss {
  line: Line;
  /** The place of the best of the right tools among the first hits, or null. */
  rank: number | null;
  /** What came first, if anything did. */
  first: string | null;
}

/** How well one ranker does on some lines. */
export interface Score {
  ranker: Ranker;
  queries: number;
  /** Queries whose tool came first, and among the first five. */
  first: number;
  five: number;
  misses: Miss[];
}

/** Hits that each ranker shows. */
const SHOWN = 5;

/** How far down a tool is looked for. */
const SEARCHED = 50;

/** The order in which rankers stand beside each other. */
const RANKERS: readonly Ranker[] = ["sift", "bm25", "parts", "overlap", "pattern"];

interface Own {
  ranker: Ranker;
  profile: string;
  inForce: boolean;
  sift: ToolSift;
}

/** Catalogs for each ranker, made when they are first needed and kept as long as tools and settings stay. */
export class Lab {
  #key = "";
  #rankers: Own[] = [];

  /** @param sift makes a catalog of the tools under some settings */
  prepare(key: string, settings: Settings, profiles: ProfileTable, sift: (settings: Settings) => ToolSift): void {
    if (key === this.#key) return;
    this.dispose();
    const native = new Map<Ranker, string>();
    for (const { name, search } of profiles.all) if (!native.has(search.ranker)) native.set(search.ranker, name);
    const current = settings.ranker || profiles.all.find((row) => row.name === settings.profile)?.search.ranker;
    this.#rankers = RANKERS.map((ranker) => {
      const inForce = ranker === current;
      const { name: profile } = profiles.all.find((row) => row.name === native.get(ranker)) ?? { name: settings.profile };
      const own = inForce ? settings : defaultSettings(profiles, profile);
      // Every tool is searched, so that rankers differ by how they rank alone.
      return { ranker, profile: own.profile, inForce, sift: sift({ ...own, universe: "all" }) };
    });
    this.#key = key;
  }

  rank(query: string): Column[] {
    return this.#rankers.map(({ ranker, profile, inForce, sift }) => {
      try {
        return { ranker, profile, inForce, result: sift.search(query, { limit: SHOWN, reasons: true }), refused: null };
      } catch (error) {
        return { ranker, profile, inForce, result: null, refused: reasonOf(error) };
      }
    });
  }

  explain(query: string, name: string): Reasoning[] {
    return this.#rankers.map(({ ranker, sift }) => {
      try {
        return { ranker, explanation: sift.explain(query, name) };
      } catch {
        return { ranker, explanation: null };
      }
    });
  }

  /** How each ranker does on these lines. Tools are named as the model sees them, as their server calls them, or `server:name`. */
  evaluate(lines: readonly Line[]): { scores: Score[]; unknown: Line[] } {
    const names = this.#names();
    const known = lines.map((line) => ({ line, right: new Set(line.tools.flatMap((tool) => names.get(tool) ?? [])) }));
    const asked = known.filter(({ right }) => right.size > 0);
    const scores = this.#rankers.map(({ ranker, sift }) => {
      const score: Score = { ranker, queries: asked.length, first: 0, five: 0, misses: [] };
      for (const { line, right } of asked) {
        const hits = hitsOf(sift, line.query);
        const place = hits.findIndex((name) => right.has(name));
        if (place === 0) score.first += 1;
        if (place >= 0 && place < SHOWN) score.five += 1;
        if (place !== 0) score.misses.push({ line, rank: place < 0 ? null : place + 1, first: hits[0] ?? null });
      }
      return score;
    });
    return { scores, unknown: known.filter(({ right }) => right.size === 0).map(({ line }) => line) };
  }

  dispose(): void {
    for (const { sift } of this.#rankers) sift.dispose();
    this.#rankers = [];
    this.#key = "";
  }

  #names(): Map<string, string[]> {
    const names = new Map<string, string[]>();
    const add = (key: string, name: string) => names.set(key, [...(names.get(key) ?? []), name]);
    for (const { name, originalName, server } of this.#rankers[0]?.sift.tools() ?? []) {
      for (const key of new Set([name, originalName, `${server}:${originalName}`])) add(key, name);
    }
    return names;
  }
}

function hitsOf(sift: ToolSift, query: string): string[] {
  try {
    return sift.search(query, { limit: SEARCHED }).hits.map(({ name }) => name);
  } catch {
    // A query that a ranker refuses finds nothing there.
    return [];
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
