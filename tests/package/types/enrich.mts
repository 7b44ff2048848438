import { ToolSift, type Enrichment, type EnrichmentReport } from "toolsift";
import { enrich, estimate, readEnrichment, writeEnrichment } from "toolsift/author";
import type { Complete, EnrichEstimate, EnrichOptions, EnrichProgress, EnrichReport, NotEnriched } from "toolsift/author";

const tools = [{ name: "a", description: "b", inputSchema: { type: "object" } }] as const;
const complete: Complete = async ({ system, prompt, maxTokens, language, tools: names }) =>
  [system, prompt, language, ...names].join().slice(0, maxTokens);
const options: EnrichOptions = {
  complete,
  languages: ["en", "ja"],
  previous: "",
  onProgress: (one: EnrichProgress) => one.done,
};
const report: EnrichReport = await enrich(tools, options);
const { requests }: EnrichEstimate = estimate({ tools }, options);
const entries: Enrichment[] = readEnrichment(writeEnrichment(report.entries));
const failed: readonly NotEnriched[] = report.failed;
const sift = new ToolSift();
const told: EnrichmentReport | undefined = sift.register(tools, { enrichment: entries }).enrichment;
sift.sync("s", tools, { enrichment: writeEnrichment(entries) });
export const said = [requests, failed.map(({ reason }) => reason), told?.stale];
// @ts-expect-error no model
void enrich(tools, {});
// @ts-expect-error words that are no list
sift.register(tools, { enrichment: [{ name: "a", keywords: "b" }] });
