/**
 * Learning from use: the words of searches that led to a call, collected for a person to review.
 *
 * ```ts
 * import { learner } from "toolsift/learn";
 *
 * const learned = learner();
 * const sift = await toolsift({ mcpServers, onEvent: learned.onEvent });
 * // later: entries of an enrichment file, for somebody to read
 * const entries = learned.export({ tools: sift.sift.tools() });
 * ```
 */

export { learner } from "./learner.js";
export type * from "./types.js";
