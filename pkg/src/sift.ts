/** A catalog of tools, searched, and the sessions that use it. */

import { allRejected, ask, bytes, json, kind, list, plain, queryText, read, run, text, toolBytes } from "./boundary.js";
import { core } from "./core.js";
import { ToolSiftError } from "./errors.js";
import { Host } from "./host.js";
import { own } from "./plain.js";
import { Session } from "./session.js";
import { asList } from "./tool-list.js";
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
} from "./types.js";

/** The session of hosts that have only one conversation. */
const DEFAULT_SESSION = "default";

/**
 * A catalog of tools, and the sessions that use it. No set-up is needed: the wasm starts, synchronously, on first use.
 *
 * ```ts
 * const sift = new ToolSift({ contextWindow: 200_000 });
 * sift.register(tools, { server: "github" });
 * ```
 */
export class ToolSift {
  readonly #host: Host;

  /**
   * @throws ToolSiftError `option_unknown` (a misspelt key, with the nearest valid one), `option_invalid`,
   * `option_conflict`, `limit_out_of_range`, `alias_invalid`, `wasm_unavailable`
   */
  constructor(options?: ToolSiftOptions);
  constructor(options: ToolSiftOptions | Host = {}) {
    this.#host = isHost(options) ? options : new Host(options);
  }

  /**
   * A catalog that was built beforehand: the first search neither reads JSON nor counts words. Afterwards everything works
   * as on a catalog whose tools were registered, and gives the same answers; `sync` reads only what changed.
   *
   * ```ts
   * const sift = ToolSift.fromIndex(await readFile("tools.bin"), { contextWindow: 200_000 });
   * ```
   *
   * @param index what `exportIndex` returned
   * @param options those of the constructor. `synonyms` and `search.without` must be those of the export; the others may
   * differ. `contentHash` is that of the tools that the index should hold.
   * @throws ToolSiftError `index_invalid` (no index, cut short, altered), `index_stale` (of another version of toolsift, of
   * other tools than `contentHash` says, or with other options that the words depend on: build it again), `catalog_full`,
   * `catalog_too_large`, `server_too_large`, `name_reserved`, `option_invalid`, and what the constructor throws
   */
  static fromIndex(index: Uint8Array | ArrayBuffer, options: IndexOptions = {}): ToolSift {
    const { contentHash, ...others } = own("options", options);
    const wanted = contentHash === undefined ? undefined : text("options.contentHash", contentHash);
    const sift = new (ToolSift as new (host: Host) => ToolSift)(new Host(others, bytes("index", index)));
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
   * Registers tools in the shape of MCP, OpenAI, Anthropic or Google, in this order. A list is taken tool by tool: a
   * broken one is reported under `rejected` and costs nothing but itself. A single definition is taken or thrown. Schemas of
   * Zod 4, ArkType, AI SDK and other libraries that offer JSON Schema are converted to it.
   *
   * Tools are known by server and name. Where a bare name is taken by another server's tool, the model sees
   * `server__name`; `dispatch` outcomes carry the original name.
   *
   * @throws ToolSiftError `not_json` (also for a promise or a map of tools), `option_invalid`, `option_unknown`,
   * `list_too_large` (more than 64 MiB of JSON), `out_of_memory`; for a single definition also what is wrong
   * with it: `name_empty`, `name_too_long`, `name_unsafe` (with a safe `alias`), `name_reserved`, `duplicate_tool`,
   * `schema_invalid`, `schema_too_large`, `description_too_long`, `text_invalid`, `tool_shape_unknown`, `catalog_full`,
   * `catalog_too_large`, `server_too_large`. Nothing has changed then.
   */
  register(tools: ToolList | SingleTool, options?: RegisterOptions): RegisterReport {
    const many = asList(tools);
    const settings = plain("options", options);
    if (many === undefined) {
      const one = this.#fitting(toolBytes(tools));
      return this.#ask((core) => core.registerOne(one, settings));
    }
    const encoded = list(many);
    const written = this.#fitting(encoded.bytes);
    const report = this.#ask<RegisterReport>((core) => core.register(written, settings));
    return { ...report, rejected: allRejected(encoded, report.rejected) };
  }

  /**
   * Makes the tools of one server be exactly this list, as after MCP's `notifications/tools/list_changed`. Tools that
   * did not change keep their place; revealed tools that are gone leave the next assembly, and are back if they return.
   * A tool that was there before keeps its name, also where `names` now says otherwise.
   *
   * Tools that are gone make room before new ones come. At a limit new tools are rejected; those that stay are kept.
   *
   * @throws ToolSiftError `not_json`, `option_invalid`, `option_unknown`, `list_too_large`, `out_of_memory`
   */
  sync(server: string, tools: ToolList, options?: Omit<RegisterOptions, "server">): SyncReport {
    const name = text("server", server);
    const many = asList(tools);
    if (many === undefined) throw new ToolSiftError("not_json", `tools must be a list, got ${kind(tools)}`);
    const encoded = list(many);
    const written = this.#fitting(encoded.bytes);
    const settings = plain("options", options);
    const report = this.#ask<SyncReport>((core) => core.sync(name, written, settings));
    return { ...report, rejected: allRejected(encoded, report.rejected) };
  }

  /**
   * Removes the tools of a server, or those of some names that the model sees, or those of a server with these names.
   *
   * @returns the names that went
   * @throws ToolSiftError `option_invalid`, also when neither is given
   */
  unregister(which: { server?: string; names?: readonly string[] }): string[] {
    const chosen = plain("which", which);
    return this.#ask((core) => core.unregister(chosen));
  }

  /**
   * Searches as the host: what the model's search would find. Several queries are one search for all of them.
   *
   * @throws ToolSiftError `pattern_invalid`, `query_empty` (a list that holds no words), `text_invalid`,
   * `option_invalid`, `option_unknown`, `session_closed` (no session of that id is open)
   */
  search(query: string | readonly string[], options?: SearchOptions): SearchResult {
    const words = queryText(query);
    const settings = plain("options", options);
    return this.#ask((core) => core.search(words, settings));
  }

  /**
   * Says why a search finds one tool, or does not.
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
   * @throws ToolSiftError `session_id_invalid`; `option_invalid` when it is open with another scope than the one given
   * (`session.rescope` changes it), and for a scope that is null or undefined
   */
  session(id: string = DEFAULT_SESSION, options: SessionOptions = {}): Session {
    const key = text("session id", id);
    const settings = plain("options", options);
    const opening = this.#host.use((core) => core.openSession(key, settings));
    return new Session(this.#host, key, opening);
  }

  /**
   * Closes the session that is open under this id, and so forgets what it knows.
   *
   * @returns whether there was one
   * @throws ToolSiftError `session_id_invalid`
   */
  closeSession(id: string): boolean {
    const key = text("session id", id);
    return this.#host.use((core) => core.closeSession(key));
  }

  /**
   * Opens the session of a snapshot with its reveals, in their order: added to what a session of that id has here, or
   * with `replace` in its place. `missing` names what is not to be seen: tools that the catalog does not have, which the
   * session keeps in mind until it does; and tools out of scope or beyond a bound, which it forgets.
   *
   * @throws ToolSiftError `snapshot_invalid`, and what `session` throws. Nothing has changed then.
   */
  restore(snapshot: Snapshot, options: RestoreOptions = {}): { session: Session; missing: ToolIdentity[] } {
    const written = json("snapshot", snapshot);
    const settings = plain("options", options);
    const [id, opening, missing] = this.#ask<[string, number, ToolIdentity[]]>((core) => core.restore(written, settings));
    return { session: new Session(this.#host, id, opening), missing };
  }

  /**
   * The catalog as bytes for `ToolSift.fromIndex`, with everything that a first search would have to work out. The same
   * tools and options give the same bytes in every runtime.
   */
  exportIndex(): Uint8Array {
    return this.#host.use((core) => core.exportIndex());
  }

  /**
   * 16 hexadecimal digits for the tools of the catalog: what they say and are called, whatever their order and however
   * they came in. The same in every runtime; for `ToolSift.fromIndex` to compare.
   */
  get contentHash(): string {
    return this.#host.use((core) => core.contentHash());
  }

  /** Every tool, and where it stands before any conversation. */
  tools(): ToolInfo[] {
    return this.#ask((core) => core.tools());
  }

  /** What everything in the catalog costs in a wire format (default `"mcp"`), and which server it comes from. */
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
    return this.#host.use((core) => core.revision());
  }

  /** Gives the memory back. Using this `ToolSift` or its sessions afterwards throws `disposed`. */
  dispose(): void {
    this.#host.dispose();
  }

  /** The same, for `using sift = new ToolSift()`, in runtimes that know it. */
  declare readonly [Symbol.dispose]: () => void;

  static {
    // Where the symbol is missing, a method of this name would be called "undefined".
    if (typeof Symbol.dispose === "symbol") {
      Object.defineProperty(this.prototype, Symbol.dispose, { value: this.prototype.dispose });
    }
  }

  /** Refuses bytes that the core has no room for before they are copied: a copy that fails would end the wasm. */
  #fitting(written: Uint8Array): Uint8Array {
    run(() => core().Core.listFits(written.length));
    return written;
  }

  #ask<T>(method: Parameters<Host["use"]>[0]): T {
    return this.#host.use((core) => ask<T>(() => method(core) as string));
  }
}

/** A revoked proxy has no prototype that could be asked for. */
function isHost(options: unknown): options is Host {
  return read("option_invalid", "options", () => options instanceof Host);
}
