/** Checks the options of `siftFetch` and `siftProxy`, and adds the defaults. */

import { ToolSift } from "toolsift:self";
import { ToolSiftError } from "../base/errors.js";
import type { ToolSift as Sift } from "../index.js";
import { AHEAD } from "../loop/ahead.js";
import { RANKING, checkRankable } from "../loop/rank.js";
import { ownFields } from "../base/plain-data.js";
import { aFunction, anObject, anything, flagOr, type Shape, shaped, wholeOf, withMethods } from "../base/shape.js";
import type { RankOptions, ToolSiftOptions } from "../types/index.js";
import { kind } from "../base/values.js";
import { MAX_TOOLS } from "../wire/limits.js";
import type { SiftFetchOptions, SiftProxyOptions } from "./types.js";

const MIB = 1_048_576;
/** The highest limit for bodies, in bytes: far more than any vendor accepts in one request. */
const MOST_BODY = 512 * MIB;
/** The maximum number of sessions, one for each request in progress: more than any platform runs. */
const SESSIONS = 100_000;

const DEFAULT = {
  maxRounds: 8,
  maxBodyBytes: 64 * MIB,
  maxReplyBytes: 64 * MIB,
  timeoutMs: 600_000,
  maxCatalogs: 32,
  maxConversations: 10_000,
  stateTtl: 86_400,
  emulate: "auto",
} as const;
const FETCH: Shape<SiftFetchOptions> = {
  ...AHEAD,
  ...MAX_TOOLS,
  ...RANKING,
  sift: anObject,
  fetch: aFunction,
  enrich(key, value) {
    anObject(key, value);
    if (Object(value).model === undefined) throw new ToolSiftError("option_invalid", "options.enrich has no model");
  },
  maxRounds: wholeOf(1, 100),
  maxBodyBytes: wholeOf(1_024, MOST_BODY),
  maxReplyBytes: wholeOf(1_024, MOST_BODY),
  timeoutMs: wholeOf(1, 86_400_000),
  maxCatalogs: wholeOf(1, 10_000),
  maxConversations: wholeOf(0, 10_000_000),
  stateTtl: wholeOf(0, 315_360_000),
  storage: withMethods("what `createStorage` of unstorage returns, or the like", "getItem", "setItem", "removeItem"),
  emulate: flagOr("auto"),
  onEvent: aFunction,
};
const PROXY: Shape<SiftProxyOptions> = { ...FETCH, upstream: anything, basePath: anything };

/** The checked options. */
export type ProxySettings = SiftFetchOptions & {
  [K in keyof typeof DEFAULT]: NonNullable<SiftFetchOptions[K]>;
} & { sift: ToolSiftOptions; fetch: typeof globalThis.fetch };

/**
 * Checks the options of `siftFetch`, which has no option for the upstream.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `option_conflict`
 */
export function fetchSettingsOf(options: SiftFetchOptions): ProxySettings {
  const given = ownFields("options", options);
  for (const key of ["upstream", "basePath"]) {
    if (!Object.hasOwn(given, key)) continue;
    const help = "it is an option of siftProxy; siftFetch calls the URL that the client calls";
    throw new ToolSiftError("option_unknown", `options has no "${key}": ${help}`);
  }
  return settingsOf(options);
}

/**
 * Checks the options that `siftFetch` and `siftProxy` share.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `option_conflict`
 */
function settingsOf(options: SiftFetchOptions): ProxySettings {
  const { sift = {}, fetch, ...given } = shaped(options, FETCH);
  const { limits, ...others } = ownFields("options.sift", sift) as ToolSiftOptions;
  const catalogs = {
    // The client's history contains calls of its tools by their own names, which models repeat.
    ...(others.surface === "constant" && { unrevealedCall: "allow" as const }),
    ...others,
    limits: { sessions: SESSIONS, ...ownFields("options.sift.limits", limits ?? {}) },
  };
  checkCatalogs(catalogs, given);
  return {
    ...DEFAULT,
    // `shaped` removes undefined options.
    ...(given as Partial<ProxySettings>),
    sift: catalogs,
    // Looked up at each call, because platforms replace their `fetch`, and some refuse a call with another `this`.
    fetch:
      fetch === undefined
        ? (...request) => globalThis.fetch(...request)
        : async (...request) => response(await fetch(...request)),
  };
}

/** Checks that your program's `fetch` returned a response, of any class. */
function response(answered: Response): Response {
  const isOne = typeof Object(answered?.headers).get === "function";
  if (isOne) return answered;
  throw new ToolSiftError("option_invalid", `options.fetch answered ${kind(answered)}; it must answer a Response`);
}

/** Refuses invalid options of the core now, not in each request: a client cannot correct the options of your program. */
function checkCatalogs(catalogs: ToolSiftOptions, ranking: RankOptions): void {
  let sift: Sift;
  try {
    sift = new ToolSift(catalogs);
  } catch (error) {
    if (!ToolSiftError.is(error)) throw error;
    throw new ToolSiftError(error.code, error.message.replace(/^options\b/, "options.sift"));
  }
  try {
    checkRankable(ranking, () => sift.settings);
  } finally {
    sift.dispose();
  }
}

/**
 * Checks the options of `siftProxy`, and separates its own from the shared options.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `option_conflict`
 */
export function proxySettingsOf(options: SiftProxyOptions): { settings: ProxySettings; upstream: URL; basePath: string } {
  const { upstream, basePath = "", ...others } = shaped(options, PROXY);
  if (typeof basePath !== "string" || !/^(\/[\w.~-]+)*$/.test(basePath)) {
    const what = typeof basePath === "string" ? JSON.stringify(basePath.slice(0, 80)) : kind(basePath);
    throw new ToolSiftError("option_invalid", `options.basePath is ${what}; it must be a path such as /api/model`);
  }
  return { settings: settingsOf(others), upstream: upstreamOf(upstream), basePath };
}

function upstreamOf(value: unknown): URL {
  const text = typeof value === "string" || value instanceof URL ? String(value) : "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username + url.password + url.search + url.hash === "";
  if (isPlain && (url.protocol === "https:" || url.protocol === "http:")) return url;
  // A URL may contain a key, which must not be in a message, because messages are logged.
  const is = text === "" ? kind(value) : "not an http or https URL without credentials, query and fragment";
  const advice = "it must be the base URL of the vendor, such as https://api.openai.com";
  throw new ToolSiftError("option_invalid", `options.upstream is ${is}; ${advice}`);
}
