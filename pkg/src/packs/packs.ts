/** Chooses packs by the hashes of tools, and loads those that have words for one of them. */

import { PACKS } from "toolsift:pack-index";
import type { Enrichment, SingleTool, ToolList } from "../types/index.js";
import { reasonOf } from "../base/values.js";
import { hashOf, hashedText } from "./definition-hash.js";
import { type Definition, definitionsOf } from "./definitions.js";
import type { MatchedPack, PackInfo, PacksFor } from "./types.js";

type Pack = (typeof PACKS)[number];
type Words = readonly [hash: string, queries: readonly string[], keywords: readonly string[], name: string];

/** Of a hash, the index has so many digits. A wrong match costs a pack that is loaded in vain: the whole hash decides. */
const DIGITS = 6;
/** And of the hash of a name. */
const NAME_DIGITS = 3;
/** Tools are of a pack's server from this number with names of the pack on, if they are half of the tools or of the pack. */
const NAMED_TOOLS = 3;
/** Some clients write the server in front of a name, as in `mcp__github__create_issue`. */
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

/** The packs that there are, in the order of their names. Nothing is loaded. */
export function packs(): PackInfo[] {
  return PACKS.map(({ name, tools, bytes }) => ({ name, tools, bytes }));
}

/**
 * The enrichments of some tools. A tool is known by the hash of its name and its description. Where a server has changed the
 * description since, it is known by its name, if at least three and half of the tools have names of the pack, or at least three
 * and half of the pack are there: pass the tools of each server by themselves. Packs of which no server is among the tools are not loaded.
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
    // A copy: the host may change it.
    found.entries.push({ ...key, queries: [...queries], keywords: [...keywords] });
  };
  const changed: Wanted[] = [];
  for (const tool of wanted) {
    let isKnown = false;
    for (const pack of there) {
      const entry = tool.names.map(({ hash }) => pack.words.byHash.get(hash)).find((one) => one !== undefined);
      if (entry === undefined) continue;
      // Without a name: a tool of another server that has the same name is not stale.
      take(tool, pack, entry, { hash: tool.own });
      isKnown = true;
    }
    if (!isKnown) changed.push(tool);
  }
  // Several servers have tools of one name. The one of which most is there comes first.
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

/** A pack that was loaded, and how many of the tools got words of it. */
interface There {
  words: Loaded;
  matched: MatchedPack;
}

interface Wanted {
  name: string;
  own: string;
  /** Its name and what is left of it without prefixes, each with its hash, and that of the definition under it. */
  names: { name: string; ofName: string; hash: string }[];
}

function wantedOf({ name, description }: Definition): Wanted {
  const text = hashedText(description);
  const names = namesOf(name).map((one) => ({ name: one, ofName: hashOf(one, ""), hash: hashOf(one, text) }));
  return { name, own: names[0]!.hash, names };
}

/** Whether tools of a pack's server seem to be there. A wrong guess costs a pack that is loaded in vain. */
function isWanted(pack: Pack, wanted: readonly Wanted[]): boolean {
  const { hashes, names } = digitsOf(pack);
  if (wanted.some((tool) => tool.names.some(({ hash }) => hashes.has(hash.slice(0, DIGITS))))) return true;
  const named = wanted.filter((tool) => tool.names.some(({ ofName }) => names.has(ofName.slice(0, NAME_DIGITS)))).length;
  return isOfServer(named, wanted, names);
}

/** Whether tools are of a pack's server, of which some have names of the pack. */
function isOfServer(named: number, { length }: readonly Wanted[], { size }: { size: number }): boolean {
  return named >= NAMED_TOOLS && 2 * named >= Math.min(size, length);
}

function entryNamed({ words: { byName } }: There, { names }: Wanted): Words | undefined {
  return names.map(({ name }) => byName.get(name)).find((one) => one !== undefined);
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

/** The words of a pack. What fails is tried again the next time. */
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
  // Left there by the module, which is one file for both module kinds and so exports nothing.
  const words = (globalThis as Record<symbol, unknown>)[Symbol.for(key)] as readonly Words[] | undefined;
  if (words === undefined) throw new Error("its module holds nothing");
  return { byHash: new Map(words.map((one) => [one[0], one])), byName: new Map(words.map((one) => [one[3], one])) };
}
