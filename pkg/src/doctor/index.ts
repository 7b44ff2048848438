/**
 * The doctor: what is wrong with the tools of some servers, and what to do about it. It runs wherever the package does, a
 * browser included.
 *
 * ```ts
 * import { examine, markdownReport } from "toolsift/doctor";
 *
 * const examination = examine([{ server: "github", tools }]);
 * for (const { level, tool, message, advice } of examination.findings) console.log(level, tool, message, advice);
 * console.log(markdownReport(examination));
 * ```
 */

export { CHECK_TITLES, LEVELS, MAX_TOKENS } from "./checks.js";
export { examine } from "./examine.js";
export { markdownReport, readable, summary } from "./report.js";
export type * from "./types.js";
