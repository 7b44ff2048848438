/**
 * Enrichments that come with the package, for the tools of servers that many people use: words that people say and that the
 * definitions lack. A pack is loaded only where a tool of its server is there. For the tools of all other servers there are tables
 * of what people say for the words of tools, in several languages.
 *
 * ```ts
 * import { packsFor } from "toolsift/packs";
 *
 * sift.register(tools, { server: "github", enrichment: (await packsFor(tools)).entries });
 * ```
 */

export { packs, packsFor } from "./packs.js";
export { languages, translations } from "./types.js";
export type { MatchedPack, PackInfo, PacksFor } from "./types.js";
