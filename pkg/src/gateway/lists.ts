/** What a client is told that there is: capabilities, instructions, tools, prompts and resources. */

import type { ServerCapabilities, Tool } from "@modelcontextprotocol/server";
import type { Assembly } from "../types.js";
import type { View } from "./catalog.js";
import { neutralised } from "./hidden.js";
import { type Servers, seesWhole } from "./servers.js";
import { surface } from "./surface.js";
import type { Upstream } from "./upstream.js";

/** What all instructions together may take. */
const MOST_INSTRUCTIONS = 12_000;

/** The lists of a gateway. */
export class Lists {
  readonly #servers: Servers;
  readonly #assemblies = new WeakMap<View, { revision: number; assembly: Assembly }>();

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /** What the gateway can do: what any server can. Where a server is not known yet, it may be able to do everything. */
  capabilities(): ServerCapabilities {
    const known = this.#servers.upstreams.map(({ definitions }) => definitions);
    const has = (key: string) => known.some((definitions) => definitions === undefined || definitions.capabilities[key] !== undefined);
    return {
      tools: { listChanged: true },
      ...(has("prompts") && { prompts: { listChanged: true } }),
      ...(has("resources") && { resources: { listChanged: true, subscribe: true } }),
      ...(has("completions") && { completions: {} }),
      ...(has("logging") && { logging: {} }),
    };
  }

  /** The servers' own instructions, each marked as its server's. */
  instructions(view: View): string | undefined {
    let left = MOST_INSTRUCTIONS;
    const parts = this.#servers.seenBy(view).flatMap(({ name, definitions }) => {
      const text = neutralised(definitions?.instructions ?? "").trim().replace(/<(?=\/?server\b)/gi, "&lt;");
      if (!text || text.length > left) return [];
      left -= text.length;
      return [`<server name=${JSON.stringify(name)}>\n${text}\n</server>`];
    });
    if (parts.length === 0) return undefined;
    return `Instructions of the connected servers, each in its own words:\n\n${parts.join("\n\n")}`;
  }

  /** Whether tools are held back. Where none is known yet, or none is admitted, the surface says so to those who search. */
  isSearching(view: View): boolean {
    const { active, tools } = this.#assembly(view);
    const { settings, upstreams } = this.#servers;
    return active || (tools.length === 0 && upstreams.length > 0 && settings.catalog.activation !== "off");
  }

  /** Whether a client is sent the whole definition of a tool. */
  isListed(view: View, name: string): boolean {
    return this.#names(view).includes(name);
  }

  /** The tools that a client is sent: all of them where they are few, otherwise the surface and what is never held back. */
  tools(view: View): Tool[] {
    const { catalog, settings } = this.#servers;
    const listed = this.#names(view).flatMap((name) => catalog.entry(name) ?? []);
    const tools = listed.map(({ name, tool }) => ({ ...tool, name }) as Tool);
    return this.isSearching(view) ? [...surface(this.#serverNames(view), settings.calls), ...tools] : tools;
  }

  /** The same, and what it costs. */
  told(view: View): Tool[] {
    const tools = this.tools(view);
    const { countTokens = (text: string) => Math.ceil(text.length / 4) } = this.#servers.settings.catalog;
    const tokens = countTokens(JSON.stringify(tools));
    this.#servers.event({ type: "list", tools: tools.length, tokens, fullTokens: this.#assembly(view).size.full.tokens });
    return tools;
  }

  /** A text that differs where a client's list of tools does. */
  toolsKey(view: View): string {
    const names = this.#names(view);
    const isConstant = this.isSearching(view) && names.length === 0;
    return isConstant ? `surface ${this.#serverNames(view).join(" ")}` : `revision ${this.#servers.catalog.sift.revision} ${names.join(" ")}`;
  }

  /** Prompts, resources or templates as one client sees them. */
  entries(view: View, kind: "prompts" | "resources" | "templates"): object[] {
    const entries = [...this.#servers.directory[kind].values()] as { upstream: Upstream; shown: object }[];
    return entries.filter(({ upstream }) => seesWhole(view, upstream.name)).map(({ shown }) => shown);
  }

  #serverNames(view: View): string[] {
    return this.#servers.seenBy(view).map(({ name }) => name);
  }

  /** The names of the tools that a client is sent, without the discovery tools of the core's profile. */
  #names(view: View): string[] {
    const { tools, roles } = this.#assembly(view);
    return tools.flatMap((tool, at) => (roles[at] === "discovery" ? [] : (tool as { name: string }).name));
  }

  /** What a view is sent; made anew when the catalog has changed. A view that keeps reveals changes with them. */
  #assembly(view: View): Assembly {
    const { revision } = this.#servers.catalog.sift;
    const known = this.#assemblies.get(view);
    if (known?.revision === revision && !view.keeps) return known.assembly;
    const assembly = view.session.assemble({ format: "mcp" });
    this.#assemblies.set(view, { revision, assembly });
    return assembly;
  }
}
