/** The lists that a client gets: capabilities, instructions, tools, prompts and resources. */

import type { ServerCapabilities, Tool } from "@modelcontextprotocol/server";
import type { Assembly } from "../types/index.js";
import { isOutputSchema } from "./acceptable.js";
import { type FindableTool, seesWhole, type View } from "./catalog.js";
import { instructionsOf } from "../upstream/definition.js";
import type { Servers } from "./servers.js";
import { READ_SKILL, surface } from "./surface.js";
import type { ServerTool } from "./types.js";
import type { Upstream } from "./upstream.js";
import { SKILLS, extensionIn, hasDirectories } from "../skills/extension.js";

/** The maximum length of all instructions together, in characters. */
const MOST_INSTRUCTIONS = 12_000;

/**
 * The number of tools that a conversation is assumed to use. Answers of searches contain their definitions, so deferring
 * them saves nothing: with `activation: "auto"`, their tokens are not counted as saved.
 */
const USED_TOOLS = 4;

/** After this time, in ms, a list's savings are reported without the servers whose lists are still missing. */
const LATEST_MS = 60_000;

interface Sent {
  revision: number;
  assembly: Assembly;
  holds: boolean;
  /** The tool that reads files of skills, if the view has a skill with files. */
  readSkill: Tool | undefined;
  names: string[];
}

/** The lists of a gateway. */
export class Lists {
  readonly #sent = new WeakMap<View, Sent>();

  constructor(private readonly servers: Servers) {}

  /** Returns the gateway's capabilities: those of any server. A server that is not known yet may have all capabilities. */
  capabilities(): ServerCapabilities {
    const known = this.servers.upstreams.map(({ definitions }) => definitions);
    const has = (key: string) =>
      known.some((definitions) => definitions === undefined || definitions.capabilities[key] !== undefined);
    const hasSkills = (is: (given: unknown) => boolean) =>
      known.some((definitions) => definitions === undefined || is(extensionIn(definitions.capabilities)));
    return {
      tools: { listChanged: true },
      ...(has("prompts") && { prompts: { listChanged: true } }),
      ...(has("resources") && { resources: { listChanged: true, subscribe: true } }),
      ...(has("completions") && { completions: {} }),
      ...(has("logging") && { logging: {} }),
      ...(hasSkills((given) => given !== undefined) && {
        extensions: { [SKILLS]: hasSkills(hasDirectories) ? { directoryRead: true } : {} },
      }),
    };
  }

  /** Returns the servers' own instructions, each under its server's name; empty if there are none. */
  instructions(view: View): string {
    const servers = this.servers.seenBy(view);
    const given = servers.map(({ name, definitions }) => ({ name, instructions: definitions?.instructions ?? "" }));
    return instructionsOf(given, MOST_INSTRUCTIONS);
  }

  /** Checks if tools are deferred. While no tool is known or admitted, the gateway's own tools are listed and say so. */
  isSearching(view: View): boolean {
    const { holds, names } = this.#of(view);
    const { settings, upstreams } = this.servers;
    return holds || (names.length === 0 && upstreams.length > 0 && settings.catalog.activation !== "off");
  }

  /** Checks if the gateway's own tools are certainly listed, whatever tools the unknown servers have. */
  isSettled(view: View): boolean {
    return this.servers.settings.catalog.activation === "on" || this.#of(view).holds;
  }

  isListed(view: View, name: string): boolean {
    return this.#of(view).names.includes(name);
  }

  /**
   * Returns the client's tools: all tools if they are few, otherwise the gateway's own and those that are never deferred.
   */
  tools(view: View): Tool[] {
    const { catalog } = this.servers;
    const listed = this.#of(view).names.flatMap((name) => catalog.entry(name) ?? []);
    const tools = listed.map((entry) => ({ ...this.#sendable(entry), name: entry.name }) as Tool);
    if (!this.isSearching(view)) return tools;
    return [...surface(catalog.sift, this.#of(view).readSkill, this.#serverNames(view)), ...tools];
  }

  /** Returns a definition that clients accept. The output schema is checked only here, because checks are slow. */
  #sendable(entry: FindableTool): ServerTool {
    if (isOutputSchema(entry.shown)) return entry.shown;
    const { outputSchema: _, ...shown } = entry.shown;
    entry.shown = shown;
    entry.left.push("outputSchema");
    const upstream = this.servers.named(entry.server);
    if (upstream !== undefined) this.servers.admission.tellRefused(upstream);
    return shown;
  }

  /** Reports the cost of a list that a client got, once all servers are known, unless the client is gone by then. */
  async tell(view: View, tools: readonly Tool[]): Promise<void> {
    if (!this.servers.settings.stateless) await this.servers.ready({ ms: LATEST_MS });
    try {
      this.#tell(view, tools);
    } catch {
      // The view was closed in between.
    }
  }

  #tell(view: View, tools: readonly Tool[]): void {
    const { countTokens = (text: string) => Math.ceil(text.length / 4) } = this.servers.settings.catalog;
    const tokens = countTokens(JSON.stringify(tools));
    const full = this.isSearching(view) ? this.#of(view).assembly.size.full.tokens : tokens;
    // The tools of servers that are not known yet cannot be counted.
    const isKnown = this.servers.upstreams.every(({ definitions }) => definitions !== undefined);
    const fullTokens = isKnown ? full : Math.max(tokens, full);
    this.servers.event({ type: "list", tools: tools.length, tokens, fullTokens });
  }

  /** Returns a text that changes if the client's list of tools changes. */
  toolsKey(view: View): string {
    const { names, readSkill } = this.#of(view);
    const isConstant = this.isSearching(view) && names.length === 0;
    return isConstant
      ? `surface ${readSkill?.name} ${this.#serverNames(view).join(" ")}`
      : `revision ${this.servers.catalog.sift.revision} ${names.join(" ")}`;
  }

  entries(view: View, kind: "prompts" | "resources" | "resourceTemplates" | "skills"): object[] {
    const entries = [...this.servers.directory[kind].values()] as { upstream: Upstream; shown: object }[];
    return entries.filter(({ upstream }) => seesWhole(view, upstream.name)).map(({ shown }) => shown);
  }

  #serverNames(view: View): string[] {
    return this.servers.seenBy(view).map(({ name }) => name);
  }

  #of(view: View): Sent {
    const { revision } = this.servers.catalog.sift;
    const known = this.#sent.get(view);
    if (known?.revision === revision) return known;
    const assembly = view.session.assemble({ format: "mcp" });
    const { tools, roles, active } = assembly;
    const holds = active && !this.#isCheaperWhole(view, assembly);
    const names = holds
      ? tools.flatMap((tool, at) => (roles[at] === "discovery" ? [] : (tool as { name: string }).name))
      : view.session.tools().flatMap(({ name, state, skill }) => (state === "hidden" || skill === true ? [] : name));
    const readSkill = (tools as Tool[]).find(({ name }, at) => roles[at] === "discovery" && name === READ_SKILL);
    const sent = { revision, assembly, holds, readSkill, names };
    this.#sent.set(view, sent);
    return sent;
  }

  /** Checks if search would cost more than it saves although the core defers tools: if most tools are used anyway. */
  #isCheaperWhole({ session }: View, { deferrable: { tools, tokens, thresholdTokens } }: Assembly): boolean {
    const unused = tokens * Math.max(0, 1 - USED_TOOLS / tools);
    if (this.servers.catalog.sift.settings.activation !== "auto" || unused >= thresholdTokens) return false;
    return session.tools().every(({ deferral }) => deferral !== "always");
  }
}
