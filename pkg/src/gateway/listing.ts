/** Lists everything that a server has: all pages, up to bounds for servers whose lists have no end. */

import type { Client } from "@modelcontextprotocol/client";
import { within } from "../adapters/mcp/wait.js";
import type { Definitions, ServerTool } from "./types.js";

const MOST_PAGES = 1_000;
const MOST_TOOLS = 5_000;
const MOST_OTHERS = 10_000;
/** The most characters of one server's lists together: the servers share the memory of one process. */
const MOST_CHARS = 32_000_000;
/** The most characters of a server's instructions. */
const MOST_INSTRUCTIONS = 8_000;

/** A schema that accepts any answer: the SDK would refuse a whole page for one broken entry. */
export const ANYTHING = {
  "~standard": { version: 1 as const, vendor: "toolsift", validate: (value: unknown) => ({ value }) },
};

/** The definitions of a server, and what of its lists was left out. */
export interface Listed {
  definitions: Definitions;
  incomplete: string[];
}

/**
 * Asks a connected server for its tools, prompts, resources and templates.
 *
 * @throws what the client throws while it lists the tools; other lists that fail are left out and named in `incomplete`
 */
export async function listEverything(client: Client, ms: number): Promise<Listed> {
  const capabilities: Record<string, unknown> = { ...client.getServerCapabilities() };
  const budget = { end: Date.now() + ms, chars: MOST_CHARS };
  const incomplete: string[] = [];
  const list = async <T>(kind: string, method: string, key: string, id: string, most: number): Promise<T[]> => {
    if (capabilities[kind] === undefined) return [];
    const walk = new Walk(client, method, key, budget);
    const entries = await walk.all(most);
    if (walk.cut !== undefined) incomplete.push(`${method}: ${walk.cut}`);
    return entries.filter((entry) => typeof (entry as Record<string, unknown>)[id] === "string") as T[];
  };
  const optional = async <T>(...args: [kind: string, method: string, key: string, id: string]): Promise<T[]> => {
    try {
      return await list<T>(...args, MOST_OTHERS);
    } catch (error) {
      incomplete.push(`${args[1]}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  };
  const tools = await list<ServerTool>("tools", "tools/list", "tools", "name", MOST_TOOLS);
  const prompts = await optional<{ name: string }>("prompts", "prompts/list", "prompts", "name");
  const resources = await optional<{ uri: string }>("resources", "resources/list", "resources", "uri");
  const resourceTemplates = await optional<{ uriTemplate: string }>(
    "resources",
    "resources/templates/list",
    "resourceTemplates",
    "uriTemplate",
  );
  const instructions = client.getInstructions()?.slice(0, MOST_INSTRUCTIONS);
  const version = client.getServerVersion();
  const era = client.getProtocolEra();
  return {
    definitions: {
      ...(version && { server: { name: version.name, version: version.version } }),
      ...(era && { era }),
      ...(instructions && { instructions }),
      capabilities,
      tools,
      prompts,
      resources,
      resourceTemplates,
    },
    incomplete,
  };
}

/** One walk through the pages of one list. */
class Walk {
  /** Why the walk ended before the list did. */
  cut: string | undefined;

  constructor(
    readonly client: Client,
    readonly method: string,
    readonly key: string,
    readonly budget: { end: number; chars: number },
  ) {}

  async all(most: number): Promise<object[]> {
    const entries: object[] = [];
    const seen = new Set<string>();
    for (let cursor: string | undefined; ;) {
      const page = await this.#page(cursor);
      for (const entry of page.entries) {
        if (typeof entry !== "object" || entry === null) continue;
        this.budget.chars -= JSON.stringify(entry).length;
        if (entries.length === most) return this.#end(entries, `more than ${most} entries`);
        if (this.budget.chars < 0) return this.#end(entries, `more than ${MOST_CHARS} characters`);
        entries.push(entry);
      }
      cursor = page.next;
      // Some servers send an empty cursor or null at the end.
      if (typeof cursor !== "string" || cursor === "") return entries;
      if (seen.has(cursor)) return this.#end(entries, "its pages go round in a circle");
      if (seen.size === MOST_PAGES) return this.#end(entries, `more than ${MOST_PAGES} pages`);
      seen.add(cursor);
      this.budget.chars -= cursor.length;
    }
  }

  #end(entries: object[], why: string): object[] {
    this.cut = why;
    return entries;
  }

  async #page(cursor: string | undefined): Promise<{ entries: unknown[]; next: string | undefined }> {
    const ms = Math.max(1, this.budget.end - Date.now());
    const request = { method: this.method, params: cursor === undefined ? {} : { cursor } };
    const wait = { what: `answering ${this.method}`, ms };
    const answer = await within(wait, (signal) => this.client.request(request, ANYTHING, { timeout: ms, signal }));
    const page = Object(answer) as Record<string, unknown>;
    const entries = page[this.key];
    if (!Array.isArray(entries))
      throw new Error(`it answered ${this.method} with something that holds no list of ${this.key}`);
    return { entries, next: page["nextCursor"] as string | undefined };
  }
}
