/** The only worker: runs the engine and reads files. A message is a numbered method call; its answer has its number. */
import { type Enrichment, type HitPart, init, ToolSiftError } from "toolsift/slim";
import { parseJson } from "../model/json.ts";
import type { Linked } from "../model/link.ts";
import { readFile, type Text } from "../model/reading.ts";
import { Engine, placeholder } from "./engine.ts";
import { type KnownServers, knownList } from "./known.ts";
import type { Catalog, Found, List, Play, Sent } from "./types.ts";

/** The result of reading files: the tools, and a sentence for each problem. */
export interface Taken {
  catalog: Catalog | null;
  problems: string[];
  /** The configured servers that no pack knows. */
  unknown: string[];
  /** The name of the file that configures them. */
  file: string;
}

const SAMPLE = new URL("../../.made/sample.json", import.meta.url);
const SERVERS = new URL("../../.made/servers.json", import.meta.url);

let engine: Engine;
const ready = init().then(() => {
  engine = new Engine();
});

/** The lists that the page has shown, for a step back in the history. The first are those of the page. */
const shown: { lists: List[]; own: boolean }[] = [];
let now: (typeof shown)[number] = { lists: [], own: false };
/** The translations from everyday words, for the visitor's own lists; empty until such a list is opened. */
let table = "";

function open(lists: List[], own: boolean): Catalog {
  return reopen({ lists, own });
}

function reopen(kept: (typeof shown)[number]): Catalog {
  now = kept;
  return engine.open(kept.lists, kept.own, kept.own ? table : "");
}

export const methods = {
  /** Opens the tools of the page. */
  async sample(): Promise<Catalog> {
    return open((await fetched(SAMPLE)) as List[], false);
  },

  /** Opens the tools of a link, which has names and sizes only. */
  async linked({ servers }: Linked): Promise<Catalog> {
    const lists = (servers ?? []).map(({ server, start, tools }): List => {
      return { server, start, known: "link", words: null, tools: tools.map(([name, chars]) => placeholder(name, chars)) };
    });
    return open(await withWords(lists), true);
  },

  /** Reads files or pasted text. If it has usable tools, they replace the current ones. */
  async take(texts: (Text | File)[]): Promise<Taken> {
    const taken: Taken = { catalog: null, problems: [], unknown: [], file: "mcp.json" };
    const lists: List[] = [];
    for (const given of texts) {
      const { problem, lists: found, configured } = await readFile(given);
      if (problem !== null) taken.problems.push(problem);
      lists.push(...found);
      if (configured.length === 0) continue;
      const known = (await fetched(SERVERS)) as KnownServers;
      taken.file = given.name;
      for (const one of configured) {
        const list = knownList(one, known);
        if (list) lists.push(list);
        else taken.unknown.push(one.server);
      }
    }
    if (lists.length === 0) return taken;
    for (const [at, list] of lists.entries()) list.server = freeName(list.server, lists.slice(0, at));
    const before = now;
    try {
      const catalog = open(await withWords(lists), true);
      for (const { rejected } of catalog.servers) taken.problems.push(...rejected);
      if (catalog.servers.some(({ tools }) => tools.length > 0)) taken.catalog = catalog;
    } catch (error) {
      if (!(error instanceof ToolSiftError)) throw error;
      taken.problems.push(error.message);
    }
    if (taken.catalog === null) reopen(before);
    return taken;
  },

  /** Stores the current tools, and returns their index. */
  async keep(): Promise<number> {
    return shown.includes(now) ? shown.indexOf(now) : shown.push(now) - 1;
  },

  /** Opens stored tools; null if there are none at this index. */
  async kept(place: number): Promise<Catalog | null> {
    const found = shown[place];
    return found ? (found === now ? engine.catalog : reopen(found)) : null;
  },

  play: async (query: string, shared: Found | null): Promise<Play> => engine.play(query, shared),
  opened: async (step: number): Promise<Sent[]> => engine.opened(step),
  why: async (query: string, name: string): Promise<HitPart[]> => engine.why(query, name),
};

/** Adds the words of packs as `toolsift()` does. Only those for these servers and the visitor's languages are loaded. */
async function withWords(lists: List[]): Promise<List[]> {
  const { packsFor, languages, translations } = await import("toolsift/packs");
  const spoken = ["en", ...navigator.languages.map((language) => language.slice(0, 2))];
  table ||= await translations(languages().filter((language) => spoken.includes(language)));
  const words = async ({ tools }: List): Promise<Enrichment[]> => (await packsFor(tools)).entries;
  return Promise.all(lists.map(async (list) => ({ ...list, words: await words(list) })));
}

/** Returns a name that no list has: the name itself, or the name with the first free number. */
function freeName(name: string, lists: readonly List[]): string {
  const taken = new Set(lists.map(({ server }) => server));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}

async function fetched(address: URL): Promise<unknown> {
  const response = await fetch(address);
  const value = response.ok ? parseJson(await response.text()) : undefined;
  if (value === undefined) throw new Error(`${address.pathname} could not be loaded (${response.status})`);
  return value;
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Runs the methods one after the other, in the order of the messages. */
let last: Promise<unknown> = ready;
addEventListener("message", ({ data: [number, method, args] }: MessageEvent<[number, string, unknown[]]>) => {
  const work = () => (methods as unknown as Methods)[method]?.(...args);
  last = last.then(work, work);
  last.then(
    (value) => postMessage([number, value, null]),
    (error: unknown) => postMessage([number, null, error instanceof Error ? error.message : String(error)]),
  );
});
