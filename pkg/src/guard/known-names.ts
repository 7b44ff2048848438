/** The names of shared tools by what they look like, so that a name that can be taken for one of another server is noticed. */

import { readable } from "../suspicious/hidden.js";
import { looksLike, skeleton } from "../suspicious/look-alike.js";
import type { ToolPin } from "../types.js";
import { MAX_PINS } from "./options.js";

type Tool = Pick<ToolPin, "server" | "name">;

/** Tools with names that look alike: the first one, and the first one of another server. */
export class KnownNames {
  readonly #alike = new Map<string, Tool[]>();

  constructor(tools: readonly Tool[]) {
    for (const tool of tools) this.add(tool);
  }

  /** How a tool looks like one of another server that was known before it; undefined where its name is that one's. */
  likeAnother({ server, name }: Tool): string | undefined {
    for (const known of this.#alike.get(skeleton(name)) ?? []) {
      if (known.name === name) return undefined;
      if (known.server !== server) return `${looksLike(name, known.name)} of the server "${readable(known.server)}"`;
    }
    return undefined;
  }

  /** Names beyond the bound are compared, and not kept. */
  add({ server, name }: Tool): void {
    const key = skeleton(name);
    const alike = this.#alike.get(key);
    if (alike === undefined && this.#alike.size < MAX_PINS) this.#alike.set(key, [{ server, name }]);
    if (alike?.length === 1 && alike[0]!.server !== server) alike.push({ server, name });
  }

  forget(server: string): void {
    for (const [key, alike] of this.#alike) {
      const left = alike.filter((tool) => tool.server !== server);
      if (left.length === 0) this.#alike.delete(key);
      else if (left.length < alike.length) this.#alike.set(key, left);
    }
  }
}
