/** A catalog of tools, searched, and the sessions that use it. */

import { annotated } from "./annotations.js";
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
 * A catalog of tools, and the sessions that use it. No set-up is needed: the wasm starts, synchronously, on first use.
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
   * Loads a prebuilt catalog: the first search neither reads JSON nor counts words. Everything works as on a catalog whose
   * tools were registered, and gives the same answers; `sync` reads only what changed.
   *
   * ```ts
   * const sift = ToolSift.fromIndex(await readFile("tools.bin"), { contextWindow: 200_000 });
   * ```
   *
   * @param index what `exportIndex` returned
   * @param options those of the constructor. `synonyms` and `search.without` must be those of the export; the others may
   * differ. `contentHash` is the hash of the tools that the index must hold.
   * @throws ToolSiftError `index_invalid` (not an index, cut, or changed), `index_stale` (of another version of toolsift, of
   * other tools than `contentHash` says, or with other options that the words depend on: build it again), `catalog_full`,
   * `catalog_too_large`, `server_too_large`, `name_reserved`, `option_invalid`, and what the constructor throws
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

  /** The table of profiles: named rows of settings, our own and one after each published system. */
  static profiles(): ProfileInfo[] {
    return ask(() => core().Core.profiles());
  }

  /** The version of the core. */
  static get version(): string {
    return core().Core.version();
  }

  /**
   * Registers tools in the form of MCP, OpenAI, Anthropic or Google, in this order. In a list, a broken tool is reported
   * under `rejected` and the others are registered. A single broken definition is thrown. Schemas of Zod 4, ArkType,
   * AI SDK and other libraries that offer JSON Schema are converted to it.
   *
   * A tool is identified by server and name. If another server's tool has, or has had, the bare name, the model sees
   * `server__name`; `dispatch` outcomes carry the original name.
   *
   * @throws ToolSiftError `not_json` (also for a promise or a map of tools), `option_invalid`, `option_unknown`,
   * `list_too_large` (more than 64 MiB of JSON); for a single definition also what is wrong
   * with it: `name_empty`, `name_too_long`, `name_unsafe` (with a safe `alias`), `name_reserved`, `duplicate_tool`,
   * `schema_invalid`, `schema_too_large`, `description_too_long`, `text_invalid`, `tool_shape_unknown`, `catalog_full`,
   * `catalog_too_large`, `server_too_large`. Nothing has changed then.
   */
  register(tools: ToolList | SingleTool, options?: RegisterOptions): RegisterReport {
    return this.#registrar.register(tools, options);
  }

  /**
   * Replaces the tools of one server by exactly this list, for example after MCP's `notifications/tools/list_changed`. An
   * unchanged tool keeps its place. A revealed tool that is gone leaves the next assembly, and is back if it returns. A tool
   * that was there before keeps its name, also if `names` is different now.
   *
   * Tools that are gone are removed before new tools are added. At a limit, new tools are rejected and existing ones stay.
   *
   * @throws ToolSiftError `not_json`, `option_invalid` (also for a server without a name), `option_unknown`,
   * `list_too_large`
   */
  sync(server: string, tools: ToolList, options?: Omit<RegisterOptions, "server">): SyncReport {
    return this.#registrar.sync(server, tools, options);
  }

  /**
   * Removes the shared tools of a server, of these names (as the model sees them), or of a server with these names. A name
   * that a tool of a server has had goes to no other server until `unregister({ server })`.
   *
   * @returns the names of the removed tools
   * @throws ToolSiftError `option_invalid`, also when neither is given
   */
  unregister(which: { server?: string; names?: readonly string[] }): string[] {
    return this.#registrar.unregister(which);
  }

  /**
   * Searches as the host: what the model's search would find. Several queries are one search for all of them.
   *
   * Under the grammar `full`, which `sift` has, a `/pattern/` that is not valid is searched as words: `stage` is then not
   * `"pattern"`.
   *
   * @throws ToolSiftError `pattern_invalid` (only with the ranker `pattern`), `query_empty` (a list that holds no words),
   * `text_invalid`, `option_invalid`, `option_unknown`, `session_closed` (no session of that id is open)
   */
  search(query: string | readonly string[], options?: SearchOptions): SearchResult {
    const words = queryText(query);
    return this.#owned.search(words, plain("options", options));
  }

  /**
   * Explains why a search finds one tool, or why it does not.
   *
   * @param name the name that the model sees
   * @throws ToolSiftError `tool_unknown`, and what `search` throws
   */
  explain(query: string | readonly string[], name: string, options?: SearchOptions): Explanation {
    const words = queryText(query);
    const tool = text("name", name);
    const settings = plain("options", options);
    return this.#ask((core) => core.explain(words, tool, settings));
  }

  /**
   * Returns the session that is open under this id, or opens one. Without a scope, an open session is returned whatever its
   * scope is, and a new one may see everything.
   *
   * @throws ToolSiftError `session_id_invalid`; `option_invalid` without an id, and when it is open with another scope than the one given
   * (`session.rescope` changes it), and for a scope that is null or undefined; `name_ambiguous` for a new session;
   * `scope_required` without a scope, if the session of that id had one before it was closed or evicted
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
   * Refuses a session of another catalog, whose tools and names are others.
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
   * The definition of a discovery tool or a shared tool in the form of MCP; undefined where there is no tool of that name.
   *
   * @internal
   */
  definition(name: string): object | undefined {
    const written = this.#owned.use((core) => core.definition(name));
    return written === undefined ? undefined : (JSON.parse(written) as object);
  }

  /**
   * Closes and forgets the session that is open under this id.
   *
   * @returns whether there was one
   * @throws ToolSiftError `session_id_invalid`
   */
  closeSession(id: string): boolean {
    const key = text("session id", id);
    return this.#owned.use((core) => core.closeSession(key));
  }

  /**
   * Opens the session of a snapshot with its reveals, in their order. They are added to the reveals of an open session of
   * that id, or replace them with `replace`. `missing` names the tools that could not be revealed: tools that the catalog
   * does not have yet, which the session reveals later, and tools out of scope or beyond a limit, which it forgets.
   *
   * @throws ToolSiftError `snapshot_invalid`, and what `session` throws. Nothing has changed then.
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
   * The shared tools as bytes for `ToolSift.fromIndex`, with everything that a first search would have to compute. The same
   * tools and options give the same bytes in every runtime.
   */
  exportIndex(): Uint8Array {
    return this.#owned.use((core) => core.exportIndex());
  }

  /**
   * 16 hexadecimal digits for the names and definitions of the catalog's tools, independent of their order and of how they
   * were registered. The same in every runtime; `ToolSift.fromIndex` compares it.
   */
  get contentHash(): string {
    return this.#owned.use((core) => core.contentHash());
  }

  /** Every shared tool, and where it stands before any conversation. */
  tools(): ToolInfo[] {
    return this.#ask<ToolInfo[]>((core) => core.tools()).map((tool) => annotated(tool));
  }

  /**
   * What all shared tools cost in a wire format (default `"mcp"`), and which server it comes from. The parts of schemas (`$defs`)
   * that no parameter reaches are not registered; `sent` counts them too.
   */
  size(options?: { format?: WireFormat }): CatalogSize {
    const settings = plain("options", options);
    return this.#ask((core) => core.size(settings));
  }

  /** The settings in force: the profile's, with what the options changed. */
  get settings(): SettingsInfo {
    return this.#ask((core) => core.settings());
  }

  /** A number that changes whenever the catalog does. */
  get revision(): number {
    return this.#owned.use((core) => core.revision());
  }

  /**
   * What keeps the core, for a door: it is the same catalog.
   *
   * @internal
   */
  get owned(): OwnedCore {
    return this.#owned;
  }

  /** Gives the memory back. Using this `ToolSift` or its sessions afterwards throws `disposed`. */
  dispose(): void {
    this.#owned.dispose();
  }

  /** `dispose`, for `using sift = new ToolSift()`, in runtimes that know it. */
  declare readonly [Symbol.dispose]: () => void;

  static {
    // Where the symbol is missing, a method of this name would be called "undefined".
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

/** A core may be of another copy of the package, as where one program imports it and requires it. */
function isOwned(options: ToolSiftOptions | OwnedCore): options is OwnedCore {
  return options instanceof OwnedCore || typeof (Object(options) as Partial<OwnedCore>).beside === "function";
}
