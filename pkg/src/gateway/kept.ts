/** What is kept of servers from one process to the next, and whether it still serves a client. */

import { reasonOf } from "../values.js";
import type { DefinitionCache, Definitions } from "./types.js";

/** The host's cache. What it throws is told, and costs nothing else. */
export class Kept {
  readonly #cache: DefinitionCache | undefined;
  readonly #problem: (message: string) => void;
  readonly #known = new Map<string, Definitions>();

  constructor(cache: DefinitionCache | undefined, problem: (message: string) => void) {
    this.#cache = cache;
    this.#problem = problem;
  }

  /** What was kept of a server. One that is configured differently now is another server, also under the same name. */
  async read(server: string): Promise<Definitions | undefined> {
    this.#known.delete(server);
    try {
      const definitions = await this.#cache?.read(server);
      if (definitions !== undefined) this.#known.set(server, definitions);
      return definitions;
    } catch (error) {
      this.#problem(`what was kept of ${server} cannot be read: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Keeps definitions, unless what is kept was listed for clients that can do more, and still holds. */
  async write(server: string, definitions: Definitions): Promise<void> {
    const known = this.#known.get(server);
    if (known !== undefined && covers(known, definitions)) return;
    this.#known.set(server, definitions);
    try {
      await this.#cache?.write(server, definitions);
    } catch (error) {
      this.#problem(`the definitions of ${server} cannot be kept: ${reasonOf(error)}`);
    }
  }
}

/** Whether a server may list more for these capabilities than it did: some of them were not offered to it. */
export function isForFewer({ offered }: Definitions, capabilities: readonly string[]): boolean {
  return offered !== undefined && capabilities.some((key) => !offered.includes(key));
}

/** Whether definitions hold all of others that the same server listed for clients that can do less. */
function covers(more: Definitions, fewer: Definitions): boolean {
  if (!isForFewer(fewer, more.offered ?? []) || isForFewer(more, fewer.offered ?? [])) return false;
  const head = ({ server, era, instructions, capabilities }: Definitions): string => {
    return JSON.stringify([server, era, instructions, capabilities]);
  };
  if (head(more) !== head(fewer)) return false;
  return (["tools", "prompts", "resources", "resourceTemplates"] as const).every((kind) => {
    const held = new Set<string>(more[kind].map((entry) => JSON.stringify(entry)));
    return fewer[kind].every((entry) => held.has(JSON.stringify(entry)));
  });
}
