/** Chooses packs by the hashes of tools, and loads those that have words for one of them. */

import { PACKS } from "toolsift:pack-index";
import type { SingleTool, ToolList } from "../types.js";
import { reasonOf } from "../values.js";
import { grouped } from "../grouped.js";
import { gistOf, hashOf, hashedText, likeness } from "../definition-hash.js";
import { type Definition, definitionsOf } from "./definitions.js";
import type { MatchedPack, PackInfo, PacksFor } from "./types.js";

type Pack = (typeof PACKS)[number];
/** What a pack has for one tool. */
type Words = readonly [hash: string, queries: readonly string[], keywords: readonly string[], name: string, gist: string];

/** Of a hash, the index has so many digits. A wrong match costs a pack that is loaded in vain: the whole hash decides. */
const DIGITS = 6;
/** And of the hash of a name. */
const NAME_DIGITS = 3;
/** Where nothing is as it was, so many names of a list are a server's, if they are half of them or half of the pack's. */
const NAMES = 3;
/** Words of a definition that is less like the one of today are left out. */
const ALIKE = 0.5;
/** Some clients write the server in front of a name, as in `mcp__github__create_issue`. */
const PREFIXES = 3;

interface Digits {
  hashes: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

/** The words of a pack. */
interface Loaded {
  byHash: ReadonlyMap<string, Words>;
  byName: ReadonlyMap<string, Words[]>;
}

const loaded = new Map<Pack, Promise<Loaded>>();
const read = new Map<Pack, Digits>();

/** The packs that there are, in the order of their names. Nothing is loaded. */
export function packs(): PackInfo[] {
  return PACKS.map(({ name, tools, bytes }) => ({ name, tools, bytes }));
}

/**
 * The enrichments of some tools. A tool is known by the hash of its name and its description. Where a server has changed the
 * description since, the words that were written for its former one come with their `gist`, by which the registration decides
 * what they still count. Packs of which no server is among the tools are not loaded.
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
    else
      there.push({
        words: result.value,
        matched: { name, matched: 0, aged: 0, tools },
        named: namedIn(chosen[at]!, wanted),
      });
  }
  const known = new Set<string>();
  const take = (tool: Wanted, { matched }: There, [hash, queries, keywords, , gist]: Words, isAged: boolean) => {
    matched.matched++;
    if (isAged) matched.aged++;
    if (known.has(tool.own)) return;
    known.add(tool.own);
    // A copy: the host may change it. Without a name what fits: a tool of another server that has the same name is not stale.
    const texts = { queries: [...queries], keywords: [...keywords] };
    found.entries.push(isAged ? { name: tool.name, hash, gist, ...texts } : { hash: tool.own, ...texts });
  };
  const changed: Wanted[] = [];
  for (const tool of wanted) {
    let isKnown = false;
    for (const pack of there) {
      const entry = tool.names.map(({ hash }) => pack.words.byHash.get(hash)).find((one) => one !== undefined);
      if (entry === undefined) continue;
      take(tool, pack, entry, false);
      isKnown = true;
    }
    if (!isKnown) changed.push(tool);
  }
  // Several servers have tools of one name. The one of which most is there is it, and no other.
  const likeliest = [...there].sort((a, b) => b.matched.matched - a.matched.matched || b.named - a.named);
  for (const tool of changed) {
    const pack = likeliest.find(({ words }) => tool.names.some(({ name }) => words.byName.has(name)));
    const entry = pack && agedOf(pack.words, tool);
    if (entry !== undefined) take(tool, pack!, entry, true);
  }
  found.packs = there.flatMap(({ matched }) => (matched.matched > 0 ? matched : []));
  return found;
}

/** A pack that was loaded, and how many of the tools are called as some of its. */
interface There {
  words: Loaded;
  matched: MatchedPack;
  named: number;
}

/** A tool by what packs know it by. */
interface Wanted {
  name: string;
  description: string;
  /** The hash of its definition. */
  own: string;
  /** Its name and what is left of it without prefixes, each with its hash, and that of the definition under it. */
  names: { name: string; ofName: string; hash: string }[];
}

function wantedOf({ name, description }: Definition): Wanted {
  const text = hashedText(description);
  const names = namesOf(name).map((one) => ({ name: one, ofName: hashOf(one, ""), hash: hashOf(one, text) }));
  return { name, description, own: names[0]!.hash, names };
}

/** Whether tools of a pack's server seem to be there. A wrong guess costs a pack that is loaded in vain. */
function isWanted(pack: Pack, wanted: readonly Wanted[]): boolean {
  const { hashes, names } = digitsOf(pack);
  if (wanted.some((tool) => tool.names.some(({ hash }) => hashes.has(hash.slice(0, DIGITS))))) return true;
  const named = namedIn(pack, wanted);
  return named >= NAMES && 2 * named >= Math.min(names.size, wanted.length);
}

/** How many of some tools are called as some of a pack's. */
function namedIn(pack: Pack, wanted: readonly Wanted[]): number {
  const { names } = digitsOf(pack);
  return wanted.filter((tool) => tool.names.some(({ ofName }) => names.has(ofName.slice(0, NAME_DIGITS)))).length;
}

/** Of the entries of a tool's name, the one that was written from the description most like its own. */
function agedOf({ byName }: Loaded, { names, description }: Wanted): Words | undefined {
  const former = names.flatMap(({ name }) => byName.get(name) ?? []);
  if (former.length === 0) return undefined;
  const gist = gistOf(description);
  let best: Words | undefined;
  let most = ALIKE;
  for (const entry of former) {
    const like = likeness(entry[4], gist);
    if (like >= most) [best, most] = [entry, like];
  }
  return best;
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

/** The digits of the index by pack. */
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
  return { byHash: new Map(words.map((one) => [one[0], one])), byName: grouped(words, ([, , , name]) => name) };
}
