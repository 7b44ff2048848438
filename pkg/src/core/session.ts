/** One conversation: it assembles requests, answers calls of the model, and stores which tools are loaded. */

import { type AnswerText, readToolResult } from "./answer-text.js";
import { annotated } from "./definition.js";
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

/** The longest answer that is stored for reading on, in characters. */
const LONGEST_KEPT = 8_000_000;
/** The search tool of the profile `sift`. */
const SEARCH = "search_tools";

type Dispatched = Extract<Outcome, { kind: "dispatch" }>;

/**
 * One conversation, opened by `sift.session(id)`. Its state is in the `ToolSift`, so two handles of one id are the same
 * session.
 *
 * A session ends when it is closed, or when it is evicted because `limits.sessions` others were used after it. Then every
 * use of its handles throws `session_closed`, and `sift.session(id, { scope })` opens a new session of the same id.
 */
export class Session {
  /** The session's id in your program. */
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
   * Registers tools of this session only, in addition to the shared tools of `sift.register`. No other session sees,
   * searches or calls them. Two sessions may have servers and tools of the same names. The tools are removed when the
   * session is closed or evicted.
   *
   * A server of the session replaces the shared server of the same name for this session, even after it has lost its tools.
   * If a shared tool already has the bare name of a tool, the model sees `server__name`. A shared tool that is registered
   * later is hidden from this session while one of the session's tools has its name.
   *
   * @throws ToolSiftError as `sift.register`, and `session_closed`
   */
  register(tools: ToolList | SingleTool, options?: RegisterOptions): RegisterReport {
    return this.#registrar.register(tools, options);
  }

  /**
   * Replaces the tools of one of this session's own servers by exactly this list, as `sift.sync` does for a shared server.
   *
   * @throws ToolSiftError as `sift.sync`, and `session_closed`
   */
  sync(server: string, tools: ToolList, options?: Omit<RegisterOptions, "server">): SyncReport {
    return this.#registrar.sync(server, tools, options);
  }

  /**
   * Removes tools of this session: all tools of a server, tools by name (as the model sees it), or tools of a server by
   * name. Shared tools stay; `rescope` hides them.
   *
   * @returns the names of the removed tools
   * @throws ToolSiftError `option_invalid`, also when neither is given; `session_closed`
   */
  unregister(which: { server?: string; names?: readonly string[] }): string[] {
    return this.#registrar.unregister(which);
  }

  /**
   * Opens a child of this session, for a subagent. It has all tools of this session and loads tools separately. It sees only
   * tools that are in its own scope and in this session's scope, even after one of them changes. It is closed with this
   * session. It can be used only through the returned handle.
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
   * Loads this child's loaded tools in the parent.
   *
   * @returns the names of the tools that were not loaded in the parent before
   * @throws ToolSiftError `option_conflict` if this is no child; otherwise as `reveal` of the parent
   */
  handBack(): string[] {
    if (this.#parent !== undefined) return this.#parent.reveal(this.revealed);
    throw new ToolSiftError(
      "option_conflict",
      `session ${JSON.stringify(this.id)} is no child: it has nobody to hand back to`,
    );
  }

  /**
   * Returns the entries of `preDiscovered`, `alwaysAvailable` and the session's scope that match no tool of the catalog:
   * typos, tools of servers that have not connected yet, and bare names that several servers have. A server of the scope is
   * written `server:*`.
   *
   * @throws ToolSiftError `session_closed`, `disposed`
   */
  unmatched(): string[] {
    return this.#ask((core) => core.unmatched(this.id, this.#sessionNumber));
  }

  /**
   * Changes the session's scope. Loaded tools outside the new scope are deferred again.
   *
   * @param scope servers and tools, or `"all"`
   * @returns the names of the tools that were deferred again
   * @throws ToolSiftError `name_ambiguous`, `option_invalid`, `option_unknown`, `session_closed`, `disposed`
   */
  rescope(scope: Scope | "all"): string[] {
    const next = plain("scope", scope);
    return this.#ask((core) => core.rescope(this.id, this.#sessionNumber, next));
  }

  /**
   * Returns the tools and the system-prompt text for the next model request, and their cost.
   *
   * Discovery tools come first, then the tools that are always sent, then the loaded tools in the order of loading. So a
   * vendor's prompt cache keeps everything before the newest tool. `tools` has the type of the vendor's SDK, by `format`.
   *
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `counter_failed`, `session_closed`, `disposed`
   */
  assemble<F extends WireFormat = "mcp">(options?: AssembleOptions<F>): Assembly<F> {
    return this.#assembled(options, true);
  }

  /**
   * Returns the same as `assemble`, but counts as no turn, because nothing is sent.
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
   * Decides a call of the model: the answer of a discovery tool, a tool of the catalog to run, or a refusal. An error in the
   * call is part of the outcome, for the model to read; it is not thrown.
   *
   * @param name the tool's name as the model wrote it
   * @param args the arguments: an object, or JSON text, which some vendors send; undefined means `{}`
   * @throws ToolSiftError `not_json` for arguments that are no JSON value (a model cannot send these), `option_invalid` for
   * a name that is not a string, `counter_failed`, `session_closed`, `disposed`
   */
  call(name: string, args?: unknown, options?: CallOptions): Outcome {
    if (typeof name !== "string") throw new ToolSiftError("option_invalid", `name must be a string, got ${kind(name)}`);
    const written = args === undefined ? "" : json("arguments", args);
    const turnOptions = plain("options", options) ?? {};
    const now = Date.now();
    // Most programs pass no options, and reading options takes as long as a small search.
    if (isEmpty(turnOptions)) {
      const outcome = this.#ask<Outcome>((core) => core.callAt(this.id, this.#sessionNumber, name, written, now));
      return this.#withAwaited(name, args, annotated(outcome));
    }
    const turn = typeof turnOptions === "object" && !isList(turnOptions) ? { now, ...turnOptions } : turnOptions;
    const outcome = this.#ask<Outcome>((core) => core.call(this.id, this.#sessionNumber, name, written, turn));
    return this.#withAwaited(name, args, annotated(outcome));
  }

  /** Returns the outcome of a search, after the guard's text on quarantined tools that would have been found. */
  #withAwaited(name: string, args: unknown, outcome: Outcome): Outcome {
    const { reviewer } = this.#owned;
    if (reviewer === undefined || name !== SEARCH || outcome.kind !== "result") return outcome;
    const admits = ({ server, name }: Tool) => this.admits(server, name);
    const awaited = reviewer.awaited({ catalog: this.#owned, sessionNumber: this.#sessionNumber, args, admits });
    // Profiles that copy a published system answer exactly like it.
    if (awaited === undefined || this.settings.profile !== "sift") return outcome;
    return { ...outcome, content: `${awaited}\n\n${outcome.content}` };
  }

  /**
   * Checks if this session may see a tool that is not in the catalog.
   * @internal
   */
  admits(server: string, name: string): boolean {
    return this.#owned.use((core) => core.admits(this.id, this.#sessionNumber, server, name));
  }

  /**
   * Returns the tool of the catalog that a call through another tool would run, as `call` decides it; otherwise undefined.
   * It does not count as a call: nothing is loaded, and a refusal counts as no failure.
   * @internal
   */
  forwarded(name: string, args: unknown): Dispatched | undefined {
    const written = args === undefined ? "" : json("arguments", args);
    const outcome = this.#ask<Dispatched | null>((core) => core.forwarded(this.id, this.#sessionNumber, name, written));
    return outcome === null ? undefined : annotated(outcome);
  }

  /**
   * Decides a call of the model like `call`. If the call is a search, it first waits for a ranker of your program, such as
   * an embedding model. If the ranker fails or takes too long, the core answers alone, and `onProblem` gets the reason.
   * Needs the profile `sift`.
   *
   * ```ts
   * const rank = { scores: async (query, session, { signal }) => similarities(query, session.tools(), signal) };
   * const outcome = await session.callAsync("search_tools", { query: "is it raining?" }, { rank });
   * ```
   *
   * @throws ToolSiftError as `call`; `option_conflict` if the settings' search accepts no ranker of your program; the reason
   * of `signal` if it is aborted
   */
  async callAsync(name: string, args?: unknown, options?: AsyncCallOptions): Promise<Outcome> {
    // Imported on demand, because few programs have a ranker.
    const { callAsync } = await import("../loop/rank.js");
    return callAsync(this, name, args, options);
  }

  /**
   * Decides the calls of one reply, in their order. A call through a bridge is unwrapped, alone or among others.
   *
   * @throws ToolSiftError as `call`; earlier calls of the reply have then already taken effect
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
   * Loads the tools that clearly fit the user's message, before the model is asked: about half of all requests then need no
   * search. Loads nothing while every tool is sent. Loads a tool that writes or destroys only if the message asks for it.
   *
   * @returns the names of the tools that were not loaded before
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`, `counter_failed`, `session_closed`,
   * `disposed`
   */
  prefetch(message: string, options?: PrefetchOptions): string[] {
    // A user may send half a surrogate pair. That is no error of the program; it matches nothing.
    if (typeof message !== "string") {
      throw new ToolSiftError("option_invalid", `message must be a string, got ${kind(message)}`);
    }
    const budget = plain("options", options);
    return this.#ask((core) => core.prefetch(this.id, this.#sessionNumber, message, budget));
  }

  /**
   * Loads tools by the names that the model sees. If a skill is loaded, the prompt has the first lines of its text.
   *
   * @returns the names of the tools that were not loaded before
   * @throws ToolSiftError `tool_unknown`, `tool_out_of_scope`, `revealed_full`; nothing is loaded then
   */
  reveal(names: readonly string[]): string[] {
    const list = plain("names", names);
    return this.#ask((core) => core.reveal(this.id, this.#sessionNumber, list));
  }

  /**
   * Defers loaded tools again, by the names that the model sees. The tools after them move up in the list, so the prompt
   * cache loses everything from there.
   *
   * @returns the names of the tools that were loaded before
   * @throws ToolSiftError `tool_unknown`; nothing has changed then
   */
  conceal(names: readonly string[]): string[] {
    const list = plain("names", names);
    return this.#ask((core) => core.conceal(this.id, this.#sessionNumber, list));
  }

  /**
   * Evicts the least recently used tools, until at most this number of tools and tokens is loaded. An evicted tool can be
   * found again. It can be called until the next request is assembled, because the model still sees it. The prompt cache
   * keeps everything before the first evicted tool.
   *
   * @returns the names of the evicted tools
   * @throws ToolSiftError `option_invalid`, also when neither limit is given; `option_unknown`, `limit_out_of_range`
   */
  evict(options: EvictOptions): string[] {
    const left = plain("options", options);
    return this.#ask((core) => core.evict(this.id, this.#sessionNumber, left));
  }

  /**
   * Restores the loaded tools from the messages of a conversation: the tools that answers of discovery tools report as
   * loaded, and the tools that were called, in the same order and with the same evictions. Other tools are deferred again.
   * Messages do not show tools that your program loaded or deferred. A second call with the same messages changes nothing.
   *
   * @param messages all messages of the conversation that are sent to the model, in order
   * @throws ToolSiftError `messages_invalid`; `format_mismatch` if the messages have answered calls only in another format;
   * `option_invalid`, `option_unknown`, `counter_failed`, `session_closed`, `disposed`. Nothing has changed then.
   */
  fromMessages(messages: readonly unknown[], options: FromMessagesOptions): HistoryReport {
    const written = messagesText(messages);
    const settings = plain("options", options);
    return this.#ask((core) => core.replay(this.id, this.#sessionNumber, written, settings));
  }

  /** The names of the loaded tools, in the order of loading. */
  get revealed(): string[] {
    return this.#ask((core) => core.revealed(this.id, this.#sessionNumber));
  }

  /** Returns all shared tools and this session's own tools, each with its state in this session. */
  tools(): ToolInfo[] {
    return this.#ask<ToolInfo[]>((core) => core.sessionTools(this.id, this.#sessionNumber)).map((tool) => annotated(tool));
  }

  /**
   * Returns the tools that are deferred unless they are loaded, with their definitions, in catalog order. Loaded tools are
   * included. For vendors that receive every definition and defer tools themselves.
   *
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `counter_failed`, `session_closed`, `disposed`
   */
  heldBack<F extends WireFormat = "mcp">(options?: AssembleOptions<F>): HeldBack<F>[] {
    const settings = plain("options", options);
    return this.#ask((core) => core.heldBack(this.id, this.#sessionNumber, settings));
  }

  /**
   * Returns tools by name, keyed by the name that the model sees. The time does not depend on the catalog's size. A name can
   * also be a tool's name in Google's format, or the name under which your program registered it without a server.
   * @internal
   */
  named(names: readonly string[]): ReadonlyMap<string, ToolInfo> {
    const list = names.join("\n");
    const tools = this.#ask<ToolInfo[]>((core) => core.sessionToolsNamed(this.id, this.#sessionNumber, list));
    return new Map(tools.map((tool) => [tool.name, annotated(tool)]));
  }

  /**
   * Returns the definition of a tool of `named` in MCP's format; undefined if this session may not see the tool.
   * @internal
   */
  definition({ name, own, state }: ToolInfo): object | undefined {
    if (own) return this.heldBack().find((tool) => tool.name === name)?.definition;
    return state === "hidden" ? undefined : this.#owned.definition(name);
  }

  /**
   * Converts a tool's answer to text for the model.
   * @internal
   */
  answerText(answer: unknown): AnswerText {
    return readToolResult(answer);
  }

  /**
   * Returns a tool's answer for the model. An answer of more than `most` characters is cut, and its end states the full
   * length. The session stores the whole answer, and the following requests offer the tool by which the model reads on.
   *
   * @param readsOn false to store nothing
   * @internal
   */
  cutAnswer(text: string, most: number, readsOn: boolean): string {
    if (text.length <= most) return text;
    // Text that the core would not store need not be passed.
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
   * Reads a file of a skill for the model, by the `read` function of the registered skill. toolsift's loops and adapters
   * call this method. In your own loop, call it to answer a dispatch with `skill`.
   *
   * @returns the text for the model; it states the author of the text, and long texts are cut like long answers
   * @throws ToolSiftError `skill_invalid` if the skill has no `read`, or `read` returns no text; `tool_unknown` if the skill
   * has left the catalog; `session_closed`, `disposed`; the error that `read` throws
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
   * Searches with this session's scope.
   * @internal
   */
  found(query: string, limit: number, scores: Scores = {}): SearchResult {
    const options = { limit, session: this.id };
    return this.#owned.search(query, isEmpty(scores) ? options : { ...options, scores: { ...scores } });
  }

  /**
   * A key that differs from all other sessions of the process, including later sessions of the same id.
   * @internal
   */
  get uniqueKey(): string {
    const key = `${this.#owned.number}.${this.#sessionNumber}`;
    return this.#parent === undefined ? key : `${key}.${this.id}`;
  }

  /**
   * Updates the session from its record, the text that a store keeps. An empty text means that there is no record.
   * @internal
   */
  openRecord(record: string, hasScope: boolean): void {
    this.#owned.use((core) => core.openRecord(this.id, this.#sessionNumber, record, hasScope, Date.now()));
  }

  /**
   * Returns the record that a store should keep instead of `record`, for `ttl` seconds (0: forever). Returns undefined if
   * `record` is up to date.
   * @internal
   */
  saveRecord(record: string, ttl: number): string | undefined {
    return this.#owned.use((core) => core.saveRecord(this.id, this.#sessionNumber, record, Date.now(), ttl * 1_000));
  }

  /**
   * Checks if the session belongs to the `ToolSift` that owns this core.
   * @internal
   */
  isOf(owned: OwnedCore): boolean {
    return this.#owned === owned;
  }

  /**
   * True if the session's scope is not everything.
   * @internal
   */
  get isScoped(): boolean {
    return this.#owned.use((core) => core.isScoped(this.id, this.#sessionNumber));
  }

  /**
   * The ranker in force, and the version of its core.
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

  /** True while the session is open. Reading this does not count as use of the session. */
  get isOpen(): boolean {
    try {
      return this.#owned.use((core) => core.isOpen(this.id, this.#sessionNumber));
    } catch (error) {
      if (ToolSiftError.is(error) && error.code === "disposed") return false;
      throw error;
    }
  }

  /** Returns the session's state as a small JSON value for `sift.restore`, without its scope. */
  snapshot(): Snapshot {
    return this.#ask((core) => core.snapshot(this.id, this.#sessionNumber));
  }

  /** Closes the session and drops its state. Closing it again does nothing. */
  close(): void {
    this.#owned.use((core) => core.closeNumber(this.id, this.#sessionNumber));
    // A child uses the tools of its parent.
    if (this.#parent === undefined) this.#owned.disown(this.#sessionNumber);
  }

  /**
   * True if the session ever registered its own tools.
   * @internal
   */
  get hasOwn(): boolean {
    return this.#owned.hasOwn(this.#sessionNumber);
  }

  #ask<T>(method: (core: Core) => string): T {
    return this.#owned.use((core) => ask<T>(() => method(core)));
  }
}

/** Checks if options have no keys. */
function isEmpty(options: unknown): boolean {
  if (typeof options !== "object" || options === null || isList(options)) return false;
  for (const _ in options) return false;
  return true;
}
