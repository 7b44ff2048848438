/** The options of the proxy, and the events that it reports. */

import type { ToolEvent } from "../loop/events.js";
import type { AheadOptions } from "../loop/types.js";
import type { KeyValueStore } from "../store/types.js";
import type { BackgroundOptions, WordsStatus } from "../types/background.js";
import type { Cost, RankOptions, ToolSiftOptions } from "../types/index.js";
import type { MaxTools } from "../wire/limits.js";

/** Options of `siftFetch`. */
export interface SiftFetchOptions extends AheadOptions, MaxTools, RankOptions {
  /** The options of the `ToolSift` that is made for each tool list, such as the profile, `activation` and `surface`. */
  sift?: ToolSiftOptions | undefined;
  /**
   * Lets a model write everyday search words, in the background, for tools that are in no pack. Only names, descriptions and
   * parameters of the clients' tools are sent to that model. If you set this option, you consent to that.
   */
  enrich?: BackgroundOptions | undefined;
  /** Sends requests to the upstream. Default: the platform's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** The maximum number of further requests in one request of the client, for searches. Default 8. */
  maxRounds?: number | undefined;
  /** The maximum size of a request's body, in bytes. Default 64 MiB. */
  maxBodyBytes?: number | undefined;
  /** The maximum size of a whole reply, in bytes, and of one event of a stream, in characters. Default 64 MiB. */
  maxReplyBytes?: number | undefined;
  /** The time limit of one request of the client, with all its requests to the upstream, in ms. Default 600,000. */
  timeoutMs?: number | undefined;
  /** The maximum number of tool lists that are kept indexed; the least recently used is removed first. Default 32. */
  maxCatalogs?: number | undefined;
  /** Stores the loaded tools of conversations, so that several proxies share them. Default: the memory of this process. */
  storage?: KeyValueStore | undefined;
  /** The maximum number of conversations in memory, if there is no `storage`. Default 10,000. */
  maxConversations?: number | undefined;
  /** The time for which a conversation is stored after its last request, in seconds; 0 for ever. Default 86,400. */
  stateTtl?: number | undefined;
  /**
   * True if toolsift replaces the vendor's own tool search (`defer_loading`, `tool_search`) for clients that use it. Default
   * `"auto"`: it does so unless the request goes to the vendor itself, for a model with tool search.
   */
  emulate?: boolean | "auto" | undefined;
  /** Called for every search, loading and refusal, and at the end of each request. Its errors are ignored. */
  onEvent?: ((event: ProxyEvent) => void) | undefined;
}

/** Options of `siftProxy`. */
export interface SiftProxyOptions extends SiftFetchOptions {
  /** The base URL of the vendor, such as `https://api.openai.com`. No other host is called. */
  upstream: string | URL;
  /** The path of the handler that is removed before a request goes to the upstream: `/api/model`. Default: none. */
  basePath?: string | undefined;
}

/** The event at the end of a client's request. */
export interface RequestEvent {
  type: "request";
  /** The vendor's API. */
  wire: "openai" | "openai-responses" | "anthropic" | "google";
  model: string | undefined;
  stream: boolean;
  /** True if tools were deferred. */
  active: boolean;
  /** The result of the request. */
  outcome: "done" | "upstream_error" | "failed" | "aborted";
  /** The number of requests to the upstream. */
  requests: number;
  /** The cost of all tools, sent in full. */
  full: Cost;
  /** The cost of the tools that were sent in the last request to the upstream. */
  sent: Cost;
  /** The time of the request's arrival, in ms since 1970. */
  startTime: number;
  /** The total duration, in ms. */
  duration: number;
  /** The time that the proxy needed before its first request to the upstream, in ms. */
  ms: number;
  /** The version of the core, with which rankers may change. */
  rankerVersion: string;
}

/** A problem that answers do not contain, for example an unreadable state, or why the upstream could not be reached. */
export interface ProblemEvent {
  type: "problem";
  message: string;
}

/** With `enrich`: the progress of the search words for one tool list. Later requests with this list use the words. */
export interface WordsEvent extends WordsStatus {
  type: "words";
}

/** The events that `onEvent` receives. */
export type ProxyEvent = ToolEvent | RequestEvent | ProblemEvent | WordsEvent;
