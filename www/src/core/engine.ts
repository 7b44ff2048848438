/**
 * The playground without its page: one catalog, its settings, and the conversations over it. It lives in a worker, and only
 * `client.ts` speaks to it. Every operation that changes something answers a new `Snapshot`; what is large or seldom wanted
 * (definitions, payloads, searches) is asked for by itself.
 */
import { expose } from "comlink";
import {
  definitionHash,
  ToolSift,
  ToolSiftError,
  type Explanation,
  type NamePolicy,
  type ProfileName,
  type SearchResult,
  type WireFormat,
} from "toolsift";
import { settingsFrom, type Written } from "../model/address.ts";
import { count, plural } from "../model/numbers.ts";
import { readToolLists, UnreadableList, checkFileSize, type ServerList } from "../model/reading.ts";
import type { Step } from "../model/script.ts";
import { defaultSettings, profileOf, type ProfileTable, type SettingKey, type Settings } from "../model/settings.ts";
import { sourceOf, type Opening, type Source } from "../model/source.ts";
import { wireTools, type WireTool } from "../model/wire.ts";
import { Conversation, discoveryNames, type Rules } from "./conversation.ts";
import { fromIndex } from "./from-index.ts";
import { coreOptions, counterOf, loadTokenizer } from "./tokenizer.ts";
import { freeName, overlap, register, unusable, viewOf } from "./lists.ts";
import { Offers } from "./offers.ts";
import { diffOf } from "./payload-diff.ts";
import { summaryOf } from "./summary.ts";
import type { KeptList, Payload, PayloadDiff, Problem, Reading, Snapshot } from "./types.ts";

/** What became of an address. */
export interface Adopted {
  snapshot: Snapshot;
  refused: string[];
}

export class Engine {
  #opening: Opening = { kind: "example", sources: [] };
  #settings: Settings;
  #inForce: Settings;
  #problem: Problem | null = null;
  #sources: Source[] = [];
  #conversations: Conversation[] = [];
  #current!: Conversation;
  #announcement = "";
  #edition = 0;
  #sift: ToolSift;
  #definitions = new Map<Source, Map<string, WireTool>>();
  #opened = 0;
  /** What was removed last, and the place that it had. */
  #removed: { source: Source; at: number } | null = null;
  readonly #offers = new Offers();
  /** The catalog as an index, from which other settings are built faster than from its lists. */
  #index: { edition: number; bytes: Uint8Array } | null = null;
  readonly #profiles: ProfileTable;

  constructor() {
    this.#sift = new ToolSift();
    this.#profiles = { all: ToolSift.profiles(), byDefault: this.#sift.settings.profile };
    this.#settings = defaultSettings(this.#profiles);
    this.#inForce = this.#settings;
  }

  /** Takes the catalog that the page opens with, or the lists that the browser kept, and what the address says. */
  async start(opening: Opening, written: Written, kept: readonly KeptList[] = []): Promise<Adopted> {
    this.#opening = opening;
    const { settings, refused } = settingsFrom(written, this.#profiles);
    await loadTokenizer(settings);
    this.#settings = this.#inForce = defaultSettings(this.#profiles);
    const own = kept.map(({ server, from, start = null, names, tools }) => ({
      ...sourceOf({ server, tools }, from, true),
      start,
      names,
    }));
    this.#restart(own.length > 0 ? own : opening.sources.map((source) => ({ ...source })));
    const told = [...refused];
    this.#apply(settings, "profile");
    if (this.#problem) {
      // What the library refuses is told and dropped, like what the address misspells.
      told.push(`${this.#problem.code}: ${this.#problem.message}`);
      this.#settings = this.#inForce;
      this.#problem = null;
    }
    if (written.script === null) {
      told.push("The conversation of this link was too long for an address. It begins anew.");
    } else if (written.script.length > 0) {
      this.#current.script = written.script;
      this.#current.replay(this.#rules());
    }
    this.#announcement = "";
    return { snapshot: this.snapshot(), refused: told };
  }

  /** Answers at one more end of a channel: the bench reads the lists there, without the main thread. */
  serve(port: MessagePort): void {
    expose(this, port);
  }

  snapshot(): Snapshot {
    const current = this.#current;
    const rules = this.#sift.settings;
    this.#offers.findNow(this.#edition, rules, current);
    return {
      version: ToolSift.version,
      opening: this.#opening.kind,
      edition: this.#edition,
      profiles: this.#profiles,
      settings: this.#settings,
      inForce: this.#inForce,
      problem: this.#problem,
      profile: profileOf(this.#profiles, this.#inForce.profile),
      rules,
      unmatched: this.#unmatched(),
      sources: this.#sources.map(viewOf),
      gallery: this.#opening.sources.map(({ server, from, license, tools }) => ({
        server,
        from,
        license,
        tools: tools.length,
      })),
      removed: this.#removed?.source.server ?? null,
      worded: this.#sources.reduce((sum, { words }) => sum + (words?.length ?? 0), 0),
      tools: current.tools,
      conversations: this.#conversations.map(({ id, turns }) => ({ id, requests: turns.length })),
      current: current.view(),
      examples: this.#offers.examples,
      scripts: this.#offers.scripts,
      unfinished:
        this.#sources.some(({ words }) => words === null) ||
        this.#offers.stale(this.#edition, rules) ||
        !this.#offers.fetched ||
        this.#index?.edition !== this.#edition,
      announcement: this.#announcement,
    };
  }

  // What the model does

  /** Plays a step at the end of the current conversation. */
  play(step: Step): Snapshot {
    const known = this.#current.ahead[0];
    const same = known !== undefined && JSON.stringify(known) === JSON.stringify(step);
    this.#current.ahead = same ? this.#current.ahead.slice(1) : [];
    const exchange = this.#current.add(step);
    this.#announcement = exchange ? summaryOf(exchange) : saidOf(step);
    return this.snapshot();
  }

  /** Plays the next step of what was undone, or of the scripted conversation. */
  next(): Snapshot {
    const step = this.#current.ahead[0];
    return step ? this.play(step) : this.snapshot();
  }

  undo(): Snapshot {
    const { script, ahead } = this.#current;
    const last = script.at(-1);
    return last ? this.#perform(script.slice(0, -1), [last, ...ahead], "One step is undone.") : this.snapshot();
  }

  /** Goes back to the start; every step can be played again. */
  rewind(): Snapshot {
    const { script, ahead } = this.#current;
    return this.#perform([], [...script, ...ahead], "Back at the start.");
  }

  /** Takes a script, of which the first steps are played at once. */
  take(steps: Step[], title: string | null, played = 0): Snapshot {
    this.#current.title = title;
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
    this.#apply(defaultSettings(this.#profiles, name, this.#inForce), "profile");
    return this.snapshot();
  }

  /** Takes all settings and the script that an address holds. */
  async adopt(written: Written): Promise<Adopted> {
    const { settings, refused } = settingsFrom(written, this.#profiles);
    await loadTokenizer(settings);
    this.#problem = null;
    if (JSON.stringify(settings) !== JSON.stringify(this.#inForce)) this.#apply(settings, "profile");
    const told = [...refused];
    const problem = this.#problem as Problem | null;
    if (problem) {
      told.push(`${problem.code}: ${problem.message}`);
      this.#settings = this.#inForce;
      this.#problem = null;
    }
    if (written.script !== null && JSON.stringify(written.script) !== JSON.stringify(this.#current.script)) {
      this.#current.ahead = [];
      this.#current.script = written.script;
      this.#current.replay(this.#rules());
    }
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
    const excluded = new Set(this.#current.excluded);
    if (visible) excluded.delete(server);
    else excluded.add(server);
    this.#current.excluded = excluded;
    this.#current.replay(this.#rules());
    this.#announcement = `Session ${this.#current.id} ${visible ? "sees" : "no longer sees"} ${server}.`;
    return this.snapshot();
  }

  openConversation(): Snapshot {
    this.#current = this.#open();
    this.#announcement = `Session ${this.#current.id} is open. Nothing is revealed in it yet.`;
    return this.snapshot();
  }

  selectConversation(id: string): Snapshot {
    this.#current = this.#conversations.find((row) => row.id === id) ?? this.#current;
    this.#announcement = `Session ${this.#current.id}.`;
    return this.snapshot();
  }

  closeConversation(id: string): Snapshot {
    const closing = this.#conversations.find((row) => row.id === id);
    if (closing === undefined || this.#conversations.length < 2) return this.snapshot();
    closing.close();
    this.#conversations = this.#conversations.filter((row) => row !== closing);
    if (this.#current === closing) this.#current = this.#conversations.at(-1) as Conversation;
    this.#announcement = `Session ${id} is closed.`;
    return this.snapshot();
  }

  // What tools there are

  /** Reads files in the worker and takes what can be used, all at once; one broken file costs only itself. */
  async readFiles(files: readonly File[]): Promise<{ snapshot: Snapshot; readings: Reading[] }> {
    const readings: Reading[] = [];
    const lists: { list: ServerList; from: string }[] = [];
    for (const file of files) {
      try {
        checkFileSize(file.name, file.size);
        lists.push(...readToolLists(await file.text(), file.name).map((list) => ({ list, from: file.name })));
      } catch (error) {
        if (!(error instanceof UnreadableList) && !(error instanceof DOMException)) throw error;
        readings.push({ name: file.name, taken: 0, problem: error.message });
      }
    }
    readings.push(...this.#addLists(lists));
    return { snapshot: this.snapshot(), readings };
  }

  /** Reads a text that somebody pasted; `server` is its name where the text has none. */
  readText(text: string, server: string, from: string): { snapshot: Snapshot; readings: Reading[] } {
    try {
      const readings = this.#addLists(readToolLists(text, server).map((list) => ({ list, from })));
      return { snapshot: this.snapshot(), readings };
    } catch (error) {
      if (!(error instanceof UnreadableList)) throw error;
      return { snapshot: this.snapshot(), readings: [{ name: server, taken: 0, problem: error.message }] };
    }
  }

  /** Takes a server of the gallery as one of the visitor's. */
  takeFromGallery(server: string): Snapshot {
    const source = this.#opening.sources.find((row) => row.server === server);
    if (source)
      this.#addLists([
        { list: { server, tools: source.tools, ...(source.start && { package: source.start }) }, from: source.from },
      ]);
    return this.snapshot();
  }

  removeServer(server: string): Snapshot {
    const at = this.#sources.findIndex((source) => source.server === server);
    const source = this.#sources[at];
    if (source) this.#removed = { source, at };
    this.#sources = this.#sources.filter((source) => source.server !== server);
    this.#sift.unregister({ server });
    this.#catalogChanged(`${server} is removed.`);
    return this.snapshot();
  }

  /** Brings the server back that was removed last. */
  undoRemove(): Snapshot {
    if (this.#removed === null) return this.snapshot();
    const { source, at } = this.#removed;
    this.#removed = null;
    source.server = freeName(source.server, this.#sources);
    register(this.#sift, source);
    this.#sources = this.#sources.toSpliced(at, 0, source);
    this.#catalogChanged(`${source.server} is back.`);
    return this.snapshot();
  }

  /** `renamed` is false where the name is taken or empty. */
  renameServer(server: string, to: string): { snapshot: Snapshot; renamed: boolean } {
    const source = this.#sources.find((row) => row.server === server);
    const taken = this.#sources.some((row) => row.server === to);
    if (!source || to === "" || taken) return { snapshot: this.snapshot(), renamed: to === server };
    this.#sift.unregister({ server });
    source.server = to;
    register(this.#sift, source);
    for (const conversation of this.#conversations) {
      const { excluded } = conversation;
      if (excluded.has(server)) conversation.excluded = new Set([...excluded, to].filter((name) => name !== server));
    }
    this.#catalogChanged(`${server} is now called ${to}.`);
    return { snapshot: this.snapshot(), renamed: true };
  }

  /** Reads a server's list again, under another policy for names that vendors refuse. */
  retakeNames(server: string, names: NamePolicy): Snapshot {
    const source = this.#sources.find((row) => row.server === server);
    if (!source) return this.snapshot();
    this.#sift.unregister({ server });
    source.names = names;
    register(this.#sift, source);
    this.#catalogChanged(`${plural(source.report.registered.length, "tool")} of ${server} are registered.`);
    return this.snapshot();
  }

  startOver(): Snapshot {
    this.#restart(this.#opening.sources.map((source) => ({ ...source })));
    this.#announcement = "The opening catalog is back.";
    return this.snapshot();
  }

  /**
   * What can wait until the page shows what was asked for: queries and scripts to offer, and an index for faster changes of
   * settings. Answers null where something else changed meanwhile.
   */
  async finish(): Promise<Snapshot | null> {
    if (!(await this.#addWords())) return null;
    await this.#offers.fetch();
    const [edition, sift, current] = [this.#edition, this.#sift, this.#current];
    const valid = () => this.#edition === edition && this.#sift === sift && this.#current === current;
    if (this.#index?.edition !== edition) this.#index = { edition, bytes: sift.exportIndex() };
    const rules = sift.settings;
    if (this.#offers.stale(edition, rules) && !(await this.#offers.find(edition, rules, current, valid))) return null;
    return this.snapshot();
  }

  // What is only read

  /** A tool's definition as its server sent it. */
  definition(name: string): WireTool | null {
    const info = this.#current.tools.find((tool) => tool.name === name);
    return info ? this.#definitionOf(info.server, info.originalName) : null;
  }

  /** Every server's list as it was brought: for the second worker, and for storage. */
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

  /** What a query finds in the current conversation. The model is not told. */
  ask(query: string, limit: number): SearchResult | null {
    return this.#current.ask(query, limit);
  }

  /** Why a query finds a tool, or does not. */
  explain(query: string, name: string): Explanation | null {
    return this.#current.explain(query, name);
  }

  payload(turn: number, format: WireFormat): Payload {
    return this.#current.payload(turn, format);
  }

  payloadDiff(turn: number, format: WireFormat): PayloadDiff {
    const after = this.#current.payload(turn, format);
    return diffOf(turn > 1 ? this.#current.payload(turn - 1, format) : after, after);
  }

  // Inside

  #perform(script: Step[], ahead: Step[], announcement: string): Snapshot {
    this.#current.script = script;
    this.#current.ahead = ahead;
    this.#current.replay(this.#rules());
    this.#announcement = announcement;
    return this.snapshot();
  }

  /**
   * A visitor's first lists take the place of the opening catalog; further ones join them. Lists of the same name stay beside
   * each other, unless one is a newer version of another. A list of which nothing can be used changes nothing.
   */
  #addLists(lists: readonly { list: ServerList; from: string }[]): Reading[] {
    const readings: Reading[] = [];
    const taken: Source[] = [];
    for (const { list, from } of lists) {
      const source = sourceOf(list, from, true);
      const problem = unusable(source);
      if (problem !== null) readings.push({ name: list.server, taken: 0, problem: `${from}: ${problem}` });
      else taken.push(source);
    }
    if (taken.length === 0) return readings;
    const first = this.#sources.every((source) => !source.own);
    const before = first ? [] : [...this.#sources];
    if (first) {
      for (const [index, source] of taken.entries()) source.server = freeName(source.server, taken.slice(0, index));
      this.#restart(taken);
    } else {
      for (const source of taken) this.#take(source, before);
      this.#catalogChanged("");
    }
    readings.push(...taken.map(({ server, report }) => ({ name: server, taken: report.registered.length, problem: null })));
    const tools = taken.reduce((sum, { report }) => sum + report.registered.length, 0);
    const files = [...new Set(taken.map(({ from }) => from))];
    const from = files.length === 1 ? files[0] : plural(files.length, "file");
    this.#announcement = `${plural(tools, "tool")} read from ${from}.`;
    return readings;
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
      this.#sources = this.#sources.map((row) => (row === old ? source : row));
    } else {
      source.server = freeName(source.server, this.#sources);
      register(this.#sift, source);
      this.#sources = [...this.#sources, source];
    }
  }

  /** Adds the words that `toolsift()` takes from packs. False where the tools changed meanwhile. */
  async #addWords(): Promise<boolean> {
    const missing = this.#sources.filter(({ words }) => words === null);
    if (missing.length === 0) return true;
    const edition = this.#edition;
    const { packsFor } = await import("toolsift/packs");
    const { entries } = await packsFor(missing.flatMap(({ tools }) => tools));
    if (this.#edition !== edition) return false;
    const byHash = new Map(entries.map((entry) => [entry.hash, entry]));
    for (const source of missing) {
      source.words = wireTools(source.tools).flatMap(
        ({ name, description }) => byHash.get(definitionHash(name, description)) ?? [],
      );
    }
    if (missing.every(({ words }) => words?.length === 0)) return true;
    const next = this.#build(this.#inForce, [...this.#sources]);
    this.#sift.dispose();
    this.#sift = next;
    this.#catalogChanged(this.#announcement);
    return true;
  }

  #catalogChanged(announcement: string): void {
    this.#edition += 1;
    this.#offers.forget();
    for (const conversation of this.#conversations) conversation.replay(this.#rules());
    this.#announcement = announcement;
  }

  #restart(sources: Source[]): void {
    this.#removed = null;
    const next = this.#build(this.#inForce, sources);
    this.#sift.dispose();
    this.#sift = next;
    this.#sources = sources;
    this.#definitions.clear();
    this.#edition += 1;
    this.#offers.forget();
    this.#conversations = [];
    this.#opened = 0;
    this.#current = this.#open();
  }

  #build(settings: Settings, sources: readonly Source[]): ToolSift {
    if (sources === this.#sources && this.#index?.edition === this.#edition) {
      const fast = fromIndex(this.#index.bytes, coreOptions(settings));
      if (fast !== null) return fast;
    }
    const sift = new ToolSift(coreOptions(settings));
    try {
      for (const source of sources) register(sift, source);
    } catch (error) {
      sift.dispose();
      throw error;
    }
    return sift;
  }

  #apply(settings: Settings, setting: SettingKey): void {
    this.#settings = settings;
    let next: ToolSift;
    try {
      next = this.#build(settings, this.#sources);
    } catch (error) {
      if (!(error instanceof ToolSiftError)) throw error;
      // While one setting stands refused, changing another does not make that one the culprit.
      const culprit = this.#problem?.code === error.code ? this.#problem.setting : setting;
      this.#problem = { setting: culprit, code: error.code, message: error.message };
      this.#announcement = `Refused: ${error.message}`;
      return;
    }
    const old = this.#sift;
    const another = settings.profile !== this.#inForce.profile;
    this.#sift = next;
    this.#inForce = settings;
    this.#problem = null;
    for (const conversation of this.#conversations) conversation.replay(this.#rules());
    old.dispose();
    const { request, full } = this.#current.assembly.size;
    const steps = this.#current.script.length;
    const what = another ? `Profile ${settings.profile}` : "Changed";
    const again = steps > 0 ? `, ${plural(steps, "step")} played again` : "";
    this.#announcement = `${what}${again}: ${count(request.tokens)} tokens instead of ${count(full.tokens)}.`;
  }

  #rules(): Rules {
    const { profile, format } = this.#inForce;
    return {
      sift: this.#sift,
      profile: profileOf(this.#profiles, profile),
      format,
      count: counterOf(this.#inForce),
      servers: this.#sources.map((source) => source.server),
      discovery: discoveryNames(this.#profiles),
      schemaOf: ({ server, originalName }) => this.#definitionOf(server, originalName)?.schema ?? {},
    };
  }

  #definitionOf(server: string | null, originalName: string): WireTool | null {
    const source = this.#sources.find((row) => row.server === server);
    if (!source) return null;
    let byName = this.#definitions.get(source);
    if (!byName) {
      byName = new Map(wireTools(source.tools).map((definition) => [definition.name, definition]));
      this.#definitions.set(source, byName);
    }
    return byName.get(originalName) ?? null;
  }

  #open(): Conversation {
    const conversation = new Conversation(sessionName(this.#opened++), this.#rules());
    this.#conversations = [...this.#conversations, conversation];
    return conversation;
  }

  /** Pins that the catalog does not have. */
  #unmatched(): string[] {
    const { preDiscovered } = this.#inForce;
    if (preDiscovered.length === 0) return [];
    const id = "pins";
    const unmatched = this.#sift.session(id).unmatched();
    this.#sift.closeSession(id);
    return unmatched.filter((name) => preDiscovered.includes(name));
  }
}

/** What the page says after a step that called nothing. */
function saidOf(step: Step): string {
  if (step.kind === "say") return `The user: ${step.text}`;
  return step.kind === "answer" ? "The model answers the user." : "No call was needed.";
}

/** A, B, … Z, A2, B2, … */
function sessionName(index: number): string {
  const round = Math.floor(index / 26);
  return String.fromCharCode(65 + (index % 26)) + (round > 0 ? round + 1 : "");
}
