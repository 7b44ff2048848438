/** Passes the tools of servers to `Background`, which writes search words. It is imported only if the option is set. */

import type { Background, Job } from "./background.js";
import type { BackgroundOptions } from "../../types/background.js";
import type { Enrichment } from "../../types/index.js";
import { within } from "../../base/wait.js";

/** The time limit for reading from a store, in ms. Tools do not wait longer. */
const STORE_MS = 2_000;

/** One `Background` for each options object, so that its limits count for all parts of the program together. */
const made = new WeakMap<object, Promise<Background>>();

/**
 * Returns the `Background` of the options; undefined if the option is not set.
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

/** Returns the words that the store has for some tools; an empty list if the store fails or takes too long. */
export async function keptWords(background: Background | undefined, tools: readonly object[]): Promise<Enrichment[]> {
  if (background === undefined) return [];
  return within({ what: "reading words", ms: STORE_MS }, async () => background.known(tools)).catch(() => []);
}

export type { Background, Job };
