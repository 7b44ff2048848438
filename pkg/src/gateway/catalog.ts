/** The tools of all servers in one catalog: which tools are included, what they may do, and what each client may see. */

import { definitionsOf, withinBudget, withoutServer } from "../upstream/definition.js";
import { isTaken, registering, type ServerTools } from "../servers/config.js";
import { Recent } from "../base/recent.js";
import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import type { Repaired, Scope, SkillDefinition, ToolInfo, ToolList, ToolSiftOptions } from "../types/index.js";
import { neutral, neutralIn } from "../trust/inspect.js";
import { spelling } from "../trust/names.js";
import { accepted, leftOut } from "./acceptable.js";
import type { Rules } from "./options.js";
import { isOwn } from "./surface.js";
import type { Effect, ServerTool } from "./types.js";

/** One tool that can be found. */
export interface FindableTool {
  /** The tool's name for clients. */
  name: string;
  server: string;
  /** The definition with the server's own tool name. Hidden characters are made visible. */
  tool: ServerTool;
  /** The definition that is sent to clients: with the core's parameters, and only with fields that clients accept. */
  shown: ServerTool;
  /** The fields that were removed because clients refuse them. */
  left: string[];
}

/** The result of registering a server's list. */
export interface Synced {
  isChanged: boolean;
  rejected: { name: string; message: string }[];
  /** The tools whose parameters were repaired. */
  repaired: Repaired[];
  /** The tools whose search words were written for another definition. */
  stale: string[];
}

/** The view of all clients that have the same scope. */
export interface View {
  key: string;
  scope: Scope | "all";
  session: Session;
}

/** Converts a name roughly as the core does for models: names that are equal there are equal here. */
const written = (name: string): string => name.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^_+|_+$/g, "");

/** Returns the beginnings of a name that may be a server's name: `a` and `a__b` for `a__b__c`. */
function prefixes(name: string): string[] {
  const parts = name.replace(/^mcp__/i, "").split("__");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("__"));
}

/** The maximum number of stored views: each has a session of the core. */
const MOST_VIEWS = 1_000;

export class Catalog {
  readonly #entries = new Map<string, FindableTool>();
  readonly #names = new Map<string, Set<string>>();
  /** The last list of each server. */
  readonly #lists = new Map<string, Parameters<Catalog["sync"]>>();
  readonly #views = new Recent<string, View>(MOST_VIEWS, ({ session }) => session.close());

  /**
   * @param rules are applied by later calls of `sync`
   * @param isServer checks if there is a server of a name, in any spelling
   */
  constructor(
    readonly sift: ToolSift,
    public rules: Rules,
    private readonly isServer: (name: string) => boolean,
  ) {}

  /** Assigns the tools' names again, as if the servers had been listed in this order. */
  reorder(servers: readonly string[]): void {
    const known = servers.filter((server) => this.#lists.has(server));
    if (known.join("\n") === [...this.#lists.keys()].join("\n")) return;
    const lists = known.map((server) => this.#lists.get(server)!);
    for (const server of known) this.drop(server);
    for (const list of lists) this.sync(...list);
  }

  /** Checks if a tool or a skill of a server is included, by the rules and by the server's settings. */
  takes(server: string, name: string, given: ServerTools): boolean {
    const { allow, deny } = this.rules;
    if (!isTaken(given, name)) return false;
    return (allow === undefined || allow.some((fits) => fits(server, name))) && !deny.some((fits) => fits(server, name));
  }

  /** Replaces a server's tools and skills. */
  sync(server: string, tools: readonly ServerTool[], skills: readonly SkillDefinition[], given: ServerTools): Synced {
    this.#lists.set(server, [server, tools, skills, given]);
    const included = tools.filter(({ name }) => this.takes(server, name, given));
    const taken = included.filter((tool) => !needsTask(tool));
    const originals = new Map<string, ServerTool>();
    // Text that people cannot see must not reach the model, so hidden characters are made visible.
    const shown = taken.map(neutral).map((tool) => {
      const name = this.#ownName(server, tool.name);
      if (!originals.has(name)) originals.set(name, tool);
      return { ...tool, name };
    });
    const declared = shown.map((tool) => this.#withEffect(server, originals.get(tool.name)!, tool));
    const definitions = withinBudget(definitionsOf(declared, given), this.sift, server);
    const before = this.sift.revision;
    const shownSkills = skills.map((skill) => ({ ...skill, ...neutralIn({ description: skill.description }) }));
    const all = [...definitions, ...shownSkills] as ToolList;
    const { rejected, repaired, enrichment } = this.sift.sync(server, all, registering(given));
    for (const name of this.#names.get(server) ?? []) this.#entries.delete(name);
    const names = new Set<string>();
    const own = this.sift.tools().filter(({ server: of, originalName, skill }) => {
      return of === server && skill !== true && originals.has(originalName);
    });
    const changed = new Set(repaired.map(({ name }) => name));
    const schemas = this.#catalogSchemas(
      definitions,
      own.filter(({ name, originalName }) => changed.has(name) || !isOfObject(originals.get(originalName)!)),
    );
    for (const { name, originalName } of own) {
      const tool = originals.get(originalName)!;
      const mended = { ...tool, inputSchema: schemas.get(originalName) ?? tool.inputSchema };
      const { entry: shown = bare(mended), left } = accepted("Tool", mended);
      names.add(name);
      this.#entries.set(name, { name, server, tool, shown, left });
    }
    this.#names.set(server, names);
    return {
      isChanged: this.sift.revision !== before,
      rejected: [
        ...included.filter(needsTask).map(({ name }) => ({ name, message: NO_TASKS })),
        ...rejected.map(({ name, message }) => ({ name, message })),
      ],
      repaired,
      stale: enrichment?.stale ?? [],
    };
  }

  /** Returns the parameters of tools as the core stores them, by the tools' registered names. */
  #catalogSchemas(definitions: readonly object[], tools: readonly ToolInfo[]): ReadonlyMap<string, unknown> {
    if (tools.length === 0) return new Map();
    const names = new Set(tools.map(({ originalName }) => originalName));
    const Sift = this.sift.constructor as new (options: ToolSiftOptions) => ToolSift;
    const copy = new Sift({ activation: "off" });
    try {
      const wanted = definitions.filter((one) => names.has((one as ServerTool).name));
      copy.register(wanted as ToolList, { names: "any" });
      const sent = copy.session("copy").assemble({ format: "mcp" }).tools as ServerTool[];
      return new Map(sent.map(({ name, inputSchema }) => [name, inputSchema]));
    } finally {
      copy.dispose();
    }
  }

  drop(server: string): void {
    for (const name of this.#names.get(server) ?? []) this.#entries.delete(name);
    this.#names.delete(server);
    this.#lists.delete(server);
    withoutServer(this.sift, server);
    this.sift.unregister({ server });
  }

  /** Returns a tool's registered name: after its server's name if it looks like a tool of the gateway or another server. */
  #ownName(server: string, name: string): string {
    const shown = written(name);
    const isAnothers = (prefix: string) => spelling(prefix) !== spelling(server) && this.isServer(prefix);
    return isOwn(shown) || prefixes(shown).some(isAnothers) ? `${server}__${name}` : name;
  }

  /** Returns a server's tools from which fields were removed because clients refuse them. */
  leftOf(server: string): Pick<Repaired, "name" | "repair">[] {
    const entries = [...(this.#names.get(server) ?? [])].flatMap((name) => this.#entries.get(name) ?? []);
    return entries.flatMap(({ name, left }) => (left.length === 0 ? [] : { name, repair: leftOut(left) }));
  }

  count(server: string): number {
    return this.#names.get(server)?.size ?? 0;
  }

  get entries(): FindableTool[] {
    return [...this.#entries.values()];
  }

  entry(name: string): FindableTool | undefined {
    return this.#entries.get(name);
  }

  /** Returns the view of a scope. Its session has no data of a conversation, so clients with the same scope share it. */
  view(scope: Scope | "all"): View {
    const key = JSON.stringify(scope);
    const view = this.#views.get(key) ?? { key, scope, session: this.open(scope) };
    this.#views.set(key, view);
    return view;
  }

  open(scope: Scope | "all"): Session {
    return this.sift.session(crypto.randomUUID(), { scope });
  }

  /** Sets the tool's effect in its definition, if a rule for it exists. */
  #withEffect(server: string, { name }: ServerTool, tool: ServerTool): ServerTool {
    const [, effect] = this.rules.effects.find(([fits]) => fits(server, name)) ?? [];
    return effect === undefined ? tool : { ...tool, annotations: { ...Object(tool.annotations), ...HINTS[effect] } };
  }
}

/** The MCP hints for each effect. */
const HINTS: Readonly<Record<Effect, { readOnlyHint: boolean; destructiveHint: boolean }>> = {
  read: { readOnlyHint: true, destructiveHint: false },
  write: { readOnlyHint: false, destructiveHint: false },
  destroy: { readOnlyHint: false, destructiveHint: true },
};

/** Checks if a tool can only be called as a task of the older protocol. */
const needsTask = ({ execution }: ServerTool): boolean =>
  (Object(execution) as { taskSupport?: unknown }).taskSupport === "required";
const NO_TASKS = "it runs only as a task (taskSupport: required), and the gateway passes on no tasks";

/** Checks if the parameters of a tool have the type `object`. */
const isOfObject = ({ inputSchema }: ServerTool): boolean => (Object(inputSchema) as { type?: unknown }).type === "object";

/** Returns only the required fields of a definition, if clients refuse its other fields. */
const bare = ({ name, inputSchema }: ServerTool): ServerTool => ({ name, inputSchema });

/** Checks if a client may see a server: at least one of its tools. */
export function sees({ scope }: View, server: string): boolean {
  if (seesWhole({ scope }, server)) return true;
  return scope !== "all" && (scope.tools ?? []).some((tool) => tool.startsWith(`${server}:`));
}

/** Checks if a client may see a whole server. Its prompts, resources and logs need this, because they belong to no tool. */
export function seesWhole({ scope }: Pick<View, "scope">, server: string): boolean {
  if (scope === "all") return true;
  return (scope.servers ?? []).includes(server) || (scope.tools ?? []).includes(`${server}:*`);
}
