/**
 * Search words that come with the package (word packs), for tools of popular servers whose definitions lack these words. A
 * pack is loaded only if one of its tools is present. For all other servers there is a table, in several languages, from
 * everyday words to the words of tool definitions.
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
