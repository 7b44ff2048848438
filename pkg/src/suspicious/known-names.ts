/** The names of tools by how they are read, so that a name that can be taken for one of another server is noticed. */

import { readable } from "./hidden.js";
import { looksLike } from "./look-alike.js";
import { spelling } from "./spellings.js";

interface Tool {
  server: string;
  name: string;
}

/** Spellings that are known: as many as there may be pins. */
const MOST_SPELLINGS = 200_000;

/** Tools by the spellings of their names, alone and behind their server's: the first one, and the first one of another server. */
export class KnownNames {
  readonly #alike = new Map<string, Tool[]>();

  constructor(tools: readonly Tool[] = []) {
    for (const tool of tools) this.add(tool);
  }

  /** How a tool looks like one of another server that was known before it; undefined where its name is that one's. */
  likeAnother(tool: Tool): string | undefined {
    const { server, name } = tool;
    for (const known of seenAs(tool).flatMap((key) => this.#alike.get(key) ?? [])) {
      if (known.name === name) return undefined;
      if (known.server !== server) return `${looksLike(name, known.name)} of the server "${readable(known.server)}"`;
    }
    return undefined;
  }

  /** Names beyond the bound are compared, and not kept. */
  add(tool: Tool): void {
    const { server, name } = tool;
    for (const key of seenAs(tool)) {
      const alike = this.#alike.get(key);
      if (alike === undefined && this.#alike.size < MOST_SPELLINGS) this.#alike.set(key, [{ server, name }]);
      if (alike?.length === 1 && alike[0]!.server !== server) alike.push({ server, name });
    }
  }

  forget(server: string): void {
    for (const [key, alike] of this.#alike) {
      const left = alike.filter((tool) => tool.server !== server);
      if (left.length === 0) this.#alike.delete(key);
      else if (left.length < alike.length) this.#alike.set(key, left);
    }
  }
}

const seenAs = ({ server, name }: Tool): string[] => [spelling(name), spelling(`${server}__${name}`)];
