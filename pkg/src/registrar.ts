/** Registers tools in the core: those that all sessions share, or those of one session's own. */

import { type Annotated, type Annotations, annotationsIn } from "./annotations.js";
import { allRejected, ask, kind, list, plain, run, text, toolBytes } from "./boundary.js";
import { core } from "./core.js";
import { ToolSiftError } from "./errors.js";
import type { Core, Host } from "./host.js";
import { asList } from "./tool-list.js";
import type { RegisterOptions, RegisterReport, SingleTool, SyncReport, ToolList } from "./types.js";

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
    const settings = plain("options", options);
    if (many === undefined) {
      const said = annotationsIn([tools]);
      const one = fitting(toolBytes(tools));
      const report = this.#ask<RegisterReport>((core, owner) => core.registerOne(owner, one, settings));
      this.#annotate(said, settings, report.rejected);
      return report;
    }
    const encoded = list(many);
    const said = annotationsIn(many);
    const written = fitting(encoded.bytes);
    const report = this.#ask<RegisterReport>((core, owner) => core.register(owner, written, settings));
    const rejected = allRejected(encoded, report.rejected);
    this.#annotate(said, settings, rejected);
    return { ...report, rejected };
  }

  sync(server: string, tools: ToolList, options?: Omit<RegisterOptions, "server">): SyncReport {
    const name = text("server", server);
    const many = asList(tools);
    if (many === undefined) throw new ToolSiftError("not_json", `tools must be a list, got ${kind(tools)}`);
    const encoded = list(many);
    const said = annotationsIn(many);
    const written = fitting(encoded.bytes);
    const settings = plain("options", options);
    const report = this.#ask<SyncReport>((core, owner) => core.sync(owner, name, written, settings));
    const rejected = allRejected(encoded, report.rejected);
    this.#annotations.drop(name, rejected);
    this.#annotations.take(said, name, rejected);
    return { ...report, rejected };
  }

  unregister(which: { server?: string; names?: readonly string[] }): string[] {
    const chosen = plain("which", which) as typeof which;
    const gone = this.#ask<string[]>((core, owner) => core.unregister(owner, chosen));
    if (chosen.server !== undefined && chosen.names === undefined) this.#annotations.drop(chosen.server);
    return gone;
  }

  /** What the servers say of the effects of these tools. */
  get #annotations(): Annotations {
    const [, opening] = this.#owner;
    return opening === 0 ? this.#host.annotations : this.#host.own(opening);
  }

  /** Keeps what the definitions that were taken say of their effects. */
  #annotate(tools: readonly Annotated[], settings: unknown, rejected: RegisterReport["rejected"]): void {
    this.#annotations.take(tools, (settings as RegisterOptions | undefined)?.server, rejected);
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
