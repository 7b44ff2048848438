/**
 * Exports for `toolsift-cli` only. They may change with every version: each version of the command line works with exactly
 * the same version of this package.
 */

export { discreet, withoutAddress } from "../upstream/address.js";
export { statusOf, withCause } from "../upstream/cause.js";
export { installerOf } from "../upstream/installer.js";
export { neutralised } from "../trust/hidden.js";
export { type Finding, inspect } from "../trust/inspect.js";
export { Book, type Entry, type ListReview } from "../trust/book.js";
export type { Pinned } from "../trust/pinned.js";
export { skillsIn } from "../skills/folders.js";
export { runtime, underLock } from "../store/lock.js";
