/** One conversation: it assembles requests, answers the calls of the model, and remembers what was revealed. */

import { annotated } from "./annotations.js";
import { ask } from "./boundary.js";
import { json, messagesText } from "../base/json.js";
import { plain } from "../base/plain-data.js";
import { type Core, core as glue } from "./bindings.js";
import { ToolSiftError } from "../base/errors.js";
import type { OwnedCore } from "./owned-core.js";
import { readerKey, Registrar } from "./registrar.js";
import type { Tool } from "./reviewer.js";
import type {
  AssembleOptions,
  Assembly,
  AsyncCallOptions,
  CallOptions,
  EvictOptions,
  FromMessagesOptions,
  HeldBack,
  HistoryReport,
  Outcome,
  PrefetchOptions,
  RegisterOptions,
  RegisterReport,
  Scope,
  Scores,
  SearchResult,
  SessionOptions,
  SettingsInfo,
  SingleTool,
  Snapshot,
  SyncReport,
  ToolCall,
  ToolInfo,
  ToolList,
  WireFormat,
} from "../types/index.js";
import { text } from "../base/texts.js";
import { isList, kind } from "../base/values.js";

/** Longer answers are not kept for reading on. */
const LONGEST_KEPT = 8_000_000;
/** The search of our own profile. */
const SEARCH = "search_tools";

type Dispatched = Extract<Outcome, { kind: "dispatch" }>;

/**
 * One conversation, opened by `sift.session(id)`. Its state is in the `ToolSift`, so two handles of one id are the same
 * session.
 *
 * A session ends when it is closed, or evicted because `limits.sessions` others were used after it. Then every use of its
 * handles throws `session_closed`; `sift.session(id, { scope })` opens a new session of the same id.
 */
export class Session {
  /** The id under which the host knows it. */
  readonly id: string;
  readonly #owned: OwnedCore;
  readonly #sessionNumber: number;
  readonly #registrar: Registrar;
  readonly #parent: Session | undefined;

  /** @internal */
  constructor(owned: OwnedCore, id: string, sessionNumber: number, parent?: Session) {
    this.#parent = parent;
    this.id = id;
    this.#owned = owned;
    this.#sessionNumber = sessionNumber;
    this.#registrar = new Registrar(owned, [id, sessionNumber]);
  }

  /**
   * Registers tools of this session's own, beside the shared ones that `sift.register` registers. No other session sees,
   * searches or calls them, and two sessions may have the same server and the same names. They go when the session is
   * closed or evicted.
   *
   * A server of the session's own replaces the shared server of the same name for this session, also after it has lost its
   * tools. If a shared tool already has the bare name of a tool, the model sees `server__name`. A shared tool that is
   * registered later is hidden from this session while a tool of its own has the name.
   *
   * @throws ToolSiftError as `sift.register`, and `session_closed`
   */
  register(tools: ToolList | SingleTool, options?: RegisterOptions): RegisterReport {
    return this.#registrar.register(tools, options);
  }

  /**
   * Replaces the tools of one server of this session's own by exactly this list, as `sift.sync` does for a shared server.
   *
   * @throws ToolSiftError as `sift.sync`, and `session_closed`
   */
  sync(server: string, tools: ToolList, options?: Omit<RegisterOptions, "server">): SyncReport {
    return this.#registrar.sync(server, tools, options);
  }

  /**
   * Removes tools of this session's own: of a server, of these names (as the model sees them), or of a server with these
   * names. Shared tools stay; `rescope` hides them.
   *
   * @returns the names of the removed tools
   * @throws ToolSiftError `option_invalid`, also when neither is given; `session_closed`
   */
  unregister(which: { server?: string; names?: readonly string[] }): string[] {
    return this.#registrar.unregister(which);
  }

  /**
   * Opens a child of this session, for a subagent. It has the tools of this session, also its own ones, and reveals on its own. It
   * sees what both its scope and this session's admit, also after either changes. It is closed with this session; only this
   * handle leads to it.
   *
   * @throws ToolSiftError `session_id_invalid`; `option_invalid`, also when a session of that id is open; `name_ambiguous`,
   * `option_unknown`, `session_closed`, `disposed`
   */
  child(id: string, options: SessionOptions = {}): Session {
    const key = text("session id", id);
    const settings = plain("options", options);
    this.#owned.use((core) => core.openChild(this.id, this.#sessionNumber, key, settings));
    return new Session(this.#owned, key, this.#sessionNumber, this);
  }

  /**
   * Reveals in the parent what this child has revealed.
   *
   * @returns the names that the parent had not revealed before
   * @throws ToolSiftError `option_conflict` where this is no child; as `reveal`, of the parent
   */
  handBack(): string[] {
    if (this.#parent !== undefined) return this.#parent.reveal(this.revealed);
    throw new ToolSiftError(
      "option_conflict",
      `session ${JSON.stringify(this.id)} is no child: it has nobody to hand back to`,
    );
  }

  /**
   * The entries of `preDiscovered`, `alwaysAvailable` and the session's scope that name no tool of the catalog: typos, or
   * tools of servers that have not connected yet, and bare names that several servers have. A server of the scope is
   * `server:*`.
   *
   * @throws ToolSiftError `session_closed`, `disposed`
   */
  unmatched(): string[] {
    return this.#ask((core) => core.unmatched(this.id, this.#sessionNumber));
  }

  /**
   * Changes what the session may ever see. Tools outside the new scope are concealed.
   *
   * @param scope servers and tools, or `"all"`
   * @returns the names of the tools that were concealed
   * @throws ToolSiftError `name_ambiguous`, `option_invalid`, `option_unknown`, `session_closed`, `disposed`
   */
  rescope(scope: Scope | "all"): string[] {
    const next = plain("scope", scope);
    return this.#ask((core) => core.rescope(this.id, this.#sessionNumber, next));
  }

  /**
   * The tools and the system-prompt text for the next model request, and what they cost.
   *
   * Discovery tools come first, then the tools that are always sent, then the revealed tools in the order of their reveal.
   * So a vendor's prompt cache keeps everything before the newest tool. By `format`, `tools` has the type that the
   * vendor's SDK takes.
   *
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `counter_failed`, `session_closed`, `disposed`
   */
  assemble<F extends WireFormat = "mcp">(options?: AssembleOptions<F>): Assembly<F> {
    return this.#assembled(options, true);
  }

  /**
   * What `assemble` would return. Nothing is sent: it counts as no turn.
   * @internal
   */
  look<F extends WireFormat = "mcp">(options?: AssembleOptions<F>): Assembly<F> {
    return this.#assembled(options, false);
  }

  #assembled<F extends WireFormat>(options: AssembleOptions<F> | undefined, isSent: boolean): Assembly<F> {
    const settings = plain("options", options);
    return this.#ask((core) => core.assemble(this.id, this.#sessionNumber, settings, isSent));
  }

  /**
   * Decides a call of the model: an answer of a discovery tool, a real tool to run, or a refusal. An error in the call is
   * part of the outcome, for the model to read; it is not thrown.
   *
   * @param name the tool's name as the model wrote it
   * @param args its arguments: an object, or the JSON text that some vendors send; nothing is `{}`
   * @throws ToolSiftError `not_json` for arguments that are not a JSON value (a model cannot send these), `option_invalid`
   * for a name that is not a string, `counter_failed`, `session_closed`, `disposed`
   */
  call(name: string, args?: unknown, options?: CallOptions): Outcome {
    if (typeof name !== "string") throw new ToolSiftError("option_invalid", `name must be a string, got ${kind(name)}`);
    const written = args === undefined ? "" : json("arguments", args);
    const turnOptions = plain("options", options) ?? {};
    const now = Date.now();
    // Most hosts say nothing of the turn, and reading options takes as long as a small search.
    if (isEmpty(turnOptions)) {
      const outcome = this.#ask<Outcome>((core) => core.callAt(this.id, this.#sessionNumber, name, written, now));
      return this.#withAwaited(name, args, annotated(outcome));
    }
    const turn = typeof turnOptions === "object" && !isList(turnOptions) ? { now, ...turnOptions } : turnOptions;
    const outcome = this.#ask<Outcome>((core) => core.call(this.id, this.#sessionNumber, name, written, turn));
    return this.#withAwaited(name, args, annotated(outcome));
  }

  /** The answer of a search, behind what a guard says of tools that wait and would have been found. */
  #withAwaited(name: string, args: unknown, outcome: Outcome): Outcome {
    const { reviewer } = this.#owned;
    if (reviewer === undefined || name !== SEARCH || outcome.kind !== "result") return outcome;
    const admits = ({ server, name }: Tool) => this.admits(server, name);
    const awaited = reviewer.awaited({ catalog: this.#owned, sessionNumber: this.#sessionNumber, args, admits });
    // The answers of published systems are as theirs.
    if (awaited === undefined || this.settings.profile !== "sift") return outcome;
    return { ...outcome, content: `${awaited}\n\n${outcome.content}` };
  }

  /**
   * Whether this session may see a tool that is not in the catalog.
   * @internal
   */
  admits(server: string, name: string): boolean {
    return this.#owned.use((core) => core.admits(this.id, this.#sessionNumber, server, name));
  }

  /**
   * The real tool that a call through another tool comes to, as `call` decides it; undefined where it comes to none. Looking is no
   * call: nothing is loaded, and what is refused counts as no failure.
   * @internal
   */
  forwarded(name: string, args: unknown): Dispatched | undefined {
    const written = args === undefined ? "" : json("arguments", args);
    const outcome = this.#ask<Dispatched | null>((core) => core.forwarded(this.id, this.#sessionNumber, name, written));
    return outcome === null ? undefined : annotated(outcome);
  }

  /**
   * Decides a call of the model as `call` does, and asks a ranker of the host's first if the call is a search: for an
   * embedding model, or anything else that takes time. If the ranker fails or takes too long, the core answers alone, and
   * `onProblem` is told. Under profile `sift`.
   *
   * ```ts
   * const rank = { scores: async (query, session, { signal }) => similarities(query, session.tools(), signal) };
   * const outcome = await session.callAsync("search_tools", { query: "is it raining?" }, { rank });
   * ```
   *
   * @throws ToolSiftError as `call`; `option_conflict` where the search of the settings takes no ranker of the host's. What
   * `signal` was aborted with
   */
  async callAsync(name: string, args?: unknown, options?: AsyncCallOptions): Promise<Outcome> {
    // Loaded on demand: few hosts have a ranker.
    const { callAsync } = await import("../loop/call-async.js");
    return callAsync(this, name, args, options);
  }

  /**
   * Decides the calls of one reply, in their order. A call through a bridge arrives unwrapped, alone or among others.
   *
   * @throws ToolSiftError as `call`; calls before the one that throws have had their effect
   */
  callAll(calls: readonly ToolCall[], options?: CallOptions): Outcome[] {
    if (!isList(calls)) throw new ToolSiftError("option_invalid", `calls must be a list, got ${kind(calls)}`);
    const outcomes: Outcome[] = [];
    for (const [at, one] of (calls as readonly (ToolCall | null | undefined)[]).entries()) {
      if (typeof one !== "object" || one === null) {
        throw new ToolSiftError("option_invalid", `calls.${at} must be an object with a name, got ${kind(one)}`);
      }
      outcomes.push(this.call(one.name, one.args, options));
    }
    return outcomes;
  }

  /**
   * Loads what the user's own message clearly finds, before the model is asked: about half of all requests then need no search.
   * It loads nothing while every tool is sent, and no tool that writes or destroys unless the message asks for it.
   *
   * @returns the names that were not revealed before
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`, `counter_failed`, `session_closed`,
   * `disposed`
   */
  prefetch(message: string, options?: PrefetchOptions): string[] {
    // Half a surrogate pair of a user's is no mistake of the host's: it matches nothing.
    if (typeof message !== "string") {
      throw new ToolSiftError("option_invalid", `message must be a string, got ${kind(message)}`);
    }
    const budget = plain("options", options);
    return this.#ask((core) => core.prefetch(this.id, this.#sessionNumber, message, budget));
  }

  /**
   * Reveals tools as the host, by the names that the model sees. Of a skill, the prompt has the first lines from then on.
   *
   * @returns the names that were not revealed before
   * @throws ToolSiftError `tool_unknown`, `tool_out_of_scope`, `revealed_full`; nothing is revealed then
   */
  reveal(names: readonly string[]): string[] {
    const list = plain("names", names);
    return this.#ask((core) => core.reveal(this.id, this.#sessionNumber, list));
  }

  /**
   * Takes reveals back, by the names that the model sees. The tools after them move up in the list, so the prompt cache
   * loses everything from there on.
   *
   * @returns the names that were revealed before
   * @throws ToolSiftError `tool_unknown`; nothing has changed then
   */
  conceal(names: readonly string[]): string[] {
    const list = plain("names", names);
    return this.#ask((core) => core.conceal(this.id, this.#sessionNumber, list));
  }

  /**
   * Evicts the least recently used tools, until at most that many tools and tokens are revealed. An evicted tool can be
   * found again. It can be called until the next request is assembled, because the model still sees it. The prompt cache
   * keeps what stands before the first evicted tool.
   *
   * @returns the names of the evicted tools
   * @throws ToolSiftError `option_invalid`, also when neither bound is given; `option_unknown`, `limit_out_of_range`
   */
  evict(options: EvictOptions): string[] {
    const left = plain("options", options);
    return this.#ask((core) => core.evict(this.id, this.#sessionNumber, left));
  }

  /**
   * Rebuilds the reveals from the messages of a conversation: the tools that the answers of the discovery tools report as
   * loaded, and the tools that were called, in the same order and with the same evictions. Other tools are deferred again.
   * Reveals and conceals of the host are in no message. The same messages again change nothing.
   *
   * @param messages all messages of the conversation that the model is sent, in their order
   * @throws ToolSiftError `messages_invalid`; `format_mismatch` where the messages hold no call that was answered in this
   * format, but in another; `option_invalid`, `option_unknown`, `counter_failed`, `session_closed`, `disposed`. Nothing has changed then.
   */
  fromMessages(messages: readonly unknown[], options: FromMessagesOptions): HistoryReport {
    const written = messagesText(messages);
    const settings = plain("options", options);
    return this.#ask((core) => core.replay(this.id, this.#sessionNumber, written, settings));
  }

  /** The names of the revealed tools, in the order of their reveal. */
  get revealed(): string[] {
    return this.#ask((core) => core.revealed(this.id, this.#sessionNumber));
  }

  /** Every shared tool and every tool of this session's own, and where it stands in this session. */
  tools(): ToolInfo[] {
    return this.#ask<ToolInfo[]>((core) => core.sessionTools(this.id, this.#sessionNumber)).map((tool) => annotated(tool));
  }

  /**
   * The tools that are deferred unless they are revealed, with their definitions, in the order of the catalog. Revealed
   * tools are included. For vendors that receive every definition and hold tools back themselves.
   *
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `counter_failed`, `session_closed`, `disposed`
   */
  heldBack<F extends WireFormat = "mcp">(options?: AssembleOptions<F>): HeldBack<F>[] {
    const settings = plain("options", options);
    return this.#ask((core) => core.heldBack(this.id, this.#sessionNumber, settings));
  }

  /**
   * The tools of some names, by the name that the model sees. The size of the catalog does not count. A tool is also there if
   * one of the names is its name in Google's format, or the one under which the host registered it without a server.
   * @internal
   */
  named(names: readonly string[]): ReadonlyMap<string, ToolInfo> {
    const list = names.join("\n");
    const tools = this.#ask<ToolInfo[]>((core) => core.sessionToolsNamed(this.id, this.#sessionNumber, list));
    return new Map(tools.map((tool) => [tool.name, annotated(tool)]));
  }

  /**
   * An answer of a tool as the model is to read it: one of more than `most` characters is cut, and its end says how much there
   * is. The session keeps all of it, and the requests that follow offer the tool by which the model reads on.
   *
   * @param readsOn false to keep nothing
   * @internal
   */
  cutAnswer(text: string, most: number, readsOn: boolean): string {
    if (text.length <= most) return text;
    // What the core would not keep does not have to be there.
    const given = text.length > LONGEST_KEPT ? text.slice(0, most) : text;
    try {
      return this.#owned.use((core) =>
        core.cutAnswer(this.id, this.#sessionNumber, given, given === text ? 0 : text.length, most, readsOn),
      );
    } catch (error) {
      if (!ToolSiftError.is(error) || error.code !== "disposed") throw error;
      return text.slice(0, most);
    }
  }

  /**
   * Reads a file of a skill for the model, by the `read` with which the skill was registered. Loops and doors of toolsift do it by
   * themselves; in a loop of your own it answers a dispatch that has `skill`.
   *
   * @returns the text for the model: it says whose words these are, and a long one is cut as long answers are
   * @throws ToolSiftError `skill_invalid` where nothing reads it, or what reads it returns no text; `tool_unknown` where it has left
   * the catalog; `session_closed`, `disposed`. What `read` throws
   */
  async readSkill({ skill, session }: Pick<Dispatched, "skill" | "session">): Promise<string> {
    if (skill === undefined) throw new ToolSiftError("option_invalid", "the outcome reads no file of a skill");
    const { name, server, path } = skill;
    const read = this.#owned.readers.get(readerKey(session === undefined ? 0 : this.#sessionNumber, skill));
    if (read === undefined)
      throw new ToolSiftError("skill_invalid", `nothing reads the skill ${name}: register it with read`);
    const text = await read(path ?? undefined);
    if (typeof text !== "string") throw new ToolSiftError("skill_invalid", `read returned ${kind(text)}; it must be a text`);
    const given = text.slice(0, LONGEST_KEPT);
    return this.#owned.use((core) =>
      core.skillText(this.id, this.#sessionNumber, server ?? undefined, name, path ?? undefined, given),
    );
  }

  /**
   * What a search for a query finds here.
   * @internal
   */
  found(query: string, limit: number, scores: Scores = {}): SearchResult {
    const options = { limit, session: this.id };
    return this.#owned.search(query, isEmpty(scores) ? options : { ...options, scores: { ...scores } });
  }

  /**
   * Tells this session from all others of the process, also from later ones of the same id.
   * @internal
   */
  get uniqueKey(): string {
    const key = `${this.#owned.number}.${this.#sessionNumber}`;
    return this.#parent === undefined ? key : `${key}.${this.id}`;
  }

  /**
   * Brings the session up to date with its record, the text that a store keeps of it; an empty text is none.
   * @internal
   */
  openRecord(record: string, hasScope: boolean): void {
    this.#owned.use((core) => core.openRecord(this.id, this.#sessionNumber, record, hasScope, Date.now()));
  }

  /**
   * The record that a store is to keep in the place of another one, for `ttl` seconds, or for good where that is 0; undefined
   * where that one has all that the session knows.
   * @internal
   */
  saveRecord(record: string, ttl: number): string | undefined {
    return this.#owned.use((core) => core.saveRecord(this.id, this.#sessionNumber, record, Date.now(), ttl * 1_000));
  }

  /**
   * Whether the session is one of the `ToolSift` that owns this core.
   * @internal
   */
  isOf(owned: OwnedCore): boolean {
    return this.#owned === owned;
  }

  /**
   * Whether the session may see less than everything.
   * @internal
   */
  get isScoped(): boolean {
    return this.#owned.use((core) => core.isScoped(this.id, this.#sessionNumber));
  }

  /**
   * The ranker in force, and the version of the core that has it.
   * @internal
   */
  get ranker(): [string, string] {
    return [this.settings.search.ranker, glue().Core.version()];
  }

  /**
   * The settings in force.
   * @internal
   */
  get settings(): SettingsInfo {
    return this.#ask((core) => core.settings());
  }

  /** Whether the session is open. To ask is no use of it. */
  get isOpen(): boolean {
    try {
      return this.#owned.use((core) => core.isOpen(this.id, this.#sessionNumber));
    } catch (error) {
      if (ToolSiftError.is(error) && error.code === "disposed") return false;
      throw error;
    }
  }

  /** What this session knows, as a small JSON value for `sift.restore`. Its scope is not part of it. */
  snapshot(): Snapshot {
    return this.#ask((core) => core.snapshot(this.id, this.#sessionNumber));
  }

  /** Closes the session, and so forgets what it knows. Closing it again does nothing. */
  close(): void {
    this.#owned.use((core) => core.closeNumber(this.id, this.#sessionNumber));
    // The tools of a child are its parent's.
    if (this.#parent === undefined) this.#owned.disown(this.#sessionNumber);
  }

  /**
   * Whether tools of its own were ever registered.
   * @internal
   */
  get hasOwn(): boolean {
    return this.#owned.hasOwn(this.#sessionNumber);
  }

  #ask<T>(method: (core: Core) => string): T {
    return this.#owned.use((core) => ask<T>(() => method(core)));
  }
}

/** Whether options say nothing. */
function isEmpty(options: unknown): boolean {
  if (typeof options !== "object" || options === null || isList(options)) return false;
  for (const _ in options) return false;
  return true;
}
