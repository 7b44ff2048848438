/** Registers tools in the core: shared tools, or tools of one session. */

import { ask, run } from "./boundary.js";
import { plain, ownFields } from "../base/plain-data.js";
import { text } from "../base/texts.js";
import { isList, kind } from "../base/values.js";
import { readerOf } from "./definition.js";
import { allRejected, encoded, list, toolJson, type WrittenList, asList } from "./written-list.js";
import { ToolSiftError } from "../base/errors.js";
import type { Core } from "./bindings.js";
import type { OwnedCore } from "./owned-core.js";
import type { SubmittedList, Owner, Tool } from "./reviewer.js";
import type {
  RegisterOptions,
  RegisterReport,
  SingleTool,
  SkillDefinition,
  SkillReader,
  SyncReport,
  ToolList,
} from "../types/index.js";

/** A session's id and number; `["", 0]` for the shared tools. */
type Key = readonly [id: string, sessionNumber: number];

/** Registers the tools of one owner: the shared tools, or those of a session. */
export class Registrar {
  readonly #owned: OwnedCore;
  readonly #key: Key;

  constructor(owned: OwnedCore, key: Key = ["", 0]) {
    this.#owned = owned;
    this.#key = key;
  }

  register(tools: ToolList | SingleTool, options?: RegisterOptions): RegisterReport {
    const many = asList(tools);
    const settings = registration(options);
    if (many !== undefined) return this.#taken(many, list(many, this.#isGuarded), settings, register);
    const only = { texts: [toolJson(tools, this.#isGuarded)], places: [0], rejected: [] };
    return this.#taken([tools], only, settings, (core, owner, texts, settings) => {
      if (texts.length === 0) return register(core, owner, texts, settings);
      return core.registerOne(owner, encoded(texts[0]!), settings);
    });
  }

  sync(server: string, tools: ToolList, options?: Omit<RegisterOptions, "server">): SyncReport {
    const name = text("server", server);
    const many = asList(tools);
    if (many === undefined) throw new ToolSiftError("not_json", `tools must be a list, got ${kind(tools)}`);
    const checked = registration(options ?? {});
    const settings = isList(checked) || typeof checked !== "object" ? checked : { ...checked, server: name };
    const sync: Take = (core, owner, texts, settings) => {
      const report = core.sync(owner, encoded(texts), settings);
      this.#dropReaders(name);
      return report;
    };
    return this.#taken(many, list(many, this.#isGuarded), settings, sync, true);
  }

  unregister(which: { server?: string; names?: readonly string[] }): string[] {
    const chosen = plain("which", which);
    const removed = this.#ask<string[]>((core, owner) => core.unregister(owner, chosen));
    if (which.names === undefined) this.#dropReaders(which.server ?? null);
    this.#owned.reviewer?.removed(this.#owner, chosen as typeof which);
    return removed;
  }

  /** Removes the functions that read the files of a server's skills. */
  #dropReaders(server: string | null): void {
    const { readers } = this.#owned;
    const prefix = readerKey(this.#key[1], { name: "", server }).slice(0, -'""]'.length);
    for (const key of readers.keys()) if (key.startsWith(prefix)) readers.delete(key);
  }

  /** Registers a list, or the part of it that a guard admits. `whole` is true if the list has all tools of its server. */
  #taken<T extends RegisterReport | SyncReport>(
    entries: readonly unknown[],
    list: WrittenList,
    settings: unknown,
    method: Take,
    whole = false,
  ): T {
    const readers = readersOf(entries, list.places);
    const take = (list: WrittenList) => this.#add<T>(list, settings, method, readers);
    const { reviewer } = this.#owned;
    if (reviewer === undefined) return take(list);
    const has = ({ server, name }: Tool) => this.#owned.use((core) => run(() => core.hasTool(this.#key[1], server, name)));
    const later = Registrar.#waiting(this.#key, settings);
    this.#owned.waitingReaders.set(later, readers);
    return reviewer.review({ owner: this.#owner, settings, whole, list, take, catalog: this.#owned, later, has });
  }

  get #isGuarded(): boolean {
    return this.#owned.reviewer !== undefined;
  }

  get #owner(): Owner {
    return { core: this.#owned.number, sessionNumber: this.#key[1] };
  }

  /**
   * Returns a function that registers a quarantined entry later. It does not keep the core, this object or skill readers in
   * memory.
   */
  static #waiting(key: Key, settings: unknown): SubmittedList<unknown>["later"] {
    return function later(catalog, text, place) {
      const owned = catalog as OwnedCore;
      const list = { texts: [text], places: [place], rejected: [] };
      return new Registrar(owned, key).#add<RegisterReport>(list, settings, register, owned.waitingReaders.get(later)!);
    };
  }

  /**
   * Runs a change that may add tools, and records a session that has its own tools from now on. The readers of skills' files
   * stay in JavaScript. A new reader replaces an earlier one only if the core has accepted its skill.
   */
  #add<T extends RegisterReport | SyncReport>(list: WrittenList, settings: unknown, take: Take, readers: Readers): T {
    const report = this.#ask<T>((core, owner) => take(core, owner, list.texts, settings));
    const [, sessionNumber] = this.#key;
    if (sessionNumber !== 0) this.#owned.note(sessionNumber);
    const rejected = allRejected(list, report.rejected);
    const refused = new Set(rejected.map(({ index }) => index));
    for (const [at, place] of list.places.entries()) {
      const read = readers.get(place);
      if (read === undefined || refused.has(place)) continue;
      const { name, server = null } = JSON.parse(list.texts[at]!) as { name: string; server?: string };
      const of = (Object(settings) as RegisterOptions).server ?? server;
      this.#owned.readers.set(readerKey(sessionNumber, { name, server: of }), read);
    }
    return { ...report, rejected };
  }

  #ask<T>(method: (core: Core, owner: number) => string): T {
    const [id, sessionNumber] = this.#key;
    return this.#owned.use((core) => {
      if (sessionNumber !== 0) core.checkOpen(id, sessionNumber);
      return ask<T>(() => method(core, sessionNumber));
    });
  }
}

/** Returns the key of a skill's reader: with the session's number for a skill of a session, with 0 for a shared one. */
export function readerKey(sessionNumber: number, { name, server }: { name: string; server: string | null }): string {
  return JSON.stringify([sessionNumber, server, name]);
}

/** The functions that read the files of a list's skills, by the place of the skill. */
type Readers = ReadonlyMap<number, SkillReader>;

function readersOf(entries: readonly unknown[], places: readonly number[]): Readers {
  const readers = new Map<number, SkillReader>();
  for (const place of places) {
    const entry = Object(entries[place]) as object;
    const read = (entry as Partial<SkillDefinition>).kind === "skill" ? readerOf(entry) : undefined;
    if (read !== undefined) readers.set(place, read);
  }
  return readers;
}

/** A method of the core that registers entries. */
type Take = (core: Core, owner: number, texts: readonly string[], settings: unknown) => string;

const register: Take = (core, owner, texts, settings) => core.register(owner, encoded(texts), settings);

/** The maximum length of an enrichment: the core's limit in bytes. */
const MOST_CHARS = 64 * 1024 * 1024;

/** Returns registration options in the core's form: the enrichment as text, everything else as plain data. */
function registration(options: unknown): unknown {
  if (typeof options !== "object" || options === null || isList(options)) return plain("options", options);
  const { enrichment, ...others } = ownFields("options", options);
  const settings = plain("options", others) as Record<string, unknown>;
  return enrichment === undefined ? settings : { ...settings, enrichment: sidecar(enrichment) };
}

function sidecar(enrichment: unknown): string | null {
  if (enrichment === null) return null;
  const what = "options.enrichment";
  if (typeof enrichment !== "string" && !isList(enrichment)) {
    const message = `${what} must be a list of entries or the text of an enrichment file, got ${kind(enrichment)}`;
    throw new ToolSiftError("option_invalid", message);
  }
  // JSON writes half a surrogate pair in an entry as an escape, which the core refuses with its place.
  const written = isList(enrichment) ? JSON.stringify(enrichment) : text(what, enrichment);
  if (written.length > MOST_CHARS) {
    throw new ToolSiftError("enrichment_invalid", `${what} takes ${written.length} characters; at most ${MOST_CHARS}`);
  }
  return written;
}
