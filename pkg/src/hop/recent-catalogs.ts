/**
 * Catalogs that are made for lists of tools: the most recently used are kept. One that goes is disposed of after its last
 * use.
 */

import type { ToolSift } from "../index.js";
import { Recent } from "../base/recent.js";

interface Made {
  readonly text: string;
  readonly sift: ToolSift;
}

/** Keeps catalogs. */
export class RecentCatalogs<C extends Made> {
  readonly #kept: Recent<C, C>;
  readonly #uses = new Map<C, number>();

  /**
   * @param most how many are kept
   * @param mostChars how many characters the lists of all of them may have together
   */
  constructor(most: number, mostChars: number = Infinity) {
    this.#kept = new Recent(most, (one) => this.#end(one), { most: mostChars, of: ({ text }) => text.length });
  }

  find(isWanted: (catalog: C) => boolean): C | undefined {
    for (const one of this.#kept.keys()) if (isWanted(one)) return one;
    return undefined;
  }

  /** Keeps a catalog, and returns what ends this use of it. */
  use(catalog: C): () => void {
    this.#uses.set(catalog, (this.#uses.get(catalog) ?? 0) + 1);
    this.#kept.set(catalog, catalog);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = this.#uses.get(catalog)! - 1;
      if (left > 0) return void this.#uses.set(catalog, left);
      this.#uses.delete(catalog);
      if (!this.#kept.has(catalog)) catalog.sift.dispose();
    };
  }

  drop(catalog: C): void {
    if (this.#kept.delete(catalog)) this.#end(catalog);
  }

  #end(catalog: C): void {
    if (!this.#uses.has(catalog)) catalog.sift.dispose();
  }
}
