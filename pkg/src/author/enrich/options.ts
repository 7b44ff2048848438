/** Checks the options of `enrich` and `estimate` before any request is sent. */

import { callable } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import { aFunction, anything, aSignal, type Shape, shaped, wholeOf } from "../../base/shape.js";
import type { Defined } from "../../types/defined.js";
import type { Enrichment } from "../../types/index.js";
import { isList, kind } from "../../base/values.js";
import { entriesOf } from "./file.js";
import type { Signal } from "../../types/signal.js";

/** The core's maximum number of texts of each kind in one entry, for all languages together. */
export const MOST_TEXTS = 128;
const MOST_QUERIES = 10;
const MOST_KEYWORDS = 20;

const OPTIONS: Shape<EnrichOptions> = {
  previous: anything,
  languages: anything,
  queries: wholeOf(1, MOST_QUERIES),
  keywords: wholeOf(1, MOST_KEYWORDS),
  batch: wholeOf(1, 50),
  server: (_, value) => {
    if (typeof value === "string" && value !== "") return;
    throw new ToolSiftError("option_invalid", `options.server is ${kind(value)}; it must be a name`);
  },
  complete: aFunction,
  concurrency: wholeOf(1, 32),
  timeoutMs: wholeOf(1, 3_600_000),
  signal: aSignal,
  onProgress: aFunction,
};

const DEFAULT = { queries: 8, keywords: 10, batch: 8, concurrency: 4, timeoutMs: 300_000 };

/** The options with their defaults, without the model: all that an estimate needs. */
export type Choices = typeof DEFAULT &
  Pick<Defined<EnrichOptions>, "server" | "signal" | "onProgress"> & { previous: Enrichment[]; languages: string[] };

/** The options with their defaults. */
export type EnrichSettings = Choices & Pick<EnrichOptions, "complete">;

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `enrichment_invalid` */
export function settingsOf(options: unknown): EnrichSettings {
  const { complete } = shaped(options, OPTIONS);
  callable("complete", complete);
  return { ...choicesOf(options), complete };
}

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `enrichment_invalid` */
export function choicesOf(options: unknown): Choices {
  const given = shaped(options ?? {}, OPTIONS) as Partial<Defined<EnrichOptions>>;
  const previous = entriesOf("options.previous", given.previous ?? []);
  const choices = { ...DEFAULT, ...given, languages: languagesOf(given.languages ?? ["en"]), previous };
  const [languages, each] = [choices.languages.length, Math.max(choices.queries, choices.keywords)];
  if (languages * each <= MOST_TEXTS) return choices;
  const texts = `${languages} languages of ${each} texts are ${languages * each}`;
  throw new ToolSiftError("limit_out_of_range", `options.languages: ${texts}; an entry takes at most ${MOST_TEXTS}`);
}

/** Returns language tags in their canonical spelling, each once. */
export function languagesOf(given: unknown): string[] {
  const wanted = 'a list of language tags such as ["en", "ja"]';
  if (!isList(given) || given.length === 0 || given.length > MOST_TEXTS) {
    throw new ToolSiftError("option_invalid", `options.languages is ${kind(given)}; it must be ${wanted}`);
  }
  return [...new Set(given.map((tag, at) => languageOf(tag, `options.languages.${at}`)))];
}

/** @throws ToolSiftError `option_invalid` for an invalid language tag */
function languageOf(tag: unknown, what: string): string {
  try {
    if (typeof tag === "string") return Intl.getCanonicalLocales(tag)[0]!;
  } catch {
    // The tag is invalid; the error below reports it.
  }
  const got = typeof tag === "string" ? JSON.stringify(tag.slice(0, 80)) : kind(tag);
  throw new ToolSiftError("option_invalid", `${what} is ${got}; it must be a language tag such as "en" or "pt-BR"`);
}

/** One request to the model: it asks for words for several tools, in one language. */
export interface CompletionRequest {
  /** The task of the model. */
  system: string;
  /** The tools, as data. */
  prompt: string;
  /** Aborted when the run ends, or when the request takes too long. */
  signal: Signal;
  /** The requested language, such as `"en"`. */
  language: string;
  /** The original names of the tools in the request. */
  tools: string[];
  /** 1, or 2 if the first answer was not usable. */
  attempt: number;
  /** A token limit for models that require one. An answer needs fewer tokens. */
  maxTokens: number;
}

/** Any model as a function that returns the text of its answer. */
export type Complete = (request: CompletionRequest) => Promise<string> | string;

/** The words to request: options of `enrich` and `estimate`. */
export interface EnrichChoices {
  /**
   * Earlier results: entries, or the text of a file. Words are requested for a tool if its definition has changed since, or
   * if a language is missing. Entries of other tools are kept.
   */
  previous?: string | readonly Enrichment[] | undefined;
  /** Languages as BCP 47 tags, such as `["en", "ja"]`. Default `["en"]`. */
  languages?: readonly string[] | undefined;
  /** The number of queries for a tool in each language: 1 to 10. Default 8. */
  queries?: number | undefined;
  /** The number of keywords for a tool in each language: 1 to 20. Default 10. */
  keywords?: number | undefined;
  /** The number of tools in one request, 1 to 50, ordered by server, so that the model sees their differences. Default 8. */
  batch?: number | undefined;
  /** The server of the tools, if their definitions do not state it. */
  server?: string | undefined;
}

/** Options of `enrich`. */
export interface EnrichOptions extends EnrichChoices {
  /** The model. */
  complete: Complete;
  /** The number of requests at the same time, 1 to 32. Default 4. */
  concurrency?: number | undefined;
  /** The time limit of one request in ms, at most an hour. Default 300,000 (five minutes). */
  timeoutMs?: number | undefined;
  /** Ends the run: `enrich` throws the signal's reason. */
  signal?: Signal | undefined;
  /**
   * Called and awaited after each batch, one call after the other, for example to store the entries so far. An error ends
   * the run.
   */
  onProgress?: ((progress: EnrichProgress) => unknown) | undefined;
}

/** The progress of a run. */
export interface EnrichProgress {
  /** The number of finished batches, and of all batches. A batch that is requested twice counts once. */
  done: number;
  of: number;
  /** The number of tools that got words. */
  written: number;
  tokens: EnrichTokens;
  /** All entries so far, in the form that `enrich` returns. */
  entries: Enrichment[];
}

/** Tokens of prompts and answers, as characters / 4. */
export interface EnrichTokens {
  input: number;
  output: number;
}

/** A tool that got no words, or not in every language. */
export interface NotEnriched {
  name: string;
  server: string | null;
  /** The reason, with the language if several were requested. */
  reason: string;
}

/** The report of `enrich`. */
export interface EnrichReport {
  /** All entries: new ones, those that are still valid, and those of tools that are not in the list. */
  entries: Enrichment[];
  /** The number of tools that got words. */
  written: number;
  /** The number of tools that needed no words. */
  kept: number;
  failed: NotEnriched[];
  tokens: EnrichTokens;
}

/** An estimate of a run. The second request after an unusable answer is not counted. */
export interface EnrichEstimate {
  /** The number of tools for which words would be requested. */
  tools: number;
  requests: number;
  inputTokens: number;
  outputTokens: number;
}
