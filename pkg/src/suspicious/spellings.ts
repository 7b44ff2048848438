/** Names of one server's tools by how they are read: which new name clients and models could take for a known one. */

import { skeleton } from "./look-alike.js";

/** A name by its letters and digits: models write the same name with and without capitals, dots, dashes and underscores. */
export const spelling = (name: string): string => skeleton(name).replace(/[^\p{L}\p{N}]+/gu, "") || name;

/** The known names of one server's tools. */
export class Spellings {
  readonly #server: string;
  readonly #names = new Map<string, string>();

  constructor(server: string, names: Iterable<string> = []) {
    this.#server = server;
    for (const name of names) this.add(name);
  }

  add(name: string): void {
    for (const one of this.#seenAs(name)) if (!this.#names.has(one)) this.#names.set(one, name);
  }

  /** The known name that a new one could be taken for. */
  like(name: string): string | undefined {
    for (const one of this.#seenAs(name)) {
      const known = this.#names.get(one);
      if (known !== undefined && known !== name) return known;
    }
    return undefined;
  }

  /** A tool is seen by its own name, or with its server's in front where another server has that name. */
  #seenAs(name: string): string[] {
    return [spelling(name), spelling(`${this.#server}__${name}`)];
  }
}

/** Why a tool is held whose name could be taken for a pinned one. */
export const likePinned = (name: string): string => `clients cannot tell it from ${JSON.stringify(name)}, which is pinned`;
