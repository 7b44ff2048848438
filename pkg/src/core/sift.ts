/** A catalog of tools that can be searched, and the sessions that use it. */

import { type AnswerText, readToolResult } from "./answer-text.js";
import { annotated } from "./definition.js";
import { ask } from "./boundary.js";
import { json } from "../base/json.js";
import { ownFields, plain } from "../base/plain-data.js";
import { bytes, queryText, text } from "../base/texts.js";
import { kind } from "../base/values.js";
import { core } from "./bindings.js";
import { ToolSiftError } from "../base/errors.js";
import { OwnedCore } from "./owned-core.js";
import { Registrar } from "./registrar.js";
import { Session } from "./session.js";
import type {
  CatalogSize,
  Explanation,
  IndexOptions,
  ProfileInfo,
  RegisterOptions,
  RegisterReport,
  RestoreOptions,
  SearchOptions,
  SearchResult,
  SessionOptions,
  SettingsInfo,
  SingleTool,
  Snapshot,
  SyncReport,
  ToolIdentity,
  ToolInfo,
  ToolList,
  ToolSiftOptions,
  WireFormat,
} from "../types/index.js";

/**
 * A catalog of tools, and the sessions that use it. No set-up is needed: the wasm starts synchronously on first use.
 *
 * ```ts
 * const sift = new ToolSift({ contextWindow: 200_000 });
 * sift.register(tools, { server: "github" });
 * ```
 */
export class ToolSift {
  readonly #owned: OwnedCore;
  readonly #registrar: Registrar;

  /**
   * @throws ToolSiftError `option_unknown` (a misspelt key, with the nearest valid one), `option_invalid`,
   * `option_conflict`, `limit_out_of_range`, `alias_invalid`, `wasm_unavailable`
   */
  constructor(options?: ToolSiftOptions);
  constructor(options: ToolSiftOptions | OwnedCore = {}) {
    this.#owned = isOwned(options) ? options : new OwnedCore(options);
    this.#registrar = new Registrar(this.#owned);
  }

  /**
   * Loads a prebuilt catalog, so that the first search neither parses JSON nor counts words. It behaves like a catalog whose
   * tools were registered, and gives the same answers. `sync` reads only changed tools.
   *
   * ```ts
   * const sift = ToolSift.fromIndex(await readFile("tools.bin"), { contextWindow: 200_000 });
   * ```
   *
   * @param index the result of `exportIndex`
   * @param options the constructor's options. `synonyms` and `search.without` must be the same as at the export.
   * `contentHash` is the hash of the tools that the index must contain.
   * @throws ToolSiftError `index_invalid` (not an index, cut, or changed), `index_stale` (of another version of toolsift, of
   * tools with another hash, or exported with other options that affect the words: build it again), `catalog_full`,
   * `catalog_too_large`, `server_too_large`, `name_reserved`, `option_invalid`, and all errors of the constructor
   */
  static fromIndex(index: Uint8Array | ArrayBuffer, options: IndexOptions = {}): ToolSift {
    const { contentHash, ...others } = ownFields("options", options);
    const wanted = contentHash === undefined ? undefined : text("options.contentHash", contentHash);
    const sift = new (ToolSift as new (owned: OwnedCore) => ToolSift)(new OwnedCore(others, bytes("index", index)));
    if (wanted === undefined || sift.contentHash === wanted) return sift;
    const message = `the index is stale: its tools have the hash ${sift.contentHash}, not ${wanted.slice(0, 80)}`;
    sift.dispose();
    throw new ToolSiftError("index_stale", `${message}; build it again from these tools`);
  }

  /** Returns all profiles: named rows of settings, toolsift's own and one for each copied system. */
  static profiles(): ProfileInfo[] {
    return ask(() => core().Core.profiles());
  }

  /** The version of the core. */
  static get version(): string {
    return core().Core.version();
  }

  /**
   * Registers tools in the format of MCP, OpenAI, Anthropic or Google, in this order. In a list, an invalid tool is reported
   * in `rejected` and the others are registered. A single invalid definition is thrown as an error. Schemas of Zod 4,
   * ArkType, AI SDK and other libraries that convert to JSON Schema are converted.
   *
   * A tool is identified by server and name. If another server's tool has, or has had, the bare name, the model sees
   * `server__name`; `dispatch` outcomes have the original name.
   *
   * @throws ToolSiftError `not_json` (also for a promise or a map of tools), `option_invalid`, `option_unknown`,
   * `list_too_large` (more than 64 MiB of JSON); for a single definition also its own error: `name_empty`,
   * `name_too_long`, `name_unsafe` (with a safe `alias`), `name_reserved`, `duplicate_tool`, `schema_invalid`,
   * `schema_too_large`, `description_too_long`, `text_invalid`, `tool_shape_unknown`, `catalog_full`, `catalog_too_large`,
   * `server_too_large`. Nothing has changed then.
   */
  register(tools: ToolList | SingleTool, options?: RegisterOptions): RegisterReport {
    return this.#registrar.register(tools, options);
  }

  /**
   * Replaces the tools of one server by exactly this list, for example after MCP's `notifications/tools/list_changed`. An
   * unchanged tool keeps its place. A removed tool that was loaded is not part of the next request; if it comes back, it is
   * loaded again. A tool that was there before keeps its name, even if `names` has changed.
   *
   * Removed tools are deleted before new tools are added. At a limit, new tools are rejected and existing ones stay.
   *
   * @throws ToolSiftError `not_json`, `option_invalid` (also for a server without a name), `option_unknown`,
   * `list_too_large`
   */
  sync(server: string, tools: ToolList, options?: Omit<RegisterOptions, "server">): SyncReport {
    return this.#registrar.sync(server, tools, options);
  }

  /**
   * Removes shared tools: all tools of a server, tools by name (as the model sees it), or tools of a server by name. Until
   * `unregister({ server })`, a name that a tool of the server had is given to no other server.
   *
   * @returns the names of the removed tools
   * @throws ToolSiftError `option_invalid`, also when neither is given
   */
  unregister(which: { server?: string; names?: readonly string[] }): string[] {
    return this.#registrar.unregister(which);
  }

  /**
   * Searches for your program, with the same results as the model's search. Several queries are one search for all of them.
   *
   * Under the grammar `full`, which the profile `sift` uses, an invalid `/pattern/` is searched as words; `stage` is then
   * not `"pattern"`.
   *
   * @throws ToolSiftError `pattern_invalid` (only with the ranker `pattern`), `query_empty` (a list without words),
   * `text_invalid`, `option_invalid`, `option_unknown`, `session_closed` (no session of that id is open)
   */
  search(query: string | readonly string[], options?: SearchOptions): SearchResult {
    const words = queryText(query);
    return this.#owned.search(words, plain("options", options));
  }

  /**
   * Explains why a search finds one tool, or does not find it.
   *
   * @param name the name that the model sees
   * @throws ToolSiftError `tool_unknown`, and all errors of `search`
   */
  explain(query: string | readonly string[], name: string, options?: SearchOptions): Explanation {
    const words = queryText(query);
    const tool = text("name", name);
    const settings = plain("options", options);
    return this.#ask((core) => core.explain(words, tool, settings));
  }

  /**
   * Returns the open session of this id, or opens one. Without a scope, an open session is returned whatever its scope is,
   * and a new session may see everything.
   *
   * @throws ToolSiftError `session_id_invalid`; `option_invalid` without an id, for a session that is open with another
   * scope (change it with `session.rescope`), and for a scope that is null or undefined; `name_ambiguous` for a new
   * session; `scope_required` without a scope, if the session of that id had one before it was closed or evicted
   */
  session(id: string, options: SessionOptions = {}): Session {
    if (id === undefined) {
      const why = "conversations that share a session share what is revealed";
      throw new ToolSiftError("option_invalid", `session needs the id of a conversation, such as "chat-42": ${why}`);
    }
    const key = text("session id", id);
    const settings = plain("options", options);
    const sessionNumber = this.#owned.use((core) => core.openSession(key, settings));
    return new Session(this.#owned, key, sessionNumber);
  }

  /**
   * Refuses a session of another catalog, because its tools and names differ.
   *
   * @throws ToolSiftError `option_invalid`
   * @internal
   */
  checkSession(session: unknown): void {
    const given = session as Partial<Session> | null | undefined;
    if (given?.isOf?.(this.#owned) === true) return;
    const got = typeof given?.isOf === "function" ? `session ${JSON.stringify(given.id)} of another one` : kind(session);
    throw new ToolSiftError("option_invalid", `session must be a Session of the same ToolSift, got ${got}`);
  }

  /**
   * Returns the definition of a discovery tool or a shared tool in MCP's format; undefined if there is no tool of that name.
   *
   * @internal
   */
  definition(name: string): object | undefined {
    return this.#owned.definition(name);
  }

  /**
   * Converts a tool's answer to text for the model.
   *
   * @internal
   */
  answerText(answer: unknown): AnswerText {
    return readToolResult(answer);
  }

  /**
   * Closes the open session of this id and drops its state.
   *
   * @returns true if there was one
   * @throws ToolSiftError `session_id_invalid`
   */
  closeSession(id: string): boolean {
    const key = text("session id", id);
    return this.#owned.use((core) => core.closeSession(key));
  }

  /**
   * Opens the session of a snapshot with its loaded tools, in their order. If a session of that id is open, they are added
   * to its loaded tools, or replace them with `replace`. `missing` has the tools that could not be loaded: tools that the
   * catalog does not have yet, which are loaded later, and tools outside the scope or above a limit, which are dropped.
   *
   * @throws ToolSiftError `snapshot_invalid`, and all errors of `session`. Nothing has changed then.
   */
  restore(snapshot: Snapshot, options: RestoreOptions = {}): { session: Session; missing: ToolIdentity[] } {
    const written = json("snapshot", snapshot);
    const settings = plain("options", options);
    const [id, sessionNumber, missing] = this.#ask<[string, number, ToolIdentity[]]>((core) =>
      core.restore(written, settings),
    );
    return { session: new Session(this.#owned, id, sessionNumber), missing };
  }

  /**
   * Returns the shared tools as bytes for `ToolSift.fromIndex`, with everything that a first search would have to compute.
   * Equal tools and options give equal bytes in every runtime.
   */
  exportIndex(): Uint8Array {
    return this.#owned.use((core) => core.exportIndex());
  }

  /**
   * A hash of the names and definitions of the catalog's tools, as 16 hexadecimal digits. It does not depend on their order,
   * on the way they were registered, or on the runtime. `ToolSift.fromIndex` compares it.
   */
  get contentHash(): string {
    return this.#owned.use((core) => core.contentHash());
  }

  /** Returns all shared tools, each with its state in a new session. */
  tools(): ToolInfo[] {
    return this.#ask<ToolInfo[]>((core) => core.tools()).map((tool) => annotated(tool));
  }

  /**
   * Returns the cost of all shared tools in a wire format (default `"mcp"`), in total and by server. Parts of schemas
   * (`$defs`) that no parameter refers to are not registered; `sent` includes them.
   */
  size(options?: { format?: WireFormat }): CatalogSize {
    const settings = plain("options", options);
    return this.#ask((core) => core.size(settings));
  }

  /** The settings in force: those of the profile, with the overrides of the options. */
  get settings(): SettingsInfo {
    return this.#ask((core) => core.settings());
  }

  /** A number that changes with every change of the catalog. */
  get revision(): number {
    return this.#owned.use((core) => core.revision());
  }

  /**
   * The owner of the core, for `toolsift()` and adapters, which use the same catalog.
   *
   * @internal
   */
  get owned(): OwnedCore {
    return this.#owned;
  }

  /** Frees the memory. Any later use of this `ToolSift` or its sessions throws `disposed`. */
  dispose(): void {
    this.#owned.dispose();
  }

  /** Calls `dispose`, for `using sift = new ToolSift()` in runtimes that support it. */
  declare readonly [Symbol.dispose]: () => void;

  static {
    // Without the symbol, the method would get the name "undefined".
    if (typeof Symbol.dispose === "symbol") {
      const value = function (this: ToolSift) {
        this.dispose();
      };
      Object.defineProperty(this.prototype, Symbol.dispose, { value });
    }
  }

  #ask<T>(method: Parameters<OwnedCore["use"]>[0]): T {
    return this.#owned.use((core) => ask<T>(() => method(core) as string));
  }
}

/** Checks if the constructor got a core. It may come from another copy of the package, which `instanceof` does not know. */
function isOwned(options: ToolSiftOptions | OwnedCore): options is OwnedCore {
  return options instanceof OwnedCore || typeof (Object(options) as Partial<OwnedCore>).beside === "function";
}
