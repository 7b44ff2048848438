/**
 * The playground without its page: one catalog, its settings, the conversations over it, and what may be done to them.
 * Views read it and are told when it changed; nothing here knows a view.
 */
import { ToolSift, ToolSiftError, type NamePolicy, type ProfileInfo, type ProfileName, type SettingsInfo, type ToolInfo } from "toolsift";
import { Conversation, type Cause, type Exchange } from "./conversation.ts";
import type { JsonRecord } from "./json.ts";
import { plural } from "./numbers.ts";
import type { ServerList } from "./reading.ts";
import { defaultSettings, optionsOf, profileOf, type SettingKey, type Settings } from "./settings.ts";
import { sourceOf, type Opening, type Source } from "./source.ts";
import { surfaceOf, type Surface } from "./surface.ts";
import { wireTools, type WireTool } from "./wire.ts";

/** A setting that the library refused; the one before stays in force. */
export interface Problem {
  setting: SettingKey;
  code: string;
  message: string;
}

export class Lab {
  /** As the form shows them; in force unless `problem` is set. */
  settings: Settings;
  problem: Problem | null = null;
  sources: Source[];
  conversations: Conversation[] = [];
  current: Conversation;
  /** Read out to people who do not see the page. */
  announcement = "";
  /** Changes whenever the tools do. */
  edition = 0;
  /** What was looked for last, whatever came of it. */
  query: string | null = null;
  #inForce: Settings;
  #sift: ToolSift;
  #definitions = new Map<Source, Map<string, WireTool>>();
  #listeners = new Set<() => void>();
  #opened = 0;

  constructor(
    readonly opening: Opening,
    settings: Settings,
  ) {
    this.settings = settings;
    this.#inForce = settings;
    this.sources = opening.sources.map((source) => ({ ...source }));
    this.#sift = this.#build(settings, this.sources);
    this.current = this.#open();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get profile(): ProfileInfo {
    return profileOf(this.#inForce.profile);
  }

  /** The settings that the newest requests were assembled with. */
  get inForce(): Settings {
    return this.#inForce;
  }

  /** The value of every axis, the profile's own with what the settings changed. */
  get rules(): SettingsInfo {
    return this.#sift.settings;
  }

  get servers(): string[] {
    return this.sources.map((source) => source.server);
  }

  /** The discovery tools of the current request; none while tool search is off. */
  get surface(): Surface {
    return surfaceOf(this.profile, this.current.sent);
  }

  /** A tool's definition as its server sent it. */
  definition(tool: ToolInfo): WireTool | null {
    const source = this.sources.find((row) => row.server === tool.server);
    if (!source) return null;
    let byName = this.#definitions.get(source);
    if (!byName) {
      byName = new Map(wireTools(source.tools).map((definition) => [definition.name, definition]));
      this.#definitions.set(source, byName);
    }
    return byName.get(tool.originalName) ?? null;
  }

  // What the model does

  call(tool: string, args: JsonRecord): Exchange {
    const surface = this.surface.tools.find((row) => row.name === tool) ?? null;
    const exchange = this.current.call(tool, args, surface, this.#inForce.format);
    this.query = exchange.insight?.query ?? this.query;
    this.#changed(summaryOf(exchange));
    return exchange;
  }

  // What the host does

  change<Key extends SettingKey>(setting: Key, value: Settings[Key]): void {
    this.#apply({ ...this.settings, [setting]: value }, setting);
  }

  /** Another profile, with its own value on every axis; what is said of the host and its model stays. */
  chooseProfile(name: ProfileName): void {
    this.problem = null;
    this.#apply(defaultSettings(name, this.#inForce), "profile");
  }

  /** Takes all settings at once: those of an address, or the defaults again. */
  adopt(settings: Settings): void {
    this.problem = null;
    this.#apply(settings, "profile");
  }

  /** Lets the profile decide when it holds tools back, and which, or has it do so here and now. */
  leaveToItself(alone: boolean): void {
    const { activation, deferral } = defaultSettings(this.settings.profile);
    const when = alone ? ({ activation: "profile", deferral: "" } as const) : { activation, deferral };
    this.#apply({ ...this.settings, ...when }, "activation");
  }

  togglePin(name: string): void {
    const pinned = this.settings.preDiscovered;
    const without = pinned.filter((entry) => entry !== name);
    this.change("preDiscovered", without.length < pinned.length ? without : [...pinned, name]);
  }

  /** Lets the current conversation see a server, or keeps it from it. */
  showServer(server: string, visible: boolean): void {
    const excluded = new Set(this.current.excluded);
    if (visible) excluded.delete(server);
    else excluded.add(server);
    this.current.excluded = excluded;
    this.current.move(this.#sift, this.servers);
    this.#request([this.current], { kind: "settings" });
    this.#changed(`Session ${this.current.id} ${visible ? "sees" : "no longer sees"} ${server}.`);
  }

  openConversation(): Conversation {
    this.current = this.#open();
    this.#changed(`Session ${this.current.id} is open. Nothing is revealed in it yet.`);
    return this.current;
  }

  select(conversation: Conversation): void {
    this.current = conversation;
    this.#changed(`Session ${conversation.id}.`);
  }

  closeConversation(conversation: Conversation): void {
    if (this.conversations.length < 2) return;
    conversation.close();
    this.conversations = this.conversations.filter((row) => row !== conversation);
    if (this.current === conversation) this.current = this.conversations.at(-1) as Conversation;
    this.#changed(`Session ${conversation.id} is closed.`);
  }

  // What tools there are

  /** The first lists that a visitor brings take the place of the opening catalog; further ones join them. */
  addLists(lists: readonly ServerList[], from: string): void {
    if (this.sources.every((source) => !source.own)) {
      this.#restart(lists.map((list) => sourceOf(list, from, true)));
    } else {
      for (const list of lists) this.#take(sourceOf(list, from, true));
      // A scope lists what it lets through: a server that came later is not in it yet.
      const scoped = this.conversations.filter((conversation) => conversation.excluded.size > 0);
      for (const conversation of scoped) conversation.move(this.#sift, this.servers);
      this.#request(this.conversations, { kind: "catalog" });
    }
    this.edition += 1;
    const tools = lists.reduce((sum, list) => sum + list.tools.length, 0);
    this.#changed(`${tools} tools read from ${from}.`);
  }

  removeServer(server: string): void {
    this.sources = this.sources.filter((source) => source.server !== server);
    this.#sift.unregister({ server });
    this.edition += 1;
    this.#request(this.conversations, { kind: "catalog" });
    this.#changed(`${server} is removed.`);
  }

  /** False where the name is taken or empty. */
  renameServer(server: string, to: string): boolean {
    const source = this.sources.find((row) => row.server === server);
    if (!source || to === "" || this.servers.includes(to)) return to === server;
    this.#sift.unregister({ server });
    source.server = to;
    register(this.#sift, source);
    this.edition += 1;
    for (const conversation of this.conversations) {
      const { excluded } = conversation;
      if (excluded.has(server)) conversation.excluded = new Set([...excluded, to].filter((name) => name !== server));
      conversation.move(this.#sift, this.servers);
    }
    this.#request(this.conversations, { kind: "catalog" });
    this.#changed(`${server} is now called ${to}.`);
    return true;
  }

  /** Reads a server's list again, under another policy for names that vendors refuse. */
  retakeNames(source: Source, names: NamePolicy): void {
    this.#sift.unregister({ server: source.server });
    source.names = names;
    register(this.#sift, source);
    this.edition += 1;
    this.#request(this.conversations, { kind: "catalog" });
    this.#changed(`${source.report.registered.length} tools of ${source.server} are registered.`);
  }

  startOver(): void {
    this.#restart(this.opening.sources.map((source) => ({ ...source })));
    this.#changed("The opening catalog is back.");
  }

  #build(settings: Settings, sources: readonly Source[]): ToolSift {
    const sift = new ToolSift(optionsOf(settings));
    for (const source of sources) register(sift, source);
    return sift;
  }

  #take(source: Source): void {
    const index = this.sources.findIndex((row) => row.server === source.server);
    if (index >= 0) {
      // The same server again: what changed is what counts, and what was revealed of it stays so.
      source.names = this.sources[index]?.names ?? source.names;
      const { rejected, repaired } = this.#sift.sync(source.server, source.tools, { names: source.names });
      const names = this.#sift.tools().filter((tool) => tool.server === source.server);
      source.report = { registered: names.map((tool) => tool.name), rejected, repaired };
      this.sources = this.sources.with(index, source);
    } else {
      register(this.#sift, source);
      this.sources = [...this.sources, source];
    }
  }

  #restart(sources: Source[]): void {
    const next = this.#build(this.#inForce, sources);
    this.#sift.dispose();
    this.#sift = next;
    this.sources = sources;
    this.#definitions.clear();
    this.edition += 1;
    this.query = null;
    this.conversations = [];
    this.#opened = 0;
    this.current = this.#open();
  }

  #apply(settings: Settings, setting: SettingKey): void {
    this.settings = settings;
    let next: ToolSift;
    try {
      next = this.#build(settings, this.sources);
    } catch (error) {
      if (!(error instanceof ToolSiftError)) throw error;
      // While one setting stands refused, changing another does not make that one the culprit.
      const culprit = this.problem?.code === error.code ? this.problem.setting : setting;
      this.problem = { setting: culprit, code: error.code, message: error.message };
      this.#changed(`Refused: ${error.message}`);
      return;
    }
    const another = settings.profile !== this.#inForce.profile;
    for (const conversation of this.conversations) {
      if (another) conversation.restart(next, this.servers, settings.format);
      else conversation.move(next, this.servers);
    }
    this.#sift.dispose();
    this.#sift = next;
    this.#inForce = settings;
    this.problem = null;
    if (!another) this.#request(this.conversations, { kind: "settings" });
    const { request, full } = this.current.size;
    const what = another ? `Profile ${settings.profile}, from the start` : "Rebuilt";
    this.#changed(`${what}: ${request.tokens} tokens instead of ${full.tokens}.`);
  }

  #open(): Conversation {
    const id = sessionName(this.#opened++);
    const conversation = new Conversation(id, this.#sift, this.servers, this.#inForce.format);
    this.conversations = [...this.conversations, conversation];
    return conversation;
  }

  #request(conversations: readonly Conversation[], cause: Cause): void {
    for (const conversation of conversations) conversation.request(cause, this.#inForce.format);
  }

  #changed(announcement: string): void {
    this.announcement = announcement;
    for (const listener of this.#listeners) listener();
  }
}

function register(sift: ToolSift, source: Source): void {
  source.report = sift.register(source.tools, { server: source.server, names: source.names });
}

/** A, B, … Z, A2, B2, … */
function sessionName(index: number): string {
  const round = Math.floor(index / 26);
  return String.fromCharCode(65 + (index % 26)) + (round > 0 ? round + 1 : "");
}

/** A call's outcome in a sentence. */
export function summaryOf({ tool, outcome, insight, named, before, after }: Exchange): string {
  if (outcome.kind === "dispatch") {
    return tool === outcome.modelName ? `The host runs ${outcome.name}.` : `Unwrapped: the host runs ${outcome.name}.`;
  }
  if (outcome.kind === "refused") return `Refused: ${outcome.error.message}`;
  if (outcome.isError) return "The call was wrong; the answer says how.";
  const cost =
    after === before ? "The next request stays as it was." : `The next request is ${after} tokens, before ${before}.`;
  if (outcome.revealed.length > 0) return `Loaded ${outcome.revealed.join(", ")}. ${cost}`;
  const found = named.rows.length;
  if (insight && found === 0) return `No tool found. ${cost}`;
  if (insight?.confidence === "none") return `Nothing clearly fits; ${plural(found, "tool")} came nearest. ${cost}`;
  return found > 0 ? `${found} ${found === 1 ? "tool" : "tools"} named. ${cost}` : cost;
}
