/**
 * A guard for catalogs of untrusted servers: it pins definitions, reports suspicious texts, and makes hidden characters
 * visible.
 *
 * ```ts
 * import { ToolSift } from "toolsift";
 * import { guard } from "toolsift/guard";
 *
 * const trust = guard();
 * const sift = new ToolSift({ guard: trust });
 * sift.sync("github", tools);
 * for (const { server, name, message } of trust.quarantined()) console.log(server, name, message);
 * ```
 */

export { readable } from "./hidden.js";
export { guard } from "./guard.js";
export type { GuardOptions } from "./options.js";
