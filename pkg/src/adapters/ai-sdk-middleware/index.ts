/** Tool search inside a model of AI SDK 6 or 7, for programs whose tools and loop cannot be changed. */

export { siftModelMiddleware } from "./middleware.js";
export type { ModelMiddleware, SiftModelMiddlewareOptions } from "./types.js";
