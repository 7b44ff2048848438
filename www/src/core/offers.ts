/** What the page offers to try on these tools: queries, and scripted conversations. Finding them takes some searches. */
import type { SearchResult, SettingsInfo, ToolInfo } from "toolsift";
import { EXAMPLE_QUERIES, examplesFor, type Example } from "../model/examples.ts";
import { readRecordings, toolsOf, type Recording } from "../model/recordings.ts";
import { SCRIPT_QUERIES, scriptsFor } from "../model/scripts.ts";
import type { Conversation } from "./conversation.ts";
import type { ScriptInfo } from "./types.ts";

/** In catalogs up to this size the searches take no time worth a second answer. */
const SMALL = 300;

/** A larger catalog has no scripted conversations of its own words: finding them would take too long. */
const MAX_SCRIPTED = 5_000;

/** Hits that are looked at. */
const TOP = 5;

export class Offers {
  examples: Example[] = [];
  scripts: ScriptInfo[] = [];
  #examplesFor = "";
  #scriptsFor = -1;
  #recordings: Recording[] | null = null;

  /** Whether the conversations of real models are at hand. */
  get fetched(): boolean {
    return this.#recordings !== null;
  }

  /** Fetches the conversations of real models, once: the page begins without them. */
  async fetch(): Promise<void> {
    if (this.#recordings !== null) return;
    const recording = await import("../recordings/sift+words-before.jsonl?raw");
    this.#recordings = readRecordings(recording.default);
    this.#scriptsFor = -1;
  }

  /** Whether something is still to be found. */
  stale(edition: number, rules: SettingsInfo): boolean {
    return this.#scriptsFor !== edition || this.#examplesFor !== keyOf(edition, rules);
  }

  /** Other tools: what was offered names tools that may be gone. */
  forget(): void {
    this.examples = [];
    this.scripts = [];
    this.#scriptsFor = -1;
    this.#examplesFor = "";
  }

  /** Finds everything at once, if the catalog is small enough. */
  findNow(edition: number, rules: SettingsInfo, conversation: Conversation): void {
    if (conversation.tools.length > SMALL || !this.stale(edition, rules)) return;
    this.#take(edition, rules, conversation.tools, (query) => conversation.ask(query, TOP, false));
  }

  /** Finds everything search by search, so that whatever else is asked meanwhile is answered. False where `valid` ended it. */
  async find(edition: number, rules: SettingsInfo, conversation: Conversation, valid: () => boolean): Promise<boolean> {
    const answers = new Map<string, SearchResult | null>();
    for (const query of new Set([...EXAMPLE_QUERIES, ...SCRIPT_QUERIES])) {
      answers.set(query, conversation.ask(query, TOP, false));
      await new Promise((resolve) => setTimeout(resolve));
      if (!valid()) return false;
    }
    this.#take(edition, rules, conversation.tools, (query) => answers.get(query) ?? null);
    return true;
  }

  #take(
    edition: number,
    rules: SettingsInfo,
    tools: readonly ToolInfo[],
    search: (query: string) => SearchResult | null,
  ): void {
    const ask = (query: string, limit: number) => {
      const result = search(query);
      return result && { ...result, hits: result.hits.slice(0, limit) };
    };
    this.examples = examplesFor(tools, rules, ask);
    this.#examplesFor = keyOf(edition, rules);
    if (this.#scriptsFor === edition) return;
    const written = tools.length <= MAX_SCRIPTED ? scriptsFor(tools, ask) : [];
    const names = new Set(tools.map(({ name }) => name));
    const recorded = (this.#recordings ?? []).filter((recording) => toolsOf(recording).every((name) => names.has(name)));
    this.scripts = [...written, ...recorded];
    this.#scriptsFor = edition;
  }
}

function keyOf(edition: number, { search }: SettingsInfo): string {
  return `${edition} ${search.ranker} ${search.grammar} ${search.universe}`;
}
