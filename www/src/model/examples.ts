/** Queries to try: of a fixed list, those that find in this catalog what they were written for. */
import type { Conversation } from "./conversation.ts";

export interface Example {
  query: string;
  /** A hit whose name fits shows that the query works here. */
  wants: RegExp;
  why: string;
}

const EXAMPLES: readonly Example[] = [
  { query: "wether", wants: /weather/, why: "a misspelt word" },
  { query: "create.*issue", wants: /create.*issue/, why: "a pattern" },
  { query: "knowledge graph", wants: /graph|entit/, why: "words of a description" },
  { query: "send msg", wants: /message/, why: "shortened words" },
  { query: "directory", wants: /director/, why: "a plain word" },
  { query: "free slot", wants: /slot/, why: "a plain phrase" },
  { query: "kv_(get|put)", wants: /kv/, why: "a pattern with alternatives" },
  { query: "upload|share", wants: /upload|share/, why: "a pattern with alternatives" },
  { query: "^list_", wants: /^list_/, why: "an anchored pattern" },
  { query: "chanel", wants: /channel/, why: "a misspelt word" },
];

const SHOWN = 5;

/** Hits past these do not count as an answer to an example. */
const TOP = 3;

/** Trying every example on a larger catalog would keep the page waiting. */
const MAX_TOOLS = 2000;

export function examplesFor(conversation: Conversation): Example[] {
  const names = conversation.tools.map((tool) => tool.name);
  if (names.length > MAX_TOOLS) return [];
  const works = ({ query, wants }: Example) =>
    names.some((name) => wants.test(name)) && conversation.names(query, TOP).some((name) => wants.test(name));
  return EXAMPLES.filter(works).slice(0, SHOWN);
}
