/** Registers tools in the core: those that all sessions share, or those of one session's own. */

import { allRejected, ask, kind, list, plain, run, text, toolBytes } from "./boundary.js";
import { core } from "./core.js";
import { registration } from "./enrichment.js";
import { ToolSiftError } from "./errors.js";
import type { Core, Host } from "./host.js";
import { asList } from "./tool-list.js";
import type { RegisterOptions, RegisterReport, SingleTool, SyncReport, ToolList } from "./types.js";
import { isList } from "./values.js";

/** The tools of one owner: the shared ones, or those of a session, which is told by its id and its opening. */
export class Registrar {
  readonly #host: Host;
  readonly #owner: readonly [id: string, opening: number];

  constructor(host: Host, owner: readonly [id: string, opening: number] = ["", 0]) {
    this.#host = host;
    this.#owner = owner;
  }

  register(tools: ToolList | SingleTool, options?: RegisterOptions): RegisterReport {
    const many = asList(tools);
    const settings = registration(options);
    if (many === undefined) {
      const one = fitting(toolBytes(tools));
      return this.#add((core, owner) => core.registerOne(owner, one, settings));
    }
    const encoded = list(many);
    const written = fitting(encoded.bytes);
    const report = this.#add<RegisterReport>((core, owner) => core.register(owner, written, settings));
    return { ...report, rejected: allRejected(encoded, report.rejected) };
  }

  sync(server: string, tools: ToolList, options?: Omit<RegisterOptions, "server">): SyncReport {
    const name = text("server", server);
    const many = asList(tools);
    if (many === undefined) throw new ToolSiftError("not_json", `tools must be a list, got ${kind(tools)}`);
    const encoded = list(many);
    const written = fitting(encoded.bytes);
    const said = registration(options ?? {});
    const settings = isList(said) || typeof said !== "object" ? said : { ...said, server: name };
    const report = this.#add<SyncReport>((core, owner) => core.sync(owner, written, settings));
    return { ...report, rejected: allRejected(encoded, report.rejected) };
  }

  unregister(which: { server?: string; names?: readonly string[] }): string[] {
    const chosen = plain("which", which);
    return this.#ask((core, owner) => core.unregister(owner, chosen));
  }

  /** Asks for a change that may add tools, and notes a session that has tools of its own from then on. */
  #add<T>(method: (core: Core, owner: number) => string): T {
    const report = this.#ask<T>(method);
    const [, opening] = this.#owner;
    if (opening !== 0) this.#host.note(opening);
    return report;
  }

  #ask<T>(method: (core: Core, owner: number) => string): T {
    const [id, opening] = this.#owner;
    return this.#host.use((core) => {
      if (opening !== 0) core.checkOpen(id, opening);
      return ask<T>(() => method(core, opening));
    });
  }
}

/** Refuses bytes that the core has no room for before they are copied: a copy that fails would end the wasm. */
function fitting(written: Uint8Array): Uint8Array {
  run(() => core().Core.listFits(written.length));
  return written;
}
