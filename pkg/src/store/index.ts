/**
 * Stores sessions for later processes, and shares them between processes: in files, in Redis, or in any storage of
 * `unstorage`.
 *
 * ```ts
 * import { fileStore, SessionStore } from "toolsift/store";
 *
 * const store = new SessionStore(sift, fileStore("./sessions"), { ttl: 7 * 24 * 3600 });
 * const session = await store.open("chat-42", { scope }); // what any process has revealed so far
 * await store.save(session);
 * ```
 */

export { fileStore } from "./files.js";
export { redisStore } from "./redis.js";
export { SessionStore } from "./store.js";
export type { KeyValueStore, SessionStoreOptions, UnsavedSession } from "./types.js";
