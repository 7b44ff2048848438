/** The data that the worker sends to the page. */
import type { Confidence, Enrichment, ToolDefinition } from "toolsift";

/** The source of a server's definitions: the server itself, or only names, with measured, typical or linked sizes. */
export type Known = "definitions" | "measured" | "typical" | "link";

/** The tool list of one server. */
export interface List {
  server: string;
  /** `package@version` or a URL; null if the start of the server is not known. */
  start: string | null;
  known: Known;
  tools: ToolDefinition[];
  /** The words of the packs, as `toolsift()` adds them; null until they are loaded. */
  words: Enrichment[] | null;
}

export interface Tool {
  /** The name that the model sees. */
  name: string;
  /** The characters of its definition in a request. Four characters count as a token. */
  chars: number;
}

export interface Server {
  server: string;
  start: string | null;
  known: Known;
  tools: Tool[];
  /** The reasons why tools of its list cannot be used. */
  rejected: string[];
}

export interface Catalog {
  /** True if the visitor brought the tools. */
  own: boolean;
  servers: Server[];
  /** Tokens of a request with every tool, and of the first request that toolsift sends. */
  full: number;
  first: number;
}

export interface Hit {
  name: string;
  server: string;
  score: number;
}

/** The result of a search. A link contains it if the link has only names and sizes of tools. */
export interface Found {
  confidence: Confidence;
  hits: Hit[];
  loaded: string[];
  /** True if toolsift searched for the user's message before the first request, instead of the model. */
  ahead: boolean;
}

export interface Call {
  name: string;
  server: string;
  /** The call as a line of code. */
  line: string;
  /** The reason of a refusal; null if the call runs. */
  refused: string | null;
}

/** One request of a user, played to the end. */
export interface Play extends Found {
  query: string;
  /** True if tools are deferred. A few small tools are sent in full. */
  active: boolean;
  unknown: string[];
  /** True if the model picked the best hit with `add_tool`. */
  picked: boolean;
  call: Call | null;
  /** Tokens of the newest request after each of the four steps. */
  tokens: readonly number[];
}

/** A text that is sent, unchanged. */
export interface Sent {
  title: string;
  bytes: number | null;
  text: string;
}

/** The data that the page opens with. */
export interface Opening {
  catalog: Catalog;
  play: Play;
}
