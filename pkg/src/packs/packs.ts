/** Chooses packs by the hashes of tools, and loads the packs that have words for one of them. */

import { PACKS } from "toolsift:pack-index";
import type { Enrichment, SingleTool, ToolList } from "../types/index.js";
import { reasonOf } from "../base/values.js";
import { hashOf, hashedText } from "./definition-hash.js";
import { type Definition, definitionsOf } from "./definitions.js";
import type { MatchedPack, PackInfo, PacksFor } from "./types.js";

type Pack = (typeof PACKS)[number];
type Words = readonly [hash: string, queries: readonly string[], keywords: readonly string[], name: string];

/** The number of digits of each hash in the index. If these digits match by accident, a pack is loaded but not used. */
const DIGITS = 6;
/** The number of digits of each name's hash in the index. */
const NAME_DIGITS = 3;
/** The minimum number of tools with names of a pack, which must also be half of the tools or half of the pack. */
const NAMED_TOOLS = 3;
/** The maximum number of prefixes that clients put in front of a name, as in `mcp__github__create_issue`. */
const PREFIXES = 3;

interface Digits {
  hashes: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

interface Loaded {
  byHash: ReadonlyMap<string, Words>;
  byName: ReadonlyMap<string, Words>;
}

const loaded = new Map<Pack, Promise<Loaded>>();
const read = new Map<Pack, Digits>();

/** Returns all packs, in the order of their names. Nothing is loaded. */
export function packs(): PackInfo[] {
  return PACKS.map(({ name, tools, bytes }) => ({ name, tools, bytes }));
}

/**
 * Returns the search words for some tools. A tool is recognized by the hash of its name and description. If a server has
 * changed descriptions, its tools are recognized by name, but only if at least three tools have names of the pack, and these
 * are half of the tools or of the pack. So pass the tools of each server separately. Packs without a tool in the list are
 * not loaded.
 *
 * ```ts
 * const { entries, packs } = await packsFor(tools);
 * sift.register(tools, { server: "github", enrichment: entries });
 * ```
 *
 * @param tools the same as for `register`, which reports values that are no tools
 * @throws ToolSiftError `not_json` for a value that is neither a list nor a definition, `catalog_full`, `list_too_large`
 */
export async function packsFor(tools: ToolList | SingleTool): Promise<PacksFor> {
  const wanted = definitionsOf(tools).map(wantedOf);
  const chosen = PACKS.filter((pack) => isWanted(pack, wanted));
  const results = await Promise.allSettled(chosen.map(load));
  const found: PacksFor = { entries: [], packs: [], problems: [] };
  const there: There[] = [];
  for (const [at, { name, tools }] of chosen.entries()) {
    const result = results[at]!;
    if (result.status === "rejected") found.problems.push(`the pack ${name} cannot be loaded: ${reasonOf(result.reason)}`);
    else there.push({ words: result.value, matched: { name, matched: 0, tools } });
  }
  const known = new Set<string>();
  const take = (tool: Wanted, { matched }: There, [, queries, keywords]: Words, key: Enrichment) => {
    matched.matched++;
    if (known.has(tool.own)) return;
    known.add(tool.own);
    // Copied, because the caller may change it.
    found.entries.push({ ...key, queries: [...queries], keywords: [...keywords] });
  };
  const changed: Wanted[] = [];
  for (const tool of wanted) {
    let isKnown = false;
    for (const pack of there) {
      const entry = tool.names.map(({ hash }) => pack.words.byHash.get(hash)).find((one) => one !== undefined);
      if (entry === undefined) continue;
      // No name, so that a tool of another server with the same name is not reported as stale.
      take(tool, pack, entry, { hash: tool.own });
      isKnown = true;
    }
    if (!isKnown) changed.push(tool);
  }
  // Several servers can have tools of the same name. The pack with the most matching tools comes first.
  const homes = there
    .map((pack) => ({ pack, named: wanted.filter((tool) => entryNamed(pack, tool) !== undefined).length }))
    .filter(({ pack, named }) => isOfServer(named, wanted, pack.words.byName))
    .sort((a, b) => b.pack.matched.matched - a.pack.matched.matched || b.named - a.named);
  for (const tool of changed) {
    const home = homes.find(({ pack }) => entryNamed(pack, tool) !== undefined)?.pack;
    if (home !== undefined) take(tool, home, entryNamed(home, tool)!, { name: tool.name });
  }
  found.packs = there.flatMap(({ matched }) => (matched.matched > 0 ? matched : []));
  return found;
}

/** A loaded pack, and how many of the tools got words from it. */
interface There {
  words: Loaded;
  matched: MatchedPack;
}

interface Wanted {
  name: string;
  own: string;
  /** The name, and the name without each prefix; each with its hash and with the hash of the definition under that name. */
  names: { name: string; ofName: string; hash: string }[];
}

function wantedOf({ name, description }: Definition): Wanted {
  const text = hashedText(description);
  const names = namesOf(name).map((one) => ({ name: one, ofName: hashOf(one, ""), hash: hashOf(one, text) }));
  return { name, own: names[0]!.hash, names };
}

/** Checks if tools of a pack's server are probably present. If not, a pack is loaded but not used. */
function isWanted(pack: Pack, wanted: readonly Wanted[]): boolean {
  const { hashes, names } = digitsOf(pack);
  if (wanted.some((tool) => tool.names.some(({ hash }) => hashes.has(hash.slice(0, DIGITS))))) return true;
  const named = wanted.filter((tool) => tool.names.some(({ ofName }) => names.has(ofName.slice(0, NAME_DIGITS)))).length;
  return isOfServer(named, wanted, names);
}

/** Checks if enough tools have names of a pack to be tools of its server. */
function isOfServer(named: number, { length }: readonly Wanted[], { size }: { size: number }): boolean {
  return named >= NAMED_TOOLS && 2 * named >= Math.min(size, length);
}

function entryNamed({ words: { byName } }: There, { names }: Wanted): Words | undefined {
  return names.map(({ name }) => byName.get(name)).find((one) => one !== undefined);
}

/** Returns a name, and the name without each prefix that a client put in front. */
function namesOf(name: string): string[] {
  const names = [name];
  for (let rest = name, at = rest.indexOf("__"); at >= 0 && names.length <= PREFIXES; at = rest.indexOf("__")) {
    rest = rest.slice(at + 2);
    if (rest !== "") names.push(rest);
  }
  return names;
}

function digitsOf(pack: Pack): Digits {
  let digits = read.get(pack);
  if (digits === undefined) {
    digits = { hashes: slicesOf(pack.hashes, DIGITS), names: slicesOf(pack.names, NAME_DIGITS) };
    read.set(pack, digits);
  }
  return digits;
}

function slicesOf(digits: string, length: number): Set<string> {
  return new Set(Array.from({ length: digits.length / length }, (_, at) => digits.slice(at * length, (at + 1) * length)));
}

/** Loads the words of a pack. After a failure, the next call tries again. */
function load(pack: Pack): Promise<Loaded> {
  const known = loaded.get(pack);
  if (known !== undefined) return known;
  const loading = wordsOf(pack);
  loaded.set(pack, loading);
  loading.catch(() => loaded.delete(pack));
  return loading;
}

async function wordsOf({ key, load }: Pack): Promise<Loaded> {
  await load();
  // The module stores the words here. It is one file for both module kinds, so it cannot export anything.
  const words = (globalThis as Record<symbol, unknown>)[Symbol.for(key)] as readonly Words[] | undefined;
  if (words === undefined) throw new Error("its module holds nothing");
  return { byHash: new Map(words.map((one) => [one[0], one])), byName: new Map(words.map((one) => [one[3], one])) };
}
