/**
 * The playground without its page: one catalog, its settings, and the conversations over it. It lives in a worker, and only
 * `client.ts` speaks to it. Every operation that changes something answers a new `Snapshot`; what is large or seldom wanted
 * (definitions, payloads, searches) is asked for by itself.
 */
import { expose } from "comlink";
import {
  ToolSift,
  ToolSiftError,
  type Explanation,
  type NamePolicy,
  type ProfileName,
  type SearchResult,
  type WireFormat,
} from "toolsift";
import { keepLists, keptLists } from "./keep.ts";
import { settingsFrom, type Written } from "../model/address.ts";
import { count, plural } from "../model/numbers.ts";
import type { Step } from "../model/script.ts";
import { defaultSettings, profileOf, type ProfileTable, type SettingKey, type Settings } from "../model/settings.ts";
import { sourceOf, type Opening, type Source } from "../model/source.ts";
import type { WireTool } from "../model/wire.ts";
import { loadTokenizer } from "./tokenizer.ts";
import { readFiles, readText, type Read } from "./files.ts";
import { viewOf } from "./lists.ts";
import type { Rules } from "./conversation.ts";
import { Offers } from "./offers.ts";
import { diffOf } from "./payload-diff.ts";
import { Sessions } from "./sessions.ts";
import { Shelf } from "./shelf.ts";
import { summaryOf } from "./summary.ts";
import type { KeptList, Payload, PayloadDiff, Problem, Reading, Snapshot } from "./types.ts";

/** What became of an address. */
export interface Adopted {
  snapshot: Snapshot;
  refused: string[];
}

/** What became of files, or of a text. */
export interface Taken {
  snapshot: Snapshot;
  readings: Reading[];
}

export class Engine {
  #opening: Opening = { kind: "example", sources: [] };
  /** As the form shows them; those in force are the shelf's. */
  #settings: Settings;
  #problem: Problem | null = null;
  #announcement = "";
  readonly #profiles: ProfileTable;
  readonly #shelf: Shelf;
  readonly #sessions = new Sessions();
  readonly #offers = new Offers();

  constructor() {
    const sift = new ToolSift();
    this.#profiles = { all: ToolSift.profiles(), byDefault: sift.settings.profile };
    this.#settings = defaultSettings(this.#profiles);
    this.#shelf = new Shelf(sift, this.#settings);
  }

  /** Takes the catalog that the page opens with, or the lists that the browser kept, and what the address says. */
  async start(opening: Opening, written: Written, kept: readonly KeptList[] = []): Promise<Adopted> {
    this.#opening = opening;
    const { settings, refused } = settingsFrom(written, this.#profiles);
    await loadTokenizer(settings);
    this.#settings = defaultSettings(this.#profiles);
    this.#shelf.use(this.#settings);
    const own = kept.map(({ server, from, start = null, names, tools }) => ({
      ...sourceOf({ server, tools }, from, true),
      start,
      names,
    }));
    this.#restart(own.length > 0 ? own : copies(opening.sources), "");
    const told = [...refused, ...this.#follow(settings)];
    if (written.script === null) {
      told.push("The conversation of this link was too long for an address. It begins anew.");
    } else if (written.script.length > 0) {
      this.#sessions.current.perform(written.script, [], this.#rules());
    }
    this.#announcement = "";
    return { snapshot: this.snapshot(), refused: told };
  }

  /** Starts with the lists that the browser kept, where it has some. */
  async resume(opening: Opening, written: Written): Promise<Adopted> {
    return this.start(opening, written, await keptLists());
  }

  /** Has the browser keep the visitor's own lists. Definitions of thousands of tools do not pass the page on their way. */
  async keep(): Promise<void> {
    await keepLists(this.lists().filter((list) => list.own));
  }

  /** Answers at one more end of a channel: the bench reads the lists there, without the main thread. */
  serve(port: MessagePort): void {
    expose(this, port);
  }

  snapshot(): Snapshot {
    const { edition, sift, settings: inForce, sources, removed, words, asked, indexed } = this.#shelf;
    const { all, current } = this.#sessions;
    const rules = sift.settings;
    this.#offers.findNow(edition, rules, current);
    return {
      version: ToolSift.version,
      opening: this.#opening.kind,
      edition,
      profiles: this.#profiles,
      settings: this.#settings,
      inForce,
      problem: this.#problem,
      profile: profileOf(this.#profiles, inForce.profile),
      rules,
      unmatched: this.#unmatched(),
      sources: sources.map(viewOf),
      gallery: this.#opening.sources.map(({ server, from, license, tools }) => ({
        server,
        from,
        license,
        tools: tools.length,
      })),
      removed: removed?.source.server ?? null,
      words,
      tools: current.tools,
      conversations: all.map(({ id, turns }) => ({ id, requests: turns.length })),
      current: current.view(),
      examples: this.#offers.examples,
      scripts: this.#offers.scripts,
      unfinished: !asked || !indexed || this.#offers.stale(edition, rules) || !this.#offers.fetched,
      announcement: this.#announcement,
    };
  }

  // What the model does

  /** Plays a step at the end of the current conversation. */
  play(step: Step): Snapshot {
    const { current } = this.#sessions;
    const known = current.ahead[0];
    const same = known !== undefined && JSON.stringify(known) === JSON.stringify(step);
    current.ahead = same ? current.ahead.slice(1) : [];
    const exchange = current.add(step);
    this.#announcement = exchange ? summaryOf(exchange) : saidOf(step);
    return this.snapshot();
  }

  /** Plays the next step of what was undone, or of the scripted conversation. */
  next(): Snapshot {
    const step = this.#sessions.current.ahead[0];
    return step ? this.play(step) : this.snapshot();
  }

  undo(): Snapshot {
    const { script, ahead } = this.#sessions.current;
    const last = script.at(-1);
    return last ? this.#perform(script.slice(0, -1), [last, ...ahead], "One step is undone.") : this.snapshot();
  }

  /** Goes back to the start; every step can be played again. */
  rewind(): Snapshot {
    const { script, ahead } = this.#sessions.current;
    return this.#perform([], [...script, ...ahead], "Back at the start.");
  }

  /** Takes a script, of which the first steps are played at once. */
  take(steps: Step[], title: string | null, played = 0): Snapshot {
    return this.#perform(steps.slice(0, played), steps.slice(played), title === null ? "" : `Script: ${title}.`);
  }

  // What the host does

  async change<Key extends SettingKey>(setting: Key, value: Settings[Key]): Promise<Snapshot> {
    await loadTokenizer({ ...this.#settings, [setting]: value });
    this.#apply({ ...this.#settings, [setting]: value }, setting);
    return this.snapshot();
  }

  /** Another profile, with its own value on every axis; what is said of the host and its model stays. */
  chooseProfile(name: ProfileName): Snapshot {
    this.#problem = null;
    this.#apply(defaultSettings(this.#profiles, name, this.#shelf.settings), "profile");
    return this.snapshot();
  }

  /** Takes all settings and the script that an address holds. */
  async adopt(written: Written): Promise<Adopted> {
    const { settings, refused } = settingsFrom(written, this.#profiles);
    await loadTokenizer(settings);
    this.#problem = null;
    const told = [...refused];
    if (JSON.stringify(settings) !== JSON.stringify(this.#shelf.settings)) told.push(...this.#follow(settings));
    if (written.script !== null && JSON.stringify(written.script) !== JSON.stringify(this.#sessions.current.script))
      this.#sessions.current.perform(written.script, [], this.#rules());
    return { snapshot: this.snapshot(), refused: told };
  }

  defaults(): Snapshot {
    this.#problem = null;
    this.#apply(defaultSettings(this.#profiles), "profile");
    return this.snapshot();
  }

  /** Lets the profile decide when it defers tools, and which, or has it do so here and now. */
  leaveToItself(alone: boolean): Snapshot {
    const { activation, deferral } = defaultSettings(this.#profiles, this.#settings.profile);
    const when = alone ? ({ activation: "profile", deferral: "" } as const) : { activation, deferral };
    this.#apply({ ...this.#settings, ...when }, "activation");
    return this.snapshot();
  }

  togglePin(name: string): Promise<Snapshot> {
    const pinned = this.#settings.preDiscovered;
    const without = pinned.filter((entry) => entry !== name);
    return this.change("preDiscovered", without.length < pinned.length ? without : [...pinned, name]);
  }

  /** Lets the current conversation see a server, or keeps it from it. */
  showServer(server: string, visible: boolean): Snapshot {
    const { current } = this.#sessions;
    const excluded = new Set(current.excluded);
    if (visible) excluded.delete(server);
    else excluded.add(server);
    current.excluded = excluded;
    const announcement = `Session ${current.id} ${visible ? "sees" : "no longer sees"} ${server}.`;
    return this.#perform(current.script, current.ahead, announcement);
  }

  openConversation(): Snapshot {
    this.#sessions.open(this.#rules());
    this.#announcement = `Session ${this.#sessions.current.id} is open. Nothing is revealed in it yet.`;
    return this.snapshot();
  }

  selectConversation(id: string): Snapshot {
    this.#sessions.select(id);
    this.#announcement = `Session ${this.#sessions.current.id}.`;
    return this.snapshot();
  }

  closeConversation(id: string): Snapshot {
    if (this.#sessions.close(id)) this.#announcement = `Session ${id} is closed.`;
    return this.snapshot();
  }

  // What tools there are

  /** Reads files in the worker and takes what can be used, all at once. */
  async readFiles(files: readonly File[]): Promise<Taken> {
    return this.#take(await readFiles(files));
  }

  /** Reads a text that somebody pasted; `server` is its name where the text has none. */
  readText(text: string, server: string, from: string): Taken {
    return this.#take(readText(text, server, from));
  }

  /** Takes a server of the gallery as one of the visitor's. */
  takeFromGallery(server: string): Snapshot {
    const source = this.#opening.sources.find((row) => row.server === server);
    if (!source) return this.snapshot();
    const list = { server, tools: source.tools, ...(source.start && { package: source.start }) };
    return this.#take({ lists: [{ list, from: source.from }], readings: [] }).snapshot;
  }

  removeServer(server: string): Snapshot {
    this.#shelf.remove(server);
    this.#catalogChanged(`${server} is removed.`);
    return this.snapshot();
  }

  /** Brings the server back that was removed last. */
  undoRemove(): Snapshot {
    const server = this.#shelf.restore();
    if (server !== null) this.#catalogChanged(`${server} is back.`);
    return this.snapshot();
  }

  /** `renamed` is false where the name is taken or empty. */
  renameServer(server: string, to: string): { snapshot: Snapshot; renamed: boolean } {
    const renamed = this.#shelf.rename(server, to);
    if (renamed) {
      this.#sessions.rename(server, to);
      this.#catalogChanged(`${server} is now called ${to}.`);
    }
    return { snapshot: this.snapshot(), renamed: renamed || to === server };
  }

  /** Reads a server's list again, under another policy for names that vendors refuse. */
  retakeNames(server: string, names: NamePolicy): Snapshot {
    const tools = this.#shelf.retake(server, names);
    if (tools !== null) this.#catalogChanged(`${plural(tools, "tool")} of ${server} are registered.`);
    return this.snapshot();
  }

  startOver(): Snapshot {
    this.#restart(copies(this.#opening.sources), "The opening catalog is back.");
    return this.snapshot();
  }

  /**
   * What can wait until the page shows what was asked for: words, queries and scripts to offer, and an index for faster
   * changes of settings. Answers null where something else changed meanwhile.
   */
  async finish(): Promise<Snapshot | null> {
    const added = await this.#shelf.addWords();
    if (added === null) return null;
    if (added) this.#catalogChanged(this.#announcement);
    await this.#offers.fetch();
    const { edition, sift } = this.#shelf;
    const { current } = this.#sessions;
    const valid = () => this.#shelf.sift === sift && this.#shelf.edition === edition && this.#sessions.current === current;
    this.#shelf.index();
    const rules = sift.settings;
    if (this.#offers.stale(edition, rules) && !(await this.#offers.find(edition, rules, current, valid))) return null;
    return this.snapshot();
  }

  // What is only read

  /** A tool's definition as its server sent it. */
  definition(name: string): WireTool | null {
    const info = this.#sessions.current.tools.find((tool) => tool.name === name);
    return info ? this.#shelf.definition(info.server, info.originalName) : null;
  }

  /** Every server's list as it was brought: for the other workers, and for storage. */
  lists(): KeptList[] {
    return this.#shelf.lists();
  }

  /** What a query finds in the current conversation. The model is not told. */
  ask(query: string, limit: number): SearchResult | null {
    return this.#sessions.current.ask(query, limit);
  }

  /** Why a query finds a tool, or does not. */
  explain(query: string, name: string): Explanation | null {
    return this.#sessions.current.explain(query, name);
  }

  payload(turn: number, format: WireFormat): Payload {
    return this.#sessions.current.payload(turn, format);
  }

  payloadDiff(turn: number, format: WireFormat): PayloadDiff {
    const after = this.payload(turn, format);
    return diffOf(turn > 1 ? this.payload(turn - 1, format) : after, after);
  }

  // Inside

  #rules(): Rules {
    return this.#shelf.rules(this.#profiles);
  }

  #perform(script: Step[], ahead: Step[], announcement: string): Snapshot {
    this.#sessions.current.perform(script, ahead, this.#rules());
    this.#announcement = announcement;
    return this.snapshot();
  }

  #take({ lists, readings }: Read): Taken {
    const added = this.#shelf.add(lists);
    const { taken } = added;
    if (taken.length > 0) {
      const tools = taken.reduce((sum, { report }) => sum + report.registered.length, 0);
      const files = [...new Set(taken.map(({ from }) => from))];
      const from = files.length === 1 ? files[0] : plural(files.length, "file");
      this.#catalogChanged(`${plural(tools, "tool")} read from ${from}.`, added.replaced);
    }
    return { snapshot: this.snapshot(), readings: [...readings, ...added.readings] };
  }

  /** The tools are others; the conversations are played again, or begin anew where all tools were replaced. */
  #catalogChanged(announcement: string, replaced = false): void {
    this.#offers.forget();
    if (replaced) this.#sessions.restart(this.#rules());
    else this.#sessions.replay(this.#rules());
    this.#announcement = announcement;
  }

  #restart(sources: Source[], announcement: string): void {
    this.#shelf.replace(sources);
    this.#catalogChanged(announcement, true);
  }

  /** Takes the settings of an address. What the library refuses is told and dropped, like what the address misspells. */
  #follow(settings: Settings): string[] {
    this.#apply(settings, "profile");
    const problem = this.#problem;
    if (problem === null) return [];
    this.#settings = this.#shelf.settings;
    this.#problem = null;
    return [`${problem.code}: ${problem.message}`];
  }

  #apply(settings: Settings, setting: SettingKey): void {
    const { profile } = this.#shelf.settings;
    this.#settings = settings;
    try {
      this.#shelf.use(settings);
    } catch (error) {
      if (!(error instanceof ToolSiftError)) throw error;
      // While one setting stands refused, changing another does not make that one the culprit.
      const culprit = this.#problem?.code === error.code ? this.#problem.setting : setting;
      this.#problem = { setting: culprit, code: error.code, message: error.message };
      this.#announcement = `Refused: ${error.message}`;
      return;
    }
    this.#problem = null;
    this.#sessions.replay(this.#rules());
    const { assembly, script } = this.#sessions.current;
    const what = settings.profile === profile ? "Changed" : `Profile ${settings.profile}`;
    const again = script.length > 0 ? `, ${plural(script.length, "step")} played again` : "";
    const { request, full } = assembly.size;
    this.#announcement = `${what}${again}: ${count(request.tokens)} tokens instead of ${count(full.tokens)}.`;
  }

  /** Pins that the catalog does not have. */
  #unmatched(): string[] {
    const { sift, settings } = this.#shelf;
    if (settings.preDiscovered.length === 0) return [];
    const id = "pins";
    const unmatched = sift.session(id).unmatched();
    sift.closeSession(id);
    return unmatched.filter((name) => settings.preDiscovered.includes(name));
  }
}

/** What the page says after a step that called nothing. */
function saidOf(step: Step): string {
  if (step.kind === "say") return `The user: ${step.text}`;
  return step.kind === "answer" ? "The model answers the user." : "No call was needed.";
}

/** A change of these does not change the opening. */
function copies(sources: readonly Source[]): Source[] {
  return sources.map((source) => ({ ...source }));
}
