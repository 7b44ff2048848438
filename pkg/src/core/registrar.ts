/** Registers tools in the core: those that all sessions share, or those of one session's own. */

import { ask, run } from "./boundary.js";
import { plain, ownFields } from "../base/plain-data.js";
import { text } from "../base/texts.js";
import { isList, kind } from "../base/values.js";
import { allRejected, encoded, list, toolJson, type WrittenList } from "./written-list.js";
import { ToolSiftError } from "../base/errors.js";
import type { Core } from "./bindings.js";
import type { OwnedCore } from "./owned-core.js";
import type { SubmittedList, Owner, Tool } from "./reviewer.js";
import { asList } from "./tool-list.js";
import type { RegisterOptions, RegisterReport, SingleTool, SkillDefinition, SyncReport, ToolList } from "../types/index.js";

/** A session's id and number; `["", 0]` for the shared tools. */
type Key = readonly [id: string, sessionNumber: number];

/** The tools of one owner: the shared ones, or those of a session. */
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
    this.#keepReaders(many ?? [tools], options?.server);
    if (many !== undefined) return this.#taken(list(many, this.#isGuarded), settings, register);
    const only = { texts: [toolJson(tools, this.#isGuarded)], places: [0], rejected: [] };
    return this.#taken(only, settings, (core, owner, texts, settings) => {
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
    this.#dropReaders(name);
    this.#keepReaders(many, name);
    const sync: Take = (core, owner, texts, settings) => core.sync(owner, encoded(texts), settings);
    return this.#taken(list(many, this.#isGuarded), settings, sync, true);
  }

  unregister(which: { server?: string; names?: readonly string[] }): string[] {
    const chosen = plain("which", which);
    const removed = this.#ask<string[]>((core, owner) => core.unregister(owner, chosen));
    if (which.names === undefined) this.#dropReaders(which.server ?? null);
    this.#owned.reviewer?.removed(this.#owner, chosen as typeof which);
    return removed;
  }

  /** Keeps what reads the files of skills, which the core never sees. */
  #keepReaders(tools: readonly unknown[], server?: unknown): void {
    for (const tool of tools) {
      const { kind, read, name, server: own } = Object(tool) as Partial<SkillDefinition>;
      if (kind === "skill" && typeof read === "function") {
        this.#owned.readers.set(
          readerKey(this.#key[1], { name: name as string, server: (server ?? own ?? null) as string }),
          read,
        );
      }
    }
  }

  /** Forgets what reads the files of a server's skills. */
  #dropReaders(server: string | null): void {
    const { readers } = this.#owned;
    const prefix = readerKey(this.#key[1], { name: "", server }).slice(0, -'""]'.length);
    for (const key of readers.keys()) if (key.startsWith(prefix)) readers.delete(key);
  }

  /** Takes a list, or what a guard leaves of it. `whole` says that it is all that its server has. */
  #taken<T extends RegisterReport | SyncReport>(list: WrittenList, settings: unknown, method: Take, whole = false): T {
    const take = (list: WrittenList) => {
      const report = this.#add<T>(list.texts, settings, method);
      return { ...report, rejected: allRejected(list, report.rejected) };
    };
    const { reviewer } = this.#owned;
    if (reviewer === undefined) return take(list);
    const has = ({ server, name }: Tool) => this.#owned.use((core) => run(() => core.hasTool(this.#key[1], server, name)));
    const later = Registrar.#waiting(this.#key, settings);
    return reviewer.review({ owner: this.#owner, settings, whole, list, take, catalog: this.#owned, later, has });
  }

  get #isGuarded(): boolean {
    return this.#owned.reviewer !== undefined;
  }

  get #owner(): Owner {
    return { core: this.#owned.number, sessionNumber: this.#key[1] };
  }

  /** Registers tools that waited, as these would have been. It keeps neither the core nor this object. */
  static #waiting(key: Key, settings: unknown): SubmittedList<unknown>["later"] {
    return (owned, texts) => new Registrar(owned as OwnedCore, key).#add<RegisterReport>(texts, settings, register);
  }

  /** Asks for a change that may add tools, and notes a session that has tools of its own from then on. */
  #add<T>(texts: readonly string[], settings: unknown, take: Take): T {
    const report = this.#ask<T>((core, owner) => take(core, owner, texts, settings));
    const [, sessionNumber] = this.#key;
    if (sessionNumber !== 0) this.#owned.note(sessionNumber);
    return report;
  }

  #ask<T>(method: (core: Core, owner: number) => string): T {
    const [id, sessionNumber] = this.#key;
    return this.#owned.use((core) => {
      if (sessionNumber !== 0) core.checkOpen(id, sessionNumber);
      return ask<T>(() => method(core, sessionNumber));
    });
  }
}

/** The key of what reads the files of a skill of a session, by the session's number, or of a shared one, by 0. */
export function readerKey(sessionNumber: number, { name, server }: { name: string; server: string | null }): string {
  return JSON.stringify([sessionNumber, server, name]);
}

/** A method of the core that takes entries. */
type Take = (core: Core, owner: number, texts: readonly string[], settings: unknown) => string;

const register: Take = (core, owner, texts, settings) => core.register(owner, encoded(texts), settings);

/** The core's own limit, in bytes. */
const MOST_CHARS = 64 * 1024 * 1024;

/** The options of a registration as the core takes them: the enrichment as text, everything else as plain data. */
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
  // Through JSON, half a surrogate pair in an entry arrives as an escape, which the core refuses with its place.
  const written = isList(enrichment) ? JSON.stringify(enrichment) : text(what, enrichment);
  if (written.length > MOST_CHARS) {
    throw new ToolSiftError("enrichment_invalid", `${what} takes ${written.length} characters; at most ${MOST_CHARS}`);
  }
  return written;
}
