/** Checks what is asked for, before anything is asked. */

import { callable, known, whole } from "../../checks.js";
import { ToolSiftError } from "../../errors.js";
import type { Signal } from "../../types/signal.js";
import type { Enrichment } from "../../types.js";
import { isList, kind } from "../../values.js";
import { entriesOf } from "./file.js";
import type { Complete, EnrichOptions, EnrichProgress } from "./types.js";

/** What the core takes of each kind in one entry, of all languages. */
export const MOST_TEXTS = 128;
const MOST_QUERIES = 10;
const MOST_KEYWORDS = 20;

const CHOICES = ["previous", "languages", "queries", "keywords", "batch", "server"];
const RUN = ["complete", "concurrency", "timeoutMs", "signal", "onProgress"];

/** What is asked for. */
export interface Choices {
  previous: Enrichment[];
  languages: string[];
  queries: number;
  keywords: number;
  batch: number;
  server: string | undefined;
}

/** What is asked for, of which model, and how. */
export interface Settings extends Choices {
  complete: Complete;
  concurrency: number;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  onProgress: ((progress: EnrichProgress) => unknown) | undefined;
}

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `enrichment_invalid` */
export function choicesOf(options: unknown): Choices {
  return choices(known(options ?? {}, [...CHOICES, ...RUN]));
}

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `enrichment_invalid` */
export function settingsOf(options: unknown): Settings {
  const said = known(options, [...CHOICES, ...RUN]) as Partial<EnrichOptions>;
  callable("complete", said.complete);
  callable("onProgress", said.onProgress, true);
  return {
    ...choices(said),
    complete: said.complete!,
    concurrency: whole("concurrency", said.concurrency ?? 4, 1, 32),
    timeoutMs: whole("timeoutMs", said.timeoutMs ?? 300_000, 1, 3_600_000),
    signal: signalOf(said.signal),
    onProgress: said.onProgress,
  };
}

function choices(said: Partial<EnrichOptions>): Choices {
  const queries = whole("queries", said.queries ?? 8, 1, MOST_QUERIES);
  const keywords = whole("keywords", said.keywords ?? 10, 1, MOST_KEYWORDS);
  const languages = languagesOf(said.languages ?? ["en"]);
  const texts = languages.length * Math.max(queries, keywords);
  if (texts > MOST_TEXTS) {
    const each = `${languages.length} languages of ${Math.max(queries, keywords)} texts`;
    throw new ToolSiftError(
      "limit_out_of_range",
      `options.languages: ${each} are ${texts}; an entry takes at most ${MOST_TEXTS}`,
    );
  }
  if (said.server !== undefined && (typeof said.server !== "string" || said.server === "")) {
    throw new ToolSiftError("option_invalid", `options.server is ${kind(said.server)}; it must be a name`);
  }
  return {
    previous: said.previous === undefined ? [] : entriesOf("options.previous", said.previous),
    languages,
    queries,
    keywords,
    batch: whole("batch", said.batch ?? 8, 1, 50),
    server: said.server,
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

function signalOf(given: Signal | undefined): AbortSignal | undefined {
  const signal = given as AbortSignal | undefined;
  if (signal === undefined || typeof signal?.addEventListener === "function") return signal;
  throw new ToolSiftError("option_invalid", `options.signal is ${kind(given)}; it must be an AbortSignal`);
}
