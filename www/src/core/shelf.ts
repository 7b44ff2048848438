/** The servers' lists that the page has, under the settings in force, and every way in which these change. */
import type { NamePolicy, ToolSift } from "toolsift";
import type { ProfileTable, Settings } from "../model/settings.ts";
import { type Source, sourceOf } from "../model/source.ts";
import type { WireTool } from "../model/wire.ts";
import { Catalog } from "./catalog.ts";
import type { Rules } from "./conversation.ts";
import type { Given } from "./files.ts";
import { freeName, overlap, register, unusable } from "./lists.ts";
import type { KeptList, Reading, Words } from "./types.ts";

export class Shelf {
  /** Changes whenever the tools do. */
  edition = 0;
  /** What was removed last, and the place that it had. */
  removed: { source: Source; at: number } | null = null;
  #sources: readonly Source[] = [];
  #catalog = new Catalog([]);
  #sift: ToolSift;
  #settings: Settings;

  constructor(sift: ToolSift, settings: Settings) {
    this.#sift = sift;
    this.#settings = settings;
  }

  get sources(): readonly Source[] {
    return this.#sources;
  }

  get sift(): ToolSift {
    return this.#sift;
  }

  /** The settings in force. */
  get settings(): Settings {
    return this.#settings;
  }

  /** Whether a change of settings is fast. */
  get indexed(): boolean {
    return this.#catalog.indexed;
  }

  index(): void {
    this.#catalog.index(this.#sift);
  }

  /** Whether the packs have been asked for words for every tool. */
  get asked(): boolean {
    return this.#sources.every(({ words }) => words !== null);
  }

  get words(): Words {
    const reports = this.#sources.flatMap(({ report }) => report.enrichment ?? []);
    const packs = new Map(this.#sources.flatMap((source) => source.packs.map((pack) => [pack.name, pack])));
    return {
      tools: reports.reduce((sum, { enriched }) => sum + enriched, 0),
      packs: [...packs.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    };
  }

  rules(profiles: ProfileTable): Rules {
    return this.#catalog.rules(this.#sift, this.#settings, profiles);
  }

  definition(server: string | null, originalName: string): WireTool | null {
    return this.#catalog.definition(server, originalName);
  }

  /** Every list as it was brought: for the other workers, and for the browser to keep. */
  lists(): KeptList[] {
    return this.#sources.map(({ server, from, start, names, own, tools, words }) => ({
      server,
      from,
      start,
      names,
      own,
      tools,
      words,
    }));
  }

  /** Has other settings in force. Throws what the library refuses them with; then the old ones stay. */
  use(settings: Settings): void {
    this.#replaceSift(this.#catalog.build(settings));
    this.#settings = settings;
  }

  /** Has these lists in place of all others. */
  replace(sources: readonly Source[]): void {
    const catalog = new Catalog(sources);
    this.#replaceSift(catalog.build(this.#settings));
    this.#sources = sources;
    this.#catalog = catalog;
    this.removed = null;
    this.edition += 1;
  }

  /**
   * A visitor's first lists take the place of the page's; further ones join them. Lists of the same name stay beside each
   * other, unless one is a newer version of another. A list of which nothing can be used changes nothing. `replaced` says
   * whether the lists before are gone.
   */
  add(lists: readonly Given[]): { readings: Reading[]; taken: Source[]; replaced: boolean } {
    const readings: Reading[] = [];
    const taken: Source[] = [];
    for (const { list, from } of lists) {
      const source = sourceOf(list, from, true);
      const problem = unusable(source);
      if (problem !== null) readings.push({ name: list.server, taken: 0, problem: `${from}: ${problem}` });
      else taken.push(source);
    }
    const replaced = taken.length > 0 && this.#sources.every((source) => !source.own);
    if (replaced) {
      for (const [index, source] of taken.entries()) source.server = freeName(source.server, taken.slice(0, index));
      this.replace(taken);
    } else if (taken.length > 0) {
      const before = this.#sources;
      for (const source of taken) this.#take(source, before);
    }
    readings.push(...taken.map(({ server, report }) => ({ name: server, taken: report.registered.length, problem: null })));
    return { readings, taken, replaced };
  }

  remove(server: string): void {
    const at = this.#sources.findIndex((source) => source.server === server);
    const source = this.#sources[at];
    if (!source) return;
    this.removed = { source, at };
    this.#sift.unregister({ server });
    this.#have(this.#sources.toSpliced(at, 1));
  }

  /** Brings the server back that was removed last; answers its name. */
  restore(): string | null {
    if (this.removed === null) return null;
    const { source, at } = this.removed;
    this.removed = null;
    source.server = freeName(source.server, this.#sources);
    register(this.#sift, source);
    this.#have(this.#sources.toSpliced(at, 0, source));
    return source.server;
  }

  /** False where the name is taken or empty. */
  rename(server: string, to: string): boolean {
    const source = this.#sources.find((row) => row.server === server);
    if (!source || to === "" || this.#sources.some((row) => row.server === to)) return false;
    this.#again(source, () => (source.server = to));
    return true;
  }

  /** Reads a server's list again, under another policy for names that vendors refuse; answers how many tools it has then. */
  retake(server: string, names: NamePolicy): number | null {
    const source = this.#sources.find((row) => row.server === server);
    if (!source) return null;
    this.#again(source, () => (source.names = names));
    return source.report.registered.length;
  }

  /** Adds the words that `toolsift()` takes from packs; answers whether there are any. Null where the tools changed meanwhile. */
  async addWords(): Promise<boolean | null> {
    const missing = this.#sources.filter(({ words }) => words === null);
    if (missing.length === 0) return false;
    const { edition } = this;
    const [{ packsFor }, servers] = await Promise.all([import("toolsift/packs"), import("../../../pkg/packs/servers.json")]);
    const written = new Map(servers.packs.map((row) => [row.pack, row.written]));
    const found = [];
    for (const source of missing) found.push({ source, ...(await packsFor(source.tools)) });
    if (this.edition !== edition) return null;
    for (const { source, entries, packs } of found) {
      source.words = entries;
      source.packs = packs.map(({ name }) => ({ name, written: written.get(name) as string }));
    }
    if (missing.every(({ words }) => words?.length === 0)) return false;
    const { removed } = this;
    this.replace([...this.#sources]);
    this.removed = removed;
    return true;
  }

  /** Takes a list; one of `before` that came from the same place and shares a tool is updated by it. */
  #take(source: Source, before: readonly Source[]): void {
    const old = before.find(
      (row) => row.server === source.server && row.from === source.from && overlap(row.tools, source.tools),
    );
    if (old) {
      // Only what differs is registered anew.
      source.names = old.names;
      const { rejected, repaired } = this.#sift.sync(source.server, source.tools, { names: source.names });
      const names = this.#sift.tools().filter((tool) => tool.server === source.server);
      source.report = { registered: names.map((tool) => tool.name), rejected, repaired };
      this.#have(this.#sources.map((row) => (row === old ? source : row)));
    } else {
      source.server = freeName(source.server, this.#sources);
      register(this.#sift, source);
      this.#have([...this.#sources, source]);
    }
  }

  /** Registers a list anew after a change. */
  #again(source: Source, change: () => void): void {
    this.#sift.unregister({ server: source.server });
    change();
    register(this.#sift, source);
    this.#have(this.#sources);
  }

  /** The `ToolSift` has these lists already. */
  #have(sources: readonly Source[]): void {
    this.#sources = sources;
    this.#catalog = new Catalog(sources);
    this.edition += 1;
  }

  /** The one before is freed once the answer is on its way: with thousands of tools that takes time. */
  #replaceSift(next: ToolSift): void {
    const before = this.#sift;
    this.#sift = next;
    setTimeout(() => before.dispose());
  }
}
