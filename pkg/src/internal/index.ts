/**
 * What `toolsift-cli` needs beside the public entries. It may change with every version, and is no entry for programs: the
 * command line is published with the package, for exactly one version of it.
 */

export { discreet, withoutAddress } from "../upstream/address.js";
export { statusOf, withCause } from "../upstream/cause.js";
export { installerOf } from "../upstream/installer.js";
export { neutralised } from "../trust/hidden.js";
export { type Finding, inspect } from "../trust/inspect.js";
export { Book, type Entry, type ListReview } from "../trust/book.js";
export type { Pinned } from "../trust/pinned.js";
export { skillsIn } from "../skills/folders.js";
