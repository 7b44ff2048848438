/** Hands the tools of servers to what writes words for them, which is loaded where a host asks for it. */

import type { Background, Job } from "./background.js";
import type { BackgroundOptions } from "../../types/background.js";
import type { Enrichment } from "../../types/index.js";
import { within } from "../../base/wait.js";

/** Tools do not wait longer for a store. */
const STORE_MS = 2_000;

/** One for the options of a host, however many of its parts read them: their bounds are one. */
const made = new WeakMap<object, Promise<Background>>();

/**
 * What writes words, where a host asks for it.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`
 */
export async function wordsOf(options: BackgroundOptions | undefined): Promise<Background | undefined> {
  if (options === undefined) return undefined;
  const known = made.get(Object(options));
  const background = known ?? import("toolsift:background").then(({ Background }) => new Background(options));
  made.set(Object(options), background);
  return background;
}

/** The words that the store has for some tools; none if the store fails or takes too long. */
export async function keptWords(background: Background | undefined, tools: readonly object[]): Promise<Enrichment[]> {
  if (background === undefined) return [];
  return within({ what: "reading words", ms: STORE_MS }, async () => background.known(tools)).catch(() => []);
}

export type { Background, Job };
