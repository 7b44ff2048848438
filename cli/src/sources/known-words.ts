/** Counts the tools that have extra search words, by the source of the words: packs, enrichment files, or their servers. */

import type { Enrichment } from "toolsift";
import { count, counted } from "../output/table.js";
import { fitOf } from "./catalog.js";
import type { Listed } from "./live.js";

/** Numbers of tools. A tool can have words from several sources. */
export interface KnownWords {
  /** All tools. */
  tools: number;
  /** The tools with words from any source. */
  enriched: number;
  /** The tools with words from packs, from enrichment files, and from their servers. */
  packs: number;
  files: number;
  servers: number;
}

/** Counts the tools with words. The lists must hold the words of packs already. */
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

/** Returns the numbers as a sentence. */
export function wordsLine({ tools, enriched, packs, files, servers }: KnownWords): string {
  const of = [
    packs > 0 ? `${count(packs)} from packs` : [],
    files > 0 ? `${count(files)} from files` : [],
    servers > 0 ? `${count(servers)} from their servers` : [],
  ].flat();
  const parts = of.length === 0 ? "" : ` (${of.join(", ")})`;
  const help = enriched < tools ? "; `toolsift enrich` has a model write more" : "";
  return `Extra search words: ${count(enriched)} of ${counted(tools, "tool")} have them${parts}${help}.`;
}

const hasOwn = (tool: unknown): boolean => Object(Object(tool)._meta)["toolsift/search"] !== undefined;
