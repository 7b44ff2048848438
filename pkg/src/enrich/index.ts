/**
 * Words that people use for tools, written once by a model of yours.
 *
 * ```ts
 * import { enrich, readEnrichment, writeEnrichment } from "toolsift/enrich";
 *
 * const { entries, failed } = await enrich(tools, { complete: ({ system, prompt }) => myModel(system, prompt) });
 * await writeFile("enrichment.jsonl", writeEnrichment(entries)); // read it, edit it, commit it
 * sift.register(tools, { enrichment: await readFile("enrichment.jsonl", "utf8") });
 * ```
 */

export { enrich } from "./enrich.js";
export { estimate } from "./estimate.js";
export { readEnrichment, writeEnrichment } from "./file.js";
export { definitionHash } from "./hash.js";
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
} from "./types.js";
