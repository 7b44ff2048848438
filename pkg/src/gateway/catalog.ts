/** The tools of all servers in one catalog: which of them take part, what they do, and what each client may see. */

import { definitionsOf } from "../mcp/definition.js";
import type { ServerTools } from "../doorway/types.js";
import type { Session } from "../session.js";
import type { ToolSift } from "../sift.js";
import type { Scope, ToolList } from "../types.js";
import { neutral } from "../suspicious/inspect.js";
import type { Rules } from "./options.js";
import { RESERVED } from "./surface.js";
import type { Effect, ServerTool } from "./types.js";

/** One tool that can be found. */
export interface Entry {
  /** The name that clients see. */
  name: string;
  server: string;
  /** The definition, with the server's own name, and hidden characters shown. */
  tool: ServerTool;
  effect: Effect;
}

/** What a list of a server came to. */
export interface Synced {
  isChanged: boolean;
  rejected: { name: string; message: string }[];
  /** Tools whose enrichment was written from another definition. */
  stale: string[];
}

/** What the clients with one scope see. */
export interface View {
  key: string;
  scope: Scope | "all";
  session: Session;
  /** Whether what a search finds stays revealed: the view of one client alone, whose list may change. */
  keeps: boolean;
}

/** The name under which a server's tool is registered: the surface's own names are not a server's to take. */
const unreserved = (server: string, name: string): string => (RESERVED.has(name) ? `${server}__${name}` : name);

/** Views that are kept: each holds a session of the core. */
const MOST_VIEWS = 1_000;

/** The catalog. */
export class Catalog {
  readonly #sift: ToolSift;
  #rules: Rules;
  readonly #entries = new Map<string, Entry>();
  readonly #names = new Map<string, Set<string>>();
  readonly #views = new Map<string, View>();
  /** By server, what is held back: their names go to no other server. */
  readonly #held = new Map<string, ReadonlySet<string>>();

  constructor(sift: ToolSift, rules: Rules) {
    this.#sift = sift;
    this.#rules = rules;
  }

  /** Other rules count for what is synced from now on. */
  set rules(rules: Rules) {
    this.#rules = rules;
  }

  get sift(): ToolSift {
    return this.#sift;
  }

  /** Takes a server's tools in place of those that it had; of those that are held back, only the names are kept. */
  sync(server: string, tools: readonly ServerTool[], held: readonly string[], given: ServerTools): Synced {
    const { allow, deny } = this.#rules;
    const taken = tools.filter(({ name }) => {
      return (allow === undefined || allow.some((fits) => fits(server, name))) && !deny.some((fits) => fits(server, name));
    });
    const originals = new Map<string, ServerTool>();
    // What nobody sees must not speak to the model.
    const shown = taken.map(neutral).map((tool) => {
      const name = unreserved(server, tool.name);
      if (!originals.has(name)) originals.set(name, tool);
      return { ...tool, name };
    });
    const { trustServerHints = false, packs: _, ...options } = given;
    const definitions = definitionsOf(shown, { trustServerHints, budget: this.#sift.settings.budget, options });
    const before = this.#sift.revision;
    const { rejected, enrichment } = this.#sift.sync(server, definitions as ToolList, { names: "alias", ...options });
    this.#keep(server, new Set(held.map((name) => unreserved(server, name))));
    for (const name of this.#names.get(server) ?? []) this.#entries.delete(name);
    const names = new Set<string>();
    for (const { name, originalName, server: of } of this.#sift.tools()) {
      const tool = of === server ? originals.get(originalName) : undefined;
      if (tool === undefined) continue;
      names.add(name);
      this.#entries.set(name, { name, server, tool, effect: this.#effectOf(server, tool) });
    }
    this.#names.set(server, names);
    return {
      isChanged: this.#sift.revision !== before,
      rejected: rejected.map(({ name, message }) => ({ name, message })),
      stale: enrichment?.stale ?? [],
    };
  }

  /** Removes a server and its tools. */
  drop(server: string): void {
    for (const name of this.#names.get(server) ?? []) this.#entries.delete(name);
    this.#names.delete(server);
    this.#keep(server, new Set());
    this.#sift.unregister({ server });
  }

  #keep(server: string, held: ReadonlySet<string>): void {
    const before = [...(this.#held.get(server) ?? [])];
    this.#sift.keepNames(server, before.filter((name) => !held.has(name)), "alias", false);
    this.#sift.keepNames(server, held, "alias", true);
    if (held.size === 0) this.#held.delete(server);
    else this.#held.set(server, held);
  }

  /** How many tools of a server can be found. */
  count(server: string): number {
    return this.#names.get(server)?.size ?? 0;
  }

  /** The tools that can be found. */
  get entries(): Entry[] {
    return [...this.#entries.values()];
  }

  entry(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  /** The name that clients see of a server's tool. */
  nameOf(server: string, tool: string): string | undefined {
    return [...(this.#names.get(server) ?? [])].find((name) => this.#entries.get(name)?.tool.name === tool);
  }

  /** The view of a scope. Its session holds nothing of a conversation, so that clients with one scope share it. */
  view(scope: Scope | "all"): View {
    const key = JSON.stringify(scope);
    const known = this.#views.get(key);
    if (known !== undefined) {
      this.#views.delete(key);
      this.#views.set(key, known);
      return known;
    }
    const [oldest] = this.#views.keys();
    if (this.#views.size === MOST_VIEWS && oldest !== undefined) {
      this.#views.get(oldest)!.session.close();
      this.#views.delete(oldest);
    }
    const view = this.#open(scope, false);
    this.#views.set(key, view);
    return view;
  }

  /** A view for one client alone, which keeps what its searches reveal. Its session is closed with the client. */
  ownView(scope: Scope | "all"): View {
    return this.#open(scope, true);
  }

  #open(scope: Scope | "all", keeps: boolean): View {
    const session = this.#sift.session(crypto.randomUUID(), { scope });
    return { key: JSON.stringify(scope), scope, session, keeps };
  }

  /** The effect that a call tool of the surface stands for must be at least the tool's own. */
  #effectOf(server: string, tool: ServerTool): Effect {
    for (const [fits, effect] of this.#rules.effects) if (fits(server, tool.name)) return effect;
    const { readOnlyHint, destructiveHint } = Object(tool.annotations) as Record<string, unknown>;
    // Of two hints that contradict each other, the one that grants less counts.
    if (readOnlyHint === true && destructiveHint !== true) return "read";
    // The protocol has a client assume that a tool which does not say may destroy.
    return destructiveHint === false ? "write" : "destroy";
  }
}
