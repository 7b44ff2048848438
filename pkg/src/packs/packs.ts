/** Chooses packs by the hashes of tools, and loads those that have words for one of them. */

import { PACKS } from "toolsift:pack-index";
import type { SingleTool, ToolList } from "../types.js";
import { reasonOf } from "../values.js";
import { definitionsOf } from "./definitions.js";
import { hashOf, hashedText } from "../definition-hash.js";
import type { MatchedPack, PackInfo, PacksFor } from "./types.js";

type Pack = (typeof PACKS)[number];
/** What a pack has for one tool. */
type Words = readonly [hash: string, queries: readonly string[], keywords: readonly string[]];

/** Of a hash, the index has so many digits. A wrong match costs a pack that is loaded in vain: the whole hash decides. */
const DIGITS = 6;
/** Some clients write the server in front of a name, as in `mcp__github__create_issue`. */
const PREFIXES = 3;

const loaded = new Map<Pack, Promise<ReadonlyMap<string, Words>>>();
let byDigits: Map<string, Pack[]> | undefined;

/** The packs that there are, in the order of their names. Nothing is loaded. */
export function packs(): PackInfo[] {
  return PACKS.map(({ name, tools, bytes }) => ({ name, tools, bytes }));
}

/**
 * The enrichments of some tools. A tool is known by the hash of its name and its description: where a server has changed
 * either, the tool gets nothing. Packs without a tool among these are not loaded.
 *
 * ```ts
 * const { entries, packs } = await packsFor(tools);
 * sift.register(tools, { server: "github", enrichment: entries });
 * ```
 *
 * @param tools what `register` takes; of what is no tool, `register` says what is wrong
 * @throws ToolSiftError `not_json` for what is neither a list nor a definition, `catalog_full`, `list_too_large`
 */
export async function packsFor(tools: ToolList | SingleTool): Promise<PacksFor> {
  const wanted = new Map<Pack, [hash: string, own: string][]>();
  for (const { name, description } of definitionsOf(tools)) {
    const text = hashedText(description);
    const own = hashOf(name, text);
    for (const candidate of namesOf(name)) {
      const hash = candidate === name ? own : hashOf(candidate, text);
      for (const pack of packsOf(hash)) {
        const hashes = wanted.get(pack) ?? [];
        hashes.push([hash, own]);
        wanted.set(pack, hashes);
      }
    }
  }
  const found: PacksFor = { entries: [], packs: [], problems: [] };
  const known = new Set<string>();
  const chosen = PACKS.filter((pack) => wanted.has(pack));
  const words = await Promise.allSettled(chosen.map(load));
  for (const [at, pack] of chosen.entries()) {
    const result = words[at]!;
    if (result.status === "rejected") {
      found.problems.push(`the pack ${pack.name} cannot be loaded: ${reasonOf(result.reason)}`);
      continue;
    }
    const matched: MatchedPack = { name: pack.name, matched: 0, tools: pack.tools };
    for (const [hash, own] of wanted.get(pack)!) {
      const entry = result.value.get(hash);
      if (entry === undefined) continue;
      matched.matched++;
      if (known.has(own)) continue;
      known.add(own);
      // Without a name: a tool of another server that has the same name is not stale. A copy: the host may change it.
      found.entries.push({ hash: own, queries: [...entry[1]], keywords: [...entry[2]] });
    }
    if (matched.matched > 0) found.packs.push(matched);
  }
  return found;
}

/** A name, and what is left of it without what clients write in front. */
function namesOf(name: string): string[] {
  const names = [name];
  for (let rest = name, at = rest.indexOf("__"); at >= 0 && names.length <= PREFIXES; at = rest.indexOf("__")) {
    rest = rest.slice(at + 2);
    if (rest !== "") names.push(rest);
  }
  return names;
}

function packsOf(hash: string): readonly Pack[] {
  if (byDigits === undefined) {
    byDigits = new Map();
    for (const pack of PACKS) {
      for (let at = 0; at < pack.hashes.length; at += DIGITS) {
        const digits = pack.hashes.slice(at, at + DIGITS);
        byDigits.set(digits, [...(byDigits.get(digits) ?? []), pack]);
      }
    }
  }
  return byDigits.get(hash.slice(0, DIGITS)) ?? [];
}

/** The words of a pack by hash. What fails is tried again the next time. */
function load(pack: Pack): Promise<ReadonlyMap<string, Words>> {
  const known = loaded.get(pack);
  if (known !== undefined) return known;
  const loading = read(pack);
  loaded.set(pack, loading);
  loading.catch(() => loaded.delete(pack));
  return loading;
}

async function read({ key, load }: Pack): Promise<ReadonlyMap<string, Words>> {
  await load();
  // Left there by the module, which is one file for both module kinds and so exports nothing.
  const words = (globalThis as Record<symbol, unknown>)[Symbol.for(key)] as readonly Words[] | undefined;
  if (words === undefined) throw new Error("its module holds nothing");
  return new Map(words.map((one) => [one[0], one]));
}
