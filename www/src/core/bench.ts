/**
 * Long work beside the conversation: comparisons of profiles and everything else that builds catalogs of its own. It lives
 * in a worker of its own, so that a search never waits for it. It reads the catalog from the engine, over a channel between
 * the two workers, once per edition.
 */
import { wrap, type Remote } from "comlink";
import { ToolSift, type ToolInfo, type ToolSiftOptions } from "toolsift";
import type { Line } from "../model/lines.ts";
import { proposedLines } from "../model/proposals.ts";
import type { Step } from "../model/script.ts";
import type { ProfileTable, Settings } from "../model/settings.ts";
import { Catalog } from "./catalog.ts";
import { Conversation } from "./conversation.ts";
import { Lab, type Column, type Reasoning, type Score } from "./lab.ts";
import type { Engine } from "./engine.ts";
import { loadTokenizer } from "./tokenizer.ts";
import type { ConversationView, KeptList } from "./types.ts";

export class Bench {
  #engine: Remote<Engine> | null = null;
  #edition = -1;
  #lists: KeptList[] = [];
  #catalog = new Catalog([]);
  #lab = new Lab();

  /** The way to the engine. */
  connect(port: MessagePort): void {
    this.#engine = wrap<Engine>(port);
  }

  /** Plays a script from its start under some settings, on the tools of this edition. */
  async play(edition: number, script: Step[], settings: Settings, more: ToolSiftOptions = {}): Promise<ConversationView> {
    await this.#read(edition);
    await loadTokenizer(settings);
    const profiles: ProfileTable = { all: ToolSift.profiles(), byDefault: settings.profile };
    const sift = this.#build(settings, more);
    try {
      const conversation = new Conversation("bench", this.#catalog.rules(sift, settings, profiles));
      for (const step of script) conversation.add(step);
      return conversation.view();
    } finally {
      sift.dispose();
    }
  }

  /** What every ranker finds for a query. */
  async rank(edition: number, settings: Settings, query: string): Promise<Column[]> {
    return (await this.#labOf(edition, settings)).rank(query);
  }

  /** Why every ranker finds a tool, or does not. */
  async explain(edition: number, settings: Settings, query: string, name: string): Promise<Reasoning[]> {
    return (await this.#labOf(edition, settings)).explain(query, name);
  }

  /** How well every ranker finds the tools of some lines. */
  async evaluate(edition: number, settings: Settings, lines: Line[]): Promise<{ scores: Score[]; unknown: Line[] }> {
    return (await this.#labOf(edition, settings)).evaluate(lines);
  }

  /** Queries to measure with: of the packs where they know a tool, or else first sentences. */
  async propose(edition: number, settings: Settings): Promise<Pick<Line, "query" | "tools">[]> {
    await this.#read(edition);
    const keyOf = (server: string | null, name: string | undefined) => JSON.stringify([server, name]);
    const queries = new Map(
      this.#lists.flatMap(({ server, words }) =>
        (words ?? []).map(({ name, queries: own }) => [keyOf(server, name), own ?? []] as const),
      ),
    );
    const sift = this.#build(settings);
    try {
      const asked = ({ server, originalName }: ToolInfo) => queries.get(keyOf(server, originalName)) ?? [];
      return proposedLines(sift.tools(), asked);
    } finally {
      sift.dispose();
    }
  }

  async #labOf(edition: number, settings: Settings): Promise<Lab> {
    await this.#read(edition);
    const profiles: ProfileTable = { all: ToolSift.profiles(), byDefault: settings.profile };
    this.#lab.prepare(`${edition} ${JSON.stringify(settings)}`, settings, profiles, (own) => this.#build(own));
    return this.#lab;
  }

  /** The caller disposes of it. */
  #build(settings: Settings, more: ToolSiftOptions = {}): ToolSift {
    const sift = this.#catalog.build(settings, more);
    // Whoever needs a second one has it faster.
    this.#catalog.index(sift);
    return sift;
  }

  async #read(edition: number): Promise<void> {
    if (this.#edition === edition) return;
    if (this.#engine === null) throw new Error("the bench is not connected");
    this.#lists = await this.#engine.lists();
    this.#catalog = new Catalog(this.#lists);
    this.#edition = edition;
  }
}
