/** Checks what is asked for, before anything is asked. */

import { callable } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import { aFunction, anything, aSignal, type Shape, shaped, wholeOf } from "../../base/shape.js";
import type { Enrichment } from "../../types/index.js";
import { isList, kind } from "../../base/values.js";
import { entriesOf } from "./file.js";
import type { EnrichOptions } from "./types.js";

/** The most texts of each kind that the core takes in one entry, of all languages. */
export const MOST_TEXTS = 128;
const MOST_QUERIES = 10;
const MOST_KEYWORDS = 20;

const OPTIONS: Shape<EnrichOptions> = {
  previous: anything,
  languages: anything,
  queries: wholeOf(1, MOST_QUERIES),
  keywords: wholeOf(1, MOST_KEYWORDS),
  batch: wholeOf(1, 50),
  server: anything,
  complete: aFunction,
  concurrency: wholeOf(1, 32),
  timeoutMs: wholeOf(1, 3_600_000),
  signal: aSignal,
  onProgress: aFunction,
};

/** The words that are asked for. */
export interface Choices {
  previous: Enrichment[];
  languages: string[];
  queries: number;
  keywords: number;
  batch: number;
  server: string | undefined;
}

/** The words that are asked for, the model, and the bounds of the run. */
export interface EnrichSettings extends Choices, Pick<EnrichOptions, "complete" | "onProgress"> {
  concurrency: number;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `enrichment_invalid` */
export function choicesOf(options: unknown): Choices {
  return choices(shaped(options ?? {}, OPTIONS));
}

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `enrichment_invalid` */
export function settingsOf(options: unknown): EnrichSettings {
  const valid = shaped(options, OPTIONS);
  const { complete, concurrency = 4, timeoutMs = 300_000, signal, onProgress } = valid;
  callable("complete", complete);
  return { ...choices(valid), complete, concurrency, timeoutMs, signal: signal as AbortSignal | undefined, onProgress };
}

function choices(valid: Partial<EnrichOptions>): Choices {
  const { queries = 8, keywords = 10, batch = 8, server } = valid;
  const languages = languagesOf(valid.languages ?? ["en"]);
  const texts = languages.length * Math.max(queries, keywords);
  if (texts > MOST_TEXTS) {
    const each = `${languages.length} languages of ${Math.max(queries, keywords)} texts`;
    throw new ToolSiftError(
      "limit_out_of_range",
      `options.languages: ${each} are ${texts}; an entry takes at most ${MOST_TEXTS}`,
    );
  }
  if (server !== undefined && (typeof server !== "string" || server === "")) {
    throw new ToolSiftError("option_invalid", `options.server is ${kind(server)}; it must be a name`);
  }
  return {
    previous: valid.previous === undefined ? [] : entriesOf("options.previous", valid.previous),
    languages,
    queries,
    keywords,
    batch,
    server,
  };
}

/** Language tags in their usual spelling, each once. */
export function languagesOf(given: unknown): string[] {
  const wanted = 'a list of language tags such as ["en", "ja"]';
  if (!isList(given) || given.length === 0 || given.length > MOST_TEXTS) {
    throw new ToolSiftError("option_invalid", `options.languages is ${kind(given)}; it must be ${wanted}`);
  }
  return [...new Set(given.map((tag, at) => languageOf(tag, `options.languages.${at}`)))];
}

/** @throws ToolSiftError `option_invalid` for what is no language tag */
function languageOf(tag: unknown, what: string): string {
  try {
    if (typeof tag === "string") return Intl.getCanonicalLocales(tag)[0]!;
  } catch {
    // It is no tag, and the error below says so.
  }
  const got = typeof tag === "string" ? JSON.stringify(tag.slice(0, 80)) : kind(tag);
  throw new ToolSiftError("option_invalid", `${what} is ${got}; it must be a language tag such as "en" or "pt-BR"`);
}
