/** Tells how many tools have words that people use, and of whom. */

import type { Enrichment } from "toolsift";
import { count, counted } from "../output/table.js";
import { fitOf } from "./catalog.js";
import type { Listed } from "./live.js";

/** How many tools have words. A tool may have them of several. */
export interface KnownWords {
  tools: number;
  /** Tools that have any. */
  enriched: number;
  /** Those that have some of packs, of files, and of their servers. */
  packs: number;
  files: number;
  servers: number;
}

/** Counts them, where the lists have the words of packs. */
export function knownWords(lists: readonly Listed[], files: readonly Enrichment[] = []): KnownWords {
  const all: KnownWords = { tools: 0, enriched: 0, packs: 0, files: 0, servers: 0 };
  for (const { server, tools, enrichment: packs = [] } of lists) {
    const others = tools.filter((tool) => !hasOwn(tool));
    const own = tools.length - others.length;
    const both = [...packs, ...files];
    const enriched = (of: Listed["tools"], entries: readonly Enrichment[]) => fitOf(of, server, entries)?.enriched ?? 0;
    all.tools += tools.length;
    all.servers += own;
    all.packs += enriched(tools, packs);
    all.files += enriched(tools, files);
    all.enriched += own + enriched(others, both);
  }
  return all;
}

/** A sentence of it. */
export function wordsLine({ tools, enriched, packs, files, servers }: KnownWords): string {
  const of = [
    packs > 0 ? `${count(packs)} of packs` : [],
    files > 0 ? `${count(files)} of files` : [],
    servers > 0 ? `${count(servers)} of their servers` : [],
  ].flat();
  const parts = of.length === 0 ? "" : ` (${of.join(", ")})`;
  const help = enriched < tools ? "; `toolsift enrich` has a model write more" : "";
  return `Words that people use: ${count(enriched)} of ${counted(tools, "tool")} have some${parts}${help}.`;
}

const hasOwn = (tool: unknown): boolean => Object(Object(tool)._meta)["toolsift/search"] !== undefined;
