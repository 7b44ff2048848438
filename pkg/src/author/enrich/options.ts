/** Checks what is asked for, before anything is asked. */

import { callable } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import { aFunction, anything, aSignal, type Shape, shaped, wholeOf } from "../../base/shape.js";
import type { Enrichment } from "../../types/index.js";
import { isList, kind } from "../../base/values.js";
import { entriesOf } from "./file.js";
import type { Signal } from "../../types/signal.js";

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

/** One request to the model: several tools of which words are wanted, in one language. */
export interface CompletionRequest {
  /** What the model is to do. */
  system: string;
  /** The tools, as data. */
  prompt: string;
  /** Is aborted when the run ends, or the request takes too long. */
  signal: Signal;
  /** The language that is asked for, such as `"en"`. */
  language: string;
  /** The tools that are asked for, by their own names. */
  tools: string[];
  /** 1, or 2 where the first answer was not usable. */
  attempt: number;
  /** More tokens than an answer needs: for models that must be told a bound. */
  maxTokens: number;
}

/** Any model as a function: returns the text that the model answers. */
export type Complete = (request: CompletionRequest) => Promise<string> | string;

/** The words to ask for: options of `enrich` and `estimate`. */
export interface EnrichChoices {
  /**
   * What was written before: entries, or the text of a file. A tool is asked for if its definition has changed since, or a
   * language is missing. Entries of other tools are kept.
   */
  previous?: string | readonly Enrichment[] | undefined;
  /** Languages as BCP 47 tags, such as `["en", "ja"]`. Default `["en"]`. */
  languages?: readonly string[] | undefined;
  /** Requests of people that are asked for, of a tool in each language: 1 to 10. Default 8. */
  queries?: number | undefined;
  /** Keywords that are asked for, of a tool in each language: 1 to 20. Default 10. */
  keywords?: number | undefined;
  /** Tools in one request, 1 to 50: those of a server stand together, so that the model tells them apart. Default 8. */
  batch?: number | undefined;
  /** The server of the tools, where their definitions do not say it. */
  server?: string | undefined;
}

/** Options of `enrich`. */
export interface EnrichOptions extends EnrichChoices {
  /** The model. */
  complete: Complete;
  /** Requests at the same time, 1 to 32. Default 4. */
  concurrency?: number | undefined;
  /** Milliseconds of one request, up to an hour. Default 300,000 (five minutes). */
  timeoutMs?: number | undefined;
  /** Ends the run: `enrich` throws its reason. */
  signal?: Signal | undefined;
  /**
   * Is told after each batch and awaited, one call after the other: a place to keep what is there so far. What it throws ends
   * the run.
   */
  onProgress?: ((progress: EnrichProgress) => unknown) | undefined;
}

/** How far a run is. */
export interface EnrichProgress {
  /** Batches that are done, and all of them. A batch that is asked for twice counts once. */
  done: number;
  of: number;
  /** Tools that got words. */
  written: number;
  tokens: EnrichTokens;
  /** Everything that is known by now: what `enrich` would return. */
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
  /** Why, with the language where several were asked for. */
  reason: string;
}

/** What `enrich` did. */
export interface EnrichReport {
  /** All entries: new ones, those that still hold, and those of tools that are not in the list. */
  entries: Enrichment[];
  /** How many tools got words. */
  written: number;
  /** How many tools needed none. */
  kept: number;
  failed: NotEnriched[];
  tokens: EnrichTokens;
}

/** What a run would ask for. A request whose answer is not usable is made twice, which is not counted. */
export interface EnrichEstimate {
  /** Tools that would be asked for. */
  tools: number;
  requests: number;
  inputTokens: number;
  outputTokens: number;
}
