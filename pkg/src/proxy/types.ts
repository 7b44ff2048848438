/** What a host passes to the proxy, and what the proxy tells it. */

import type { AheadOptions } from "../loop/types.js";
import type { ToolEvent } from "../loop/events.js";
import type { BackgroundOptions, WordsStatus } from "../types/background.js";
import type { KeyValueStore } from "../store/types.js";
import type { Cost, RankOptions, ToolSiftOptions } from "../types/index.js";

/** Options of `siftFetch`. */
export interface SiftFetchOptions extends AheadOptions, RankOptions {
  /** The options of the `ToolSift` that each list of tools gets: profile, activation, `surface`, what is never deferred, and so on. */
  sift?: ToolSiftOptions | undefined;
  /**
   * Has a model write the words that people use for tools which no pack knows, while requests go on. To pass it is to consent:
   * names, descriptions and parameters of the tools that clients bring are sent to that model, and nothing else.
   */
  enrich?: BackgroundOptions | undefined;
  /** Reaches the upstream. Default: the platform's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Further requests at most, for one request of the client, in which the model searches. Default 8. */
  maxRounds?: number | undefined;
  /** Tools at most in one request to the upstream; the least recently used revealed tools are evicted. Default: the vendor's. */
  maxTools?: number | undefined;
  /** Bytes of a request's body at most. Default 64 MiB. */
  maxBodyBytes?: number | undefined;
  /** Bytes of a whole reply, and characters of one event of a stream, at most. Default 64 MiB. */
  maxReplyBytes?: number | undefined;
  /** Milliseconds that one request of the client may take, with all requests to the upstream. Default 600,000. */
  timeoutMs?: number | undefined;
  /** Lists of tools that are kept parsed and indexed; the least recently used goes first. Default 32. */
  maxCatalogs?: number | undefined;
  /** Keeps what conversations have found, so that several proxies share it. Default: memory of this process. */
  storage?: KeyValueStore | undefined;
  /** Conversations that memory holds, where there is no `storage`; the least recently used goes first. Default 10,000. */
  maxConversations?: number | undefined;
  /** Seconds for which a conversation is remembered after its last request; 0 for ever. Default 86,400. */
  stateTtl?: number | undefined;
  /**
   * Whether clients that use the vendor's own tool search (`defer_loading`, `tool_search`) get it from toolsift. Default
   * `"auto"`: unless the vendor itself is asked, for a model that has it.
   */
  emulate?: boolean | "auto" | undefined;
  /** Is told of every search, reveal and refusal, and of each request when it ends. What it throws is ignored. */
  onEvent?: ((event: ProxyEvent) => void) | undefined;
}

/** Options of `siftProxy`. */
export interface SiftProxyOptions extends SiftFetchOptions {
  /** The base URL of the vendor, such as `https://api.openai.com`. Nothing else is ever called. */
  upstream: string | URL;
  /** The path under which the handler is mounted, which the upstream does not have: `/api/model`. Default none. */
  basePath?: string | undefined;
}

/** A request of the client has ended. */
export interface RequestEvent {
  type: "request";
  /** The vendor's API. */
  wire: "openai" | "openai-responses" | "anthropic" | "google";
  model: string | undefined;
  stream: boolean;
  /** Whether tools were deferred. */
  active: boolean;
  /** How it ended. */
  outcome: "done" | "upstream_error" | "failed" | "aborted";
  /** Requests made to the upstream. */
  requests: number;
  /** What all tools cost, sent in full. */
  full: Cost;
  /** What was sent instead: of the last request to the upstream. */
  sent: Cost;
  /** When it came, in milliseconds since 1970. */
  startTime: number;
  /** Milliseconds that it took in all. */
  duration: number;
  /** Milliseconds that the proxy itself took. */
  ms: number;
  /** The version of the core, whose rankers change with it. */
  rankerVersion: string;
}

/** Something went wrong that answers do not tell: a state could not be read, or why the upstream could not be reached. */
export interface ProblemEvent {
  type: "problem";
  message: string;
}

/** With `enrich`: how far the words are of the tools of one list. Later requests with this list are searched by them. */
export interface WordsEvent extends WordsStatus {
  type: "words";
}

/** The events that `onEvent` receives. */
export type ProxyEvent = ToolEvent | RequestEvent | ProblemEvent | WordsEvent;
