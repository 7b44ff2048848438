/** Queries to try: of a fixed list, those that find in this catalog, by these rules, what they were written for. */
import type { Ranker, SearchResult, SettingsInfo, ToolInfo } from "toolsift";

export interface Example {
  query: string;
  why: string;
}

interface Written extends Example {
  /** A hit whose name fits shows that the query works here. */
  wants: RegExp;
  /** Where it is an example of a way of searching that others have not. */
  ranker?: Ranker;
  grammar?: "commands";
}

const EXAMPLES: readonly Written[] = [
  { query: "remember facts as a graph", wants: /entit|observation|graph/, why: "a need in plain words", ranker: "sift" },
  { query: "how warm will it be", wants: /forecast|weather/, why: "a need in plain words", ranker: "sift" },
  { query: "opne a tickt", wants: /create.*issue/, why: "misspelt words and a synonym", ranker: "sift" },
  { query: "creating issues", wants: /create.*issue/, why: "other forms of words", ranker: "sift" },
  { query: "post a message and read a file", wants: /message/, why: "two things at once", ranker: "sift" },
  { query: "server:slack reply", wants: /reply|thread/, why: "one server only", ranker: "sift" },
  { query: "wether", wants: /weather/, why: "a misspelt word", ranker: "pattern" },
  { query: "create.*issue", wants: /create.*issue/, why: "a pattern", ranker: "pattern" },
  { query: "create issue", wants: /create.*issue/, why: "words of a name" },
  { query: "knowledge graph", wants: /graph|entit/, why: "words of a description" },
  { query: "send msg", wants: /message/, why: "shortened words", ranker: "pattern" },
  { query: "send message", wants: /message/, why: "words of a name" },
  { query: "+repository create", wants: /create/, why: "a word that must occur, and one that ranks", grammar: "commands" },
  { query: "directory", wants: /director/, why: "a plain word" },
  { query: "free slot", wants: /slot/, why: "two plain words" },
  { query: "kv_(get|put)", wants: /kv/, why: "a pattern with alternatives", ranker: "pattern" },
  { query: "upload|share", wants: /upload|share/, why: "a pattern with alternatives", ranker: "pattern" },
  { query: "weather forecast", wants: /forecast/, why: "words of a description" },
  { query: "^list_", wants: /^list_/, why: "an anchored pattern", ranker: "pattern" },
  { query: "chanel", wants: /channel/, why: "a misspelt word", ranker: "pattern" },
];

/** A command is worth a place among the chips, but what it loads has a name already. */
const SELECTED = /create.*issue|send.*message/;

const SHOWN = 5;

/** Hits past these do not count as an answer to an example. */
const TOP = 3;

/** Trying every example on a larger catalog would keep the page waiting. */
const MAX_TOOLS = 2000;

/** Every query that `examplesFor` may ask. */
export const EXAMPLE_QUERIES: readonly string[] = EXAMPLES.map(({ query }) => query);

export function examplesFor(
  tools: readonly ToolInfo[],
  { search }: SettingsInfo,
  ask: (query: string, limit: number) => SearchResult | null,
): Example[] {
  const names = tools.map((tool) => tool.name);
  if (names.length > MAX_TOOLS) return [];
  const works = ({ query, wants, ranker, grammar }: Written) =>
    (ranker === undefined || ranker === search.ranker) &&
    (grammar === undefined || grammar === search.grammar) &&
    names.some((name) => wants.test(name)) &&
    ask(query, TOP)?.hits.some(({ name }) => wants.test(name));
  const examples: Example[] = EXAMPLES.filter(works).slice(0, SHOWN);
  const selected = search.grammar === "commands" ? names.find((name) => SELECTED.test(name)) : undefined;
  return selected === undefined ? examples : [...examples, { query: `select:${selected}`, why: "one tool by its name" }];
}
