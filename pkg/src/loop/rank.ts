/**
 * Lets a ranker of your program take part in the ranking. Tools that it names are searched for as if the model had named
 * them; its scores are added to the core's. The core still decides on the answer, the loaded tools and the budget.
 */

import { kind, parsed, reasonOf } from "../base/values.js";
import { callable, known, oneOf, whole, signalIn } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import type {
  JsonObject,
  RankContext,
  FusedRanker,
  RankOptions,
  Scores,
  SearchResult,
  SettingsInfo,
  Signal,
  Searchable,
  AsyncCallOptions,
  CallOptions,
  Outcome,
} from "../types/index.js";
import { type Shape, wholeOf } from "../base/shape.js";
import { workInTime } from "./ending.js";
import { ownFields } from "../base/plain-data.js";

/** The decision of your program's ranker: other arguments for the core's search, scores for it, or a failure's reason. */
export interface Choice {
  args?: JsonObject;
  scores?: Scores;
  error?: string;
}

/** The part of a session that rankers read. */
export interface Ranked extends Searchable {
  id: string;
  found(query: string, limit: number, scores?: Scores): SearchResult;
}

/** Reads the session. Each call may pass another handle, so the handle must not be kept across an await. */
export type Reads = <T>(read: (session: Ranked) => T) => T;

/** A call of the model. */
interface AskedCall {
  name: unknown;
  args?: unknown;
  own?: unknown;
  broken?: unknown;
}

const TIMEOUT_MS = 10_000;
const MOST_RANK_MS = 600_000;
/** The search tool of the profile `sift`. */
const SEARCH = "search_tools";
/** The maximum number of hits of a search. */
const MOST_NAMES = 500;
/** The number of hits that are reranked: rerank models accept this many texts in one request. */
const RERANKED = 20;
/** A query without a word, which finds nothing. */
const NOTHING = ":";

/** The shape of the ranking options. `checkRankable` checks them against the settings of the catalog. */
export const RANKING: Shape<RankOptions> = {
  rank: (_, rank) => checkRank(rank as RankOptions["rank"]),
  rankTimeoutMs: wholeOf(1, MOST_RANK_MS),
};

/**
 * Checks that the settings allow a ranker of your program.
 *
 * @throws ToolSiftError `option_conflict` if the settings' search accepts neither exact names nor scores
 */
export function checkRankable({ rank }: RankOptions, settings: () => SettingsInfo): void {
  if (rank === undefined) return;
  const { profile, search } = settings();
  if (profile === "sift" && search.grammar === "full") return;
  const why = `the search of profile ${profile} with search.grammar ${search.grammar} does not take exact names`;
  throw new ToolSiftError("option_conflict", `options.rank needs profile sift with search.grammar full: ${why}`);
}

/**
 * Checks a ranker.
 *
 * @throws ToolSiftError `option_invalid`, `option_unknown`
 */
function checkRank(rank: RankOptions["rank"]): void {
  if (rank === undefined) return;
  if (typeof rank !== "object" || rank === null) {
    const help = typeof rank === "function" ? ": pass it as rank.rerank" : "";
    const message = `options.rank is ${kind(rank)}; it must be { scores, rerank, rerankWhen }${help}`;
    throw new ToolSiftError("option_invalid", message);
  }
  // An instance of a class may have other members.
  if (Object.getPrototypeOf(rank) === Object.prototype) known(rank, ["scores", "rerank", "rerankWhen"], "options.rank");
  const { scores, rerank, rerankWhen } = rank;
  callable("rank.scores", scores, rerank !== undefined);
  callable("rank.rerank", rerank, true);
  oneOf("rank.rerankWhen", rerankWhen, ["unsure", "always"]);
}

/** Asks your program's ranker; undefined for calls that it does not rank. */
export function ranked(
  reads: Reads,
  { name, args, own, broken }: AskedCall,
  { rank, rankTimeoutMs: ms = TIMEOUT_MS }: RankOptions,
  signal?: Signal,
): Promise<Choice> | undefined {
  if (rank === undefined || name !== SEARCH || own !== undefined || broken !== undefined) return undefined;
  const query = queryOf(args)?.trim() ?? "";
  return query === "" || /^select:/i.test(query) ? undefined : beside(rank, { reads, query, args, ms, signal });
}

interface Search {
  reads: Reads;
  query: string;
  args: unknown;
  ms: number;
  signal: Signal | undefined;
}

/** Asks a ranker that works with the core: its scores go into the core's ranking, and it can judge the hits again. */
async function beside(ranker: FusedRanker, search: Search): Promise<Choice> {
  const { reads, query, args } = search;
  let scores: Scores | undefined;
  const problems: string[] = [];
  try {
    if (ranker.scores !== undefined) {
      scores = scoresOf(await withinTime(search, (context) => reads((session) => ranker.scores!(query, session, context))));
    }
  } catch (error) {
    problems.push(reasonOf(error));
  }
  try {
    if (ranker.rerank !== undefined) {
      const { confidence, hits } = reads((session) => session.found(query, RERANKED, scores));
      if (hits.length > 0 && (confidence !== "high" || ranker.rerankWhen === "always")) {
        const tools = hits.map(({ name, server, description, score }) => ({ name, server, description, score }));
        const judged: unknown = await withinTime(search, (context) => ranker.rerank!(query, tools, context));
        const names = tools.map(({ name }) => name);
        if (Array.isArray(judged)) return { args: naming(args, judged, names), ...errorOf(problems) };
        scores = { ...scores, ...scoresOf(judged) };
      }
    }
  } catch (error) {
    problems.push(`rerank: ${reasonOf(error)}`);
  }
  return { ...(scores && { scores }), ...errorOf(problems) };
}

const errorOf = (problems: readonly string[]) => (problems.length > 0 ? { error: problems.join("; ") } : {});

function withinTime<T>({ reads, ms, signal }: Search, work: (context: RankContext) => T | PromiseLike<T>): Promise<T> {
  const session = reads(({ id }) => id);
  return workInTime(ms, signal, (own) => work({ session, signal: own }));
}

/** Returns the arguments of a search for exactly these names. */
function naming(args: unknown, names: readonly unknown[], candidates: readonly string[]): JsonObject {
  const known = new Set<unknown>(candidates);
  const found = [...new Set(names)].filter((name) => known.has(name)).slice(0, MOST_NAMES);
  if (found.length === 0 && names.length > 0) {
    throw new Error(`it returned only names that this session cannot find, such as ${kind(names[0])}`);
  }
  const { queries: _, ...others } = objectOf(args);
  return { ...others, query: found.length === 0 ? NOTHING : `select:${found.join(",")}` };
}

/** Returns checked scores, in the number that the core accepts. */
function scoresOf(scores: unknown): Scores {
  const entries = typeof scores === "object" && scores !== null ? Object.entries(scores) : undefined;
  if (entries === undefined) throw new Error(`it returned ${kind(scores)}, neither names nor scores`);
  const wrong = entries.find(([, score]) => !(typeof score === "number" && score >= 0 && score <= 1));
  if (wrong !== undefined)
    throw new Error(`it scored ${kind(wrong[0])} with ${kind(wrong[1])}; scores are numbers from 0 to 1`);
  return Object.fromEntries(entries.sort(([, a], [, b]) => b - a).slice(0, MOST_NAMES));
}

/** Returns the queries in the arguments of a discovery tool, one a line. */
export function queryOf(args: unknown): string | null {
  const { query, queries } = objectOf(args);
  const texts = [query, ...(Array.isArray(queries) ? queries : [])].filter((one) => typeof one === "string");
  return texts.length === 0 ? null : texts.join("\n");
}

function objectOf(args: unknown): JsonObject {
  return Object(typeof args === "string" ? parsed(args) : args) as JsonObject;
}

/** Warns on the console that your program's ranker failed, if there is no other listener. */
export function warn(reason: string): void {
  console.warn(`toolsift: options.rank failed, and toolsift ranked the search itself: ${reason}`);
}

interface Called extends Ranked {
  settings: SettingsInfo;
  call(name: string, args?: unknown, options?: CallOptions): Outcome;
}

/** Implements `session.callAsync`. */
export async function callAsync(session: Called, name: string, args: unknown, options: unknown): Promise<Outcome> {
  const { rank, rankTimeoutMs, signal, onProblem = warn, ...turn } = ownFields("options", options ?? {}) as AsyncCallOptions;
  checkRank(rank);
  const ranking = { rank, rankTimeoutMs: whole("rankTimeoutMs", rankTimeoutMs ?? TIMEOUT_MS, 1, MOST_RANK_MS) };
  checkRankable(ranking, () => session.settings);
  signalIn("options.signal", signal);
  callable("onProblem", onProblem);
  const choice = await ranked((read) => read(session), { name, args }, ranking, signal);
  signal?.throwIfAborted();
  if (choice?.error !== undefined) onProblem(choice.error);
  return session.call(name, choice?.args ?? args, choice?.scores ? { ...turn, scores: choice.scores } : turn);
}
