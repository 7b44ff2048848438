/**
 * Tool search in requests to the model's API, for any client and any model: as a `fetch` for a vendor's client, or as an
 * HTTP handler.
 *
 * ```ts
 * import { siftFetch, siftProxy } from "toolsift/proxy";
 *
 * const client = new OpenAI({ fetch: siftFetch() });
 * export default { fetch: siftProxy({ upstream: "https://api.openai.com" }) };
 * ```
 */

export { siftFetch } from "./fetch.js";
export { siftProxy } from "./handler.js";
export type { ProblemEvent, ProxyEvent, RequestEvent, SiftFetchOptions, SiftProxyOptions, WordsEvent } from "./types.js";
