/** What the worker tells the page: plain data. */
import type { Confidence, Enrichment, ToolDefinition } from "toolsift";

/** Where the definitions of a server come from: the server itself, or only names, with sizes that were measured or guessed. */
export type Known = "definitions" | "measured" | "typical" | "link";

/** One server's list. */
export interface List {
  server: string;
  /** `package@version` or a URL; null where it is not known how the server is started. */
  start: string | null;
  known: Known;
  tools: ToolDefinition[];
  /** Words of the packs, as `toolsift()` adds them; null until they are looked for. */
  words: Enrichment[] | null;
}

export interface Tool {
  /** The name that the model sees. */
  name: string;
  /** Characters of its definition in a request: four are taken as a token. */
  chars: number;
}

export interface Server {
  server: string;
  start: string | null;
  known: Known;
  tools: Tool[];
  /** Why tools of its list cannot be used. */
  rejected: string[];
}

export interface Catalog {
  /** The visitor brought it. */
  own: boolean;
  servers: Server[];
  /** Tokens of a request with every tool, and of the first one as toolsift sends it. */
  full: number;
  first: number;
}

export interface Hit {
  name: string;
  server: string;
  score: number;
}

/** What a search came to; a link holds it for tools of which it has names and sizes only. */
export interface Found {
  confidence: Confidence;
  hits: Hit[];
  loaded: string[];
  /** The user's message was searched before the first request, so that the model did not have to. */
  ahead: boolean;
}

export interface Call {
  name: string;
  server: string;
  /** As a line of code. */
  line: string;
  /** Why it did not run. */
  refused: string | null;
}

/** One request of a user, played to the end. */
export interface Play extends Found {
  query: string;
  /** Whether tools are deferred: a few small ones are sent whole. */
  active: boolean;
  unknown: string[];
  /** The model picked the best hit with `add_tool`. */
  picked: boolean;
  call: Call | null;
  /** Tokens of the newest request after each of the four steps. */
  tokens: readonly number[];
}

/** A text that is sent, as it is sent. */
export interface Sent {
  title: string;
  bytes: number | null;
  text: string;
}

/** What the page opens with. */
export interface Opening {
  catalog: Catalog;
  play: Play;
}
