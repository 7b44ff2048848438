/** Writes the answers of searches and descriptions, which a model reads. */

import type { JsonObject } from "../types.js";
import type { Catalog, FindableTool, View } from "./catalog.js";
import { foreign, foreignJson } from "../suspicious/foreign.js";
import { parametersOf } from "./parameters.js";
import { callerOf, DESCRIBE } from "./surface.js";

/** Hits that are named beside those that clearly fit, and beside one that may not. */
const NAMED_BESIDE = 3;
const NAMED_IN_DOUBT = 6;
const SENTENCE_CHARS = 120;
const PARAMETERS = 8;
const PARAMETER_CHARS = 64;
/** The catalog takes no longer description. */
const DESCRIPTION_CHARS = 65_536;
/** Characters of a search's answer, of tools with parameters and of tools in a line each; and of a description. */
const SHOWN_CHARS = 40_000;
const NAMED_CHARS = 20_000;
const DESCRIBED_CHARS = 400_000;
const QUERY_CHARS = 4_000;
const MOST_DESCRIBED = 20;
/** Names in lists of what is unknown or down. */
const MOST_TOLD = 10;
/** A reason why a server is missing. */
const REASON_CHARS = 100;
/** Lines of a query that are needs of their own; what stands below them belongs to the last one. */
const MOST_NEEDS = 8;

/** A server that cannot answer now. */
export interface Down {
  name: string;
  /** The error, in the server's words or its transport's. */
  reason: string;
  /** Whether it is only being started, which the gateway says itself. */
  isStarting?: boolean;
}

/** The outcome of a search. */
export interface SearchAnswer {
  text: string;
  isError: boolean;
  /** The tools whose parameters are in the text. */
  shown: string[];
  found: string[];
}

/** Searches, and says what was found. The search leaves no trace in a view that several clients share. */
export function searchAnswer(
  catalog: Catalog,
  view: View,
  query: unknown,
  calls: "by-effect" | "one",
  down: readonly Down[],
  awaited: (query: string) => string | undefined = () => undefined,
): SearchAnswer {
  const refused = (text: string) => ({ text, isError: true, shown: [], found: [] });
  if (typeof query !== "string" || query.trim() === "") return refused('query must be a text, such as "open a ticket"');
  if (query.length > QUERY_CHARS) return refused(`query has ${query.length} characters; at most ${QUERY_CHARS}`);
  const isWhole = !down.some(({ isStarting }) => isStarting);
  const needs = needsOf(query).map((need) => findFor(catalog, view, need, isWhole));
  const clear = entriesOf(
    catalog,
    needs.flatMap((need) => need.clear),
  );
  const [shown, parts] = within(SHOWN_CHARS, clear, (entry) => described(entry, calls));
  const others = entriesOf(
    catalog,
    needs.flatMap((need) => need.others),
  ).filter((entry) => !clear.includes(entry));
  // What takes too much to be shown is named first.
  const rest = [...clear.filter((entry) => !shown.includes(entry)), ...others];
  const [named, lines] = within(NAMED_CHARS, rest, (entry) => line(entry, calls));
  if (named.length > 0) {
    const heading = shown.length > 0 ? "Less likely" : "Nearest";
    parts.push(`${heading}; ${DESCRIBE} gives their parameters:\n${lines.join("\n")}`);
  }
  const isOne = needs.length === 1;
  for (const { need, doubt } of needs) {
    if (doubt === undefined) continue;
    if (isOne) parts.unshift(doubt);
    else parts.push(`${JSON.stringify(need.slice(0, SENTENCE_CHARS))}: ${doubt}`);
  }
  // What was found may not be the best that there is: that comes first.
  for (const missing of [awaited(query), downText(down)]) if (missing !== undefined) parts.unshift(missing);
  return {
    text: parts.join("\n\n"),
    isError: false,
    shown: shown.map(({ name }) => name),
    found: [...shown, ...named].map(({ name }) => name),
  };
}

/** The entries whose texts fit into `most` characters together, in their order, and these texts. */
function within(
  most: number,
  entries: readonly FindableTool[],
  write: (entry: FindableTool) => string,
): [FindableTool[], string[]] {
  const [taken, texts]: [FindableTool[], string[]] = [[], []];
  let left = most;
  for (const entry of entries) {
    const text = write(entry);
    if (text.length > left) continue;
    left -= text.length;
    taken.push(entry);
    texts.push(text);
  }
  return [taken, texts];
}

/** The hits of one need. */
interface Found {
  need: string;
  /** The tools whose parameters are told, and those that are named. */
  clear: string[];
  others: string[];
  /** What is said where nothing fits, or nothing clearly: no parameters then. */
  doubt?: string;
}

/** The needs that a query has on a line each. */
function needsOf(query: string): string[] {
  const lines = query.split(/[\r\n]+/).flatMap((text) => text.trim() || []);
  const last = lines.slice(MOST_NEEDS - 1).join("\n");
  return [...lines.slice(0, MOST_NEEDS - 1), ...(last ? [last] : [])];
}

/** @param isWhole whether every server is in the catalog: until then nothing can be said of what it lacks */
function findFor(catalog: Catalog, view: View, need: string, isWhole: boolean): Found {
  const loaded = clearlyFitting(catalog, view, need);
  const answer = catalog.sift.search(need, { session: view.session.id, limit: 10 });
  const { confidence, unknownWords = [], closestServers = [] } = answer;
  const hits = answer.hits.map(({ name }) => name);
  if (loaded.length === 0 && (confidence === "none" || hits.length === 0)) {
    const words =
      isWhole && unknownWords.length > 0 ? ` No tool knows: ${unknownWords.slice(0, MOST_TOLD).join(", ")}.` : "";
    const near =
      isWhole && closestServers.length > 0 ? ` The closest servers: ${closestServers.slice(0, MOST_TOLD).join(", ")}.` : "";
    // As in the process: what came nearest is named, since a tool whose words are others may be the right one.
    const doubt = hits.length > 0 ? "No tool clearly fits; these came nearest." : `No tool matches${isWhole ? "" : " yet"}.`;
    return { need, clear: [], others: hits.slice(0, NAMED_IN_DOUBT), doubt: `${doubt}${words}${near}` };
  }
  if (loaded.length === 0 && confidence === "low") {
    return {
      need,
      clear: [],
      others: hits.slice(0, NAMED_IN_DOUBT),
      doubt: `Nothing clearly fits. The closest is ${hits[0]}.`,
    };
  }
  // The first hit is right often enough that its parameters cost less than another round trip would.
  const clear = loaded.length > 0 ? loaded : hits.slice(0, 1);
  return { need, clear, others: hits.filter((name) => !clear.includes(name)).slice(0, NAMED_BESIDE) };
}

function entriesOf(catalog: Catalog, names: readonly string[]): FindableTool[] {
  return [...new Set(names)].flatMap((name) => catalog.entry(name) ?? []);
}

/**
 * The tools that the core would load: what clearly fits, within its budget. Rankers without a confidence load nothing by
 * themselves.
 */
function clearlyFitting(catalog: Catalog, { session, keeps }: View, query: string): string[] {
  const { settings } = catalog.sift;
  if (!settings.surface.includes("search_tools") || settings.reveal !== "search") return [];
  const outcome = session.call("search_tools", { query });
  if (outcome.kind !== "result" || outcome.revealed.length === 0) return [];
  if (!keeps) session.conceal(outcome.revealed);
  return outcome.revealed;
}

/** The descriptions of tools by name. */
export function descriptions(
  catalog: Catalog,
  visible: (name: string) => boolean,
  whyNot: (name: string) => string,
  names: unknown,
  calls: "by-effect" | "one",
): { text: string; isError: boolean; names: string[] } {
  const list = typeof names === "string" ? [names] : names;
  if (!Array.isArray(list) || list.length === 0 || !list.every((name) => typeof name === "string")) {
    return { text: 'names must be a list of names, such as ["create_issue"]', isError: true, names: [] };
  }
  if (list.length > MOST_DESCRIBED) {
    return { text: `names has ${list.length} entries; at most ${MOST_DESCRIBED}`, isError: true, names: [] };
  }
  const wanted = [...new Set(list as string[])];
  const entries = wanted.flatMap((name) => (visible(name) ? (catalog.entry(name) ?? []) : []));
  const unknown = wanted.filter((name) => !entries.some((entry) => entry.name === name));
  const [shown, parts] = within(DESCRIBED_CHARS, entries, (entry) => described(entry, calls));
  const left = entries.filter((entry) => !shown.includes(entry)).map(({ name }) => name);
  if (left.length > 0)
    parts.push(`Left out, since this answer would be too long; describe them one by one: ${left.join(", ")}`);
  if (unknown.length > 0) {
    parts.push(...unknown.slice(0, MOST_TOLD).map(whyNot));
  }
  return { text: parts.join("\n\n"), isError: entries.length === 0, names: shown.map(({ name }) => name) };
}

/** A tool with everything that is needed to call it. */
function described({ name, server, shown: tool, effect }: FindableTool, calls: "by-effect" | "one"): string {
  const text = foreign(tool.description ?? "", DESCRIPTION_CHARS, "marked");
  return [
    `${name} (server ${server}) is called with ${callerOf(effect, calls)}.`,
    ...(tool.description?.trim() ? [text] : []),
    `Parameters: ${foreignJson(parametersOf(tool.inputSchema))}`,
  ].join("\n");
}

/** A tool in a line. */
function line({ name, shown: tool, effect }: FindableTool, calls: "by-effect" | "one"): string {
  const caller = calls === "one" ? "" : ` [${callerOf(effect, calls)}]`;
  const sentence = firstSentence(tool.description ?? "");
  return `- ${name}(${parameters(tool.inputSchema)})${caller}${sentence && `: ${sentence}`}`;
}

function parameters(schema: unknown): string {
  const { properties, required } = Object(schema) as { properties?: JsonObject; required?: unknown };
  const names = Object.keys(Object(properties) as object);
  const must = new Set(Array.isArray(required) ? (required as unknown[]) : []);
  const shown = names.slice(0, PARAMETERS).map((name) => {
    const flat = foreign(name, PARAMETER_CHARS, "line");
    return must.has(name) ? flat : `${flat}?`;
  });
  return [...shown, ...(names.length > shown.length ? ["…"] : [])].join(", ");
}

function firstSentence(text: string): string {
  const flat = foreign(text, 4 * SENTENCE_CHARS, "line");
  const end = flat.search(/[.!?](?=\s|$)/);
  return foreign(end < 0 ? flat : flat.slice(0, end + 1), SENTENCE_CHARS, "line");
}

function downText(down: readonly Down[]): string | undefined {
  if (down.length === 0) return undefined;
  const named = down.slice(0, MOST_TOLD).map(({ name, reason, isStarting }) => {
    return `${name} (${isStarting ? reason : JSON.stringify(brief(reason))})`;
  });
  const more = down.length > named.length ? ` and ${down.length - named.length} more` : "";
  return `Not available now, so their tools may be missing: ${named.join("; ")}${more}.`;
}

/** The error without the server's output: that is for people, and costs tokens in every answer. */
function brief(reason: string): string {
  const [firstLine = ""] = reason.split(/; it wrote:|\n/, 1);
  return foreign(firstLine, REASON_CHARS, "line");
}
