/**
 * Lets a host rank tools itself. The host's function chooses names, and the core's search is called with exactly these
 * names: the answer, what is revealed, and the budget stay the core's.
 */

import { kind, reasonOf } from "../boundary.js";
import { callable, whole } from "../checks.js";
import { ToolSiftError } from "../errors.js";
import type { Session } from "../session.js";
import type { JsonObject, SettingsInfo } from "../types.js";
import { unlessEnded } from "./ending.js";
import type { ModelCall, RankedTool, RankOptions, Signal } from "./types.js";

export type { Rank, RankContext, RankedTool, RankOptions } from "./types.js";

/** What the host's ranker chose: the arguments for the core's search, or why it chose nothing. */
export type Choice = { args: JsonObject } | { error: string };

const TIMEOUT_MS = 10_000;
const LONGEST_MS = 600_000;
/** The tool of profile `sift` that searches. */
const SEARCH = "search_tools";
/** No search shows more. */
const MOST_NAMES = 500;
/** A query without a word, which finds nothing. */
const NOTHING = ":";

/**
 * Checks the options.
 *
 * @throws ToolSiftError `option_invalid`, `limit_out_of_range`; `option_conflict` where the search of the settings does not
 * take exact names
 */
export function rankOf(
  { rank, rankTimeoutMs = TIMEOUT_MS }: RankOptions,
  settings: () => SettingsInfo,
): Required<RankOptions> {
  callable("rank", rank, true);
  const ms = whole("rankTimeoutMs", rankTimeoutMs, 1, LONGEST_MS);
  if (rank !== undefined) {
    const { profile, search } = settings();
    if (profile !== "sift" || search.grammar !== "full") {
      const why = `the search of profile ${profile} with search.grammar ${search.grammar} does not take exact names`;
      throw new ToolSiftError("option_conflict", `options.rank needs profile sift with search.grammar full: ${why}`);
    }
  }
  return { rank, rankTimeoutMs: ms };
}

/** What the model searches for, if the host's ranker is to rank it. */
export function queryToRank({ rank }: RankOptions, { name, args, own, broken }: ModelCall): string | undefined {
  if (rank === undefined || name !== SEARCH || own !== undefined || broken !== undefined) return undefined;
  const query = queryOf(args)?.trim();
  return query === undefined || query === "" || /^select:/i.test(query) ? undefined : query;
}

/** What the host's ranker chooses; undefined for calls that it has no part in. Reads the session before it first waits. */
export function ranked(
  session: Session,
  call: ModelCall,
  options: RankOptions,
  signal?: Signal,
): Promise<Choice> | undefined {
  const query = queryToRank(options, call);
  return query === undefined ? undefined : chosen(query, session, call, options, signal);
}

async function chosen(
  query: string,
  session: Session,
  call: ModelCall,
  { rank, rankTimeoutMs: ms = TIMEOUT_MS }: RankOptions,
  signal: Signal | undefined,
): Promise<Choice> {
  const tools = searchable(session);
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new Error(`no answer within ${ms} ms`)), ms);
  try {
    const ask = async (own?: AbortSignal) => rank!(query, tools, { session: session.id, signal: own! });
    const names: unknown = await unlessEnded(signal, () => unlessEnded(ending.signal, ask));
    if (!Array.isArray(names)) throw new Error(`it returned ${kind(names)}, not a list of names`);
    const known = new Set<unknown>(tools.map(({ name }) => name));
    const found = [...new Set<unknown>(names)].filter((name) => known.has(name)).slice(0, MOST_NAMES);
    if (found.length === 0 && names.length > 0) {
      throw new Error(`it returned only names that this session cannot find, such as ${kind(names[0])}`);
    }
    const { queries: _, ...others } = objectOf(call.args);
    return { args: { ...others, query: found.length === 0 ? NOTHING : `select:${found.join(",")}` } };
  } catch (error) {
    return { error: reasonOf(error) };
  } finally {
    clearTimeout(timer);
    // Where the run was ended, the host's function is still at work.
    ending.abort();
  }
}

/** The tools that a session can find, with their definitions. */
function searchable(session: Session): RankedTool[] {
  const servers = new Map(session.tools().map(({ name, server }) => [name, server]));
  return session.heldBack().map(({ name, definition: { description = "", inputSchema } }) => {
    return { name, server: servers.get(name) ?? null, description, inputSchema };
  });
}

/** What a discovery tool was asked, as far as the arguments say so. */
export function queryOf(args: unknown): string | null {
  const { query, queries } = objectOf(args);
  const asked = [query, ...(Array.isArray(queries) ? queries : [])].filter((one) => typeof one === "string");
  return asked.length === 0 ? null : asked.join("\n");
}

function objectOf(args: unknown): JsonObject {
  if (typeof args !== "string") return Object(args) as JsonObject;
  try {
    return Object(JSON.parse(args)) as JsonObject;
  } catch {
    return {};
  }
}
