/**
 * Functions for authors of tools and catalogs; none of them is needed in production. `enrich` lets your model write words
 * that people use for tools. `examine` is the doctor: it reports problems of the tools of some servers, with advice.
 *
 * ```ts
 * import { enrich, examine, writeEnrichment } from "toolsift/author";
 *
 * for (const { level, tool, message } of examine([{ server: "github", tools }]).findings) console.log(level, tool, message);
 * const { entries } = await enrich(tools, { complete: ({ system, prompt }) => myModel(system, prompt) });
 * await writeFile("enrichment.jsonl", writeEnrichment(entries)); // read it, edit it, commit it
 * ```
 */

export { CHECK_TITLES, LEVELS, MAX_TOKENS } from "./doctor/checks.js";
export { examine } from "./doctor/examine.js";
export { markdownReport, findingTexts, summary } from "./doctor/report.js";
export type * from "./doctor/types.js";
export { completeWith } from "./endpoint.js";
export { enrich } from "./enrich/enrich.js";
export { estimate } from "./enrich/plan.js";
export { readEnrichment, writeEnrichment } from "./enrich/file.js";
export type {
  Complete,
  CompletionRequest,
  EnrichChoices,
  EnrichEstimate,
  EnrichOptions,
  EnrichProgress,
  EnrichReport,
  EnrichTokens,
  NotEnriched,
} from "./enrich/options.js";
