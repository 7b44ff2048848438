/** Stores the definitions of servers for later processes, and checks if stored definitions are valid for a client. */

import { isObject } from "../wire/fields.js";
import { reasonOf } from "../base/values.js";
import { LISTS } from "../upstream/list.js";
import type { DefinitionCache, Definitions } from "./types.js";

/** Your program's cache. Its errors are reported and have no other effect. */
export class KeptDefinitions {
  readonly #known = new Map<string, Definitions>();

  constructor(
    private readonly cache: DefinitionCache | undefined,
    private readonly problem: (message: string) => void,
  ) {}

  /** Returns a server's stored definitions. Another configuration of the server counts as another server. */
  async read(server: string): Promise<Definitions | undefined> {
    this.#known.delete(server);
    try {
      const kept: unknown = await this.cache?.read(server);
      if (kept === undefined || kept === null) return undefined;
      const definitions = definitionsIn(kept);
      this.#known.set(server, definitions);
      return definitions;
    } catch (error) {
      this.problem(`what was kept of ${server} cannot be read: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Stores definitions, unless the stored ones contain them and were listed for clients with more capabilities. */
  async write(server: string, definitions: Definitions): Promise<void> {
    const known = this.#known.get(server);
    if (known !== undefined && covers(known, definitions)) return;
    this.#known.set(server, definitions);
    try {
      await this.cache?.write(server, definitions);
    } catch (error) {
      this.problem(`the definitions of ${server} cannot be kept: ${reasonOf(error)}`);
    }
  }
}

/** Reads stored definitions from their JSON. @throws Error the reason why it is invalid */
function definitionsIn(kept: unknown): Definitions {
  // Converts to JSON and back: files may contain anything, and getters of your program's objects must run only once.
  const read = Object(JSON.parse(JSON.stringify(kept) ?? "null")) as Partial<Record<keyof Definitions, unknown>>;
  const refuse = (key: string): never => {
    throw new Error(`${key} is not as it was written`);
  };
  for (const [key, id] of Object.values(LISTS)) {
    const list = read[key] ?? (key === "skills" ? [] : undefined);
    if (!Array.isArray(list) || !list.every((entry) => isText(Object(entry)[id]))) refuse(key);
  }
  if (!isObject(read.capabilities)) refuse("capabilities");
  const server = Object(read.server) as { name?: unknown; version?: unknown };
  if (read.server !== undefined && !(isText(server.name) && isText(server.version))) refuse("server");
  if (read.instructions !== undefined && !isText(read.instructions)) refuse("instructions");
  if (read.era !== undefined && read.era !== "legacy" && read.era !== "modern") refuse("era");
  const { offered } = read;
  if (offered !== undefined && !(Array.isArray(offered) && offered.every(isText))) refuse("offered");
  return read as Definitions;
}

const isText = (value: unknown): boolean => typeof value === "string";

/** Checks if a server may list more for these capabilities, because it was not offered some of them when it listed. */
export function isForFewer({ offered }: Definitions, capabilities: readonly string[]): boolean {
  return offered !== undefined && capabilities.some((key) => !offered.includes(key));
}

/** Checks if definitions contain all entries that the same server listed for clients with fewer capabilities. */
function covers(more: Definitions, fewer: Definitions): boolean {
  if (!isForFewer(fewer, more.offered ?? []) || isForFewer(more, fewer.offered ?? [])) return false;
  const head = ({ server, era, instructions, capabilities }: Definitions): string => {
    return JSON.stringify([server, era, instructions, capabilities]);
  };
  if (head(more) !== head(fewer)) return false;
  return Object.values(LISTS).every(([kind]) => {
    const texts = new Set<string>((more[kind] ?? []).map((entry) => JSON.stringify(entry)));
    return (fewer[kind] ?? []).every((entry) => texts.has(JSON.stringify(entry)));
  });
}
