/** Counts tokens in a worker: by the library's estimate, or by o200k, the tokenizer of GPT-4o and later models of OpenAI. */
import { tokensOf } from "../model/numbers.ts";
import { optionsOf, type Settings } from "../model/settings.ts";
import type { ToolSiftOptions } from "toolsift";

/** Texts whose counts are kept: a change of settings counts the same definitions again. */
const MOST_KEPT = 50_000;

let o200k: ((text: string) => number) | null = null;

/** Loads the tokenizer, a megabyte of ranks, if these settings want it. */
export async function loadTokenizer({ tokens }: Pick<Settings, "tokens">): Promise<void> {
  if (tokens !== "o200k" || o200k !== null) return;
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const kept = new Map<string, number>();
  o200k = (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    // What servers write is text, also where it looks like a token of control.
    const count = countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
    kept.set(text, count);
    return count;
  };
}

/** How these settings count a text. */
export function counterOf({ tokens }: Pick<Settings, "tokens">): (text: string) => number {
  return tokens === "o200k" && o200k !== null ? o200k : tokensOf;
}

/** The options of a catalog under these settings, with their counter. */
export function coreOptions(settings: Settings): ToolSiftOptions {
  const counter = counterOf(settings);
  return counter === tokensOf ? optionsOf(settings) : { ...optionsOf(settings), countTokens: counter };
}
