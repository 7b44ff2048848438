/** Are the types of the installed package right? */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { install } from "./installed.mjs";

const PROGRAM = `
import { runTools, ToolSift, ToolSiftError } from "toolsift";
import type {
  Assembly, Confidence, ErrorCode, Execute, HistoryReport, MessageFormat, ModelReply, Outcome, Session, Snapshot, ToolEvent,
  ToolSiftOptions,
} from "toolsift";
import type { SessionStoreOptions } from "toolsift/store";

const options: ToolSiftOptions = {
  profile: "sift",
  contextWindow: 200_000,
  countTokens: (text) => text.length,
  budget: { tools: 3 },
  synonyms: [["invoice", "bill"]],
  translations: "bill invoice:0.4",
  search: { ranker: "sift", grammar: "full", without: ["parameters"] },
};
const sift = new ToolSift(options);
const names: string[] = sift.register([{ name: "a", inputSchema: { type: "object" } }], { server: "s" }).registered;
const session: Session = sift.session("chat", { scope: { servers: ["s"] } });
const assembly: Assembly = session.assemble({ format: "anthropic" });
const share: number = assembly.size.saved.share;

export function handle(outcome: Outcome): string {
  switch (outcome.kind) {
    case "result":
      return outcome.content;
    case "dispatch":
      return outcome.name + Object.keys(outcome.arguments).join();
    case "refused":
      return outcome.error.code satisfies ErrorCode;
  }
}

const queries: readonly string[] = ["open a ticket", "send mail"];
export const sure: Confidence | undefined = sift.search(queries, { limit: 3 }).confidence;
export const why: string = sift.explain(queries, "a").reason;
export const snapshot: Snapshot = session.snapshot();
const kept: MessageFormat = "ai-sdk";
export const rebuilt: HistoryReport = session.fromMessages([{ role: "user", content: "Hi" }], { format: kept });
export const restored: Session = sift.restore(snapshot).session;
export const said = [handle(session.call("search_tools", { query: "x" })), names, share, ToolSift.version];

interface Said extends ModelReply { text: string }
const execute: Execute = ({ server, name, arguments: args }) => [server, name, Object.keys(args)];
export async function answer(send: () => Said): Promise<string> {
  const told = (event: ToolEvent): unknown => (event.type === "refuse" ? event.code : event.tokens);
  const { finish, reply } = await runTools(session, { format: "openai", send, execute, onEvent: (event) => void told(event) });
  return finish === "done" ? reply.text : finish;
}

try {
  sift.dispose();
} catch (error: unknown) {
  if (ToolSiftError.is(error)) error.code satisfies ErrorCode;
}

// What is undefined is missing: a caller hands on what it may not have.
new ToolSift({ profile: undefined, limits: { tools: undefined }, budget: { tokens: undefined } });
sift.register([], { server: undefined, names: undefined, category: undefined, enrichment: undefined });
sift.search("x", { limit: undefined, reasons: undefined, scores: undefined });
session.assemble({ format: undefined });
session.call("a", {}, { now: undefined, visible: undefined });
session.prefetch("x", { tools: undefined, tokens: undefined });
session.evict({ tools: 1, tokens: undefined });
export const storeOptions: SessionStoreOptions = { ttl: undefined, prefix: undefined, onTorn: undefined };
// @ts-expect-error a scope that is undefined by mistake must not open everything
sift.session("chat", { scope: undefined });
// @ts-expect-error a misspelt option
new ToolSift({ contextWindows: 1 });
// @ts-expect-error an ingredient that does not exist
new ToolSift({ search: { without: ["salt"] } });
// @ts-expect-error a query that is no text
sift.search(["a", 1]);
// @ts-expect-error a profile that does not exist
new ToolSift({ profile: "everything" });
// @ts-expect-error a wire format that does not exist
session.assemble({ format: "xml" });
// @ts-expect-error a loop that runs nothing
void runTools(session, { send: () => ({ calls: [] }) });
// @ts-expect-error a conversation whose format is not said
session.fromMessages([], {});
// @ts-expect-error a conversation of a format that does not exist
session.fromMessages([], { format: "xml" });
`;

const SLIM = `
import { init, ToolSift } from "toolsift/slim";
import wasm from "toolsift/core.wasm";
import { ToolSift as Same } from "toolsift";

await init();
await init(new URL("https://example.com/toolsift.wasm"));
await init(wasm);
export const sift: Same = new ToolSift();
// @ts-expect-error not a source of wasm
await init(null);
`;

const ENRICH = `
import { ToolSift, type Enrichment, type EnrichmentReport } from "toolsift";
import { enrich, estimate, readEnrichment, writeEnrichment } from "toolsift/author";
import type { Complete, EnrichEstimate, EnrichOptions, EnrichProgress, EnrichReport, NotEnriched } from "toolsift/author";

const tools = [{ name: "a", description: "b", inputSchema: { type: "object" } }] as const;
const complete: Complete = async ({ system, prompt, maxTokens, language, tools: names }) =>
  [system, prompt, language, ...names].join().slice(0, maxTokens);
const options: EnrichOptions = { complete, languages: ["en", "ja"], previous: "", onProgress: (one: EnrichProgress) => one.done };
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
// @ts-expect-error a model that returns no text
void enrich(tools, { complete: () => 7 });
// @ts-expect-error words that are no list
sift.register(tools, { enrichment: [{ name: "a", keywords: "b" }] });
`;

const NODE = { module: "node16", moduleResolution: "node16" };
const BUNDLER = { module: "esnext", moduleResolution: "bundler" };

/** Programs of one project by their files, whose names decide on their kinds of module: its settings, and its platform's types. */
const PROJECTS = {
  "ES modules and CommonJS in Node": [NODE, [], { "program.mts": PROGRAM, "program.cts": PROGRAM, "enrich.mts": ENRICH }],
  "a bundler for pages": [BUNDLER, ["DOM"], { "program.ts": PROGRAM, "enrich.ts": ENRICH, "slim.ts": SLIM }],
};

for (const [title, [kind, platform, programs]] of Object.entries(PROJECTS)) {
  test(`types: ${title}`, async () => {
    const { app } = await install();
    for (const [name, source] of Object.entries(programs)) writeFileSync(join(app, name), source);
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false };
    const about = { ...strict, ...kind, target: "ES2022", lib: ["ES2022", ...platform], types: [], noEmit: true };
    const config = join(app, "tsconfig.json");
    writeFileSync(config, JSON.stringify({ compilerOptions: about, files: Object.keys(programs) }));
    await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", config]);
  });
}
