/**
 * What `toolsift-cli` needs beside the public entries. It may change with every version, and is no entry for programs: the
 * command line is published with the package, for exactly one version of it.
 */

export { type PinReview, reviewAgainst } from "../gateway/pins.js";
export { discreet, withoutAddress } from "../upstream/address.js";
export { withCause } from "../upstream/cause.js";
export { installerOf } from "../upstream/installer.js";
export { neutralised } from "../suspicious/hidden.js";
export { type Finding, inspect } from "../suspicious/inspect.js";
export { approvedPin, compared } from "../suspicious/compared.js";
export type { Pinned } from "../suspicious/pinned.js";
