/** What writes words for tools while a program runs. */

import type { Signal } from "./signal.js";

/** A model behind an HTTP API that many vendors and local servers speak. */
export interface EnrichEndpoint {
  /** The base of the API, such as `"https://api.openai.com/v1"` or `"http://localhost:11434/v1"`. */
  baseURL: string;
  /** The model, as its server calls it. */
  model: string;
  /** Sent as the API wants it; never over http to another machine. */
  apiKey?: string | undefined;
  /** Whose API it is. Default `"openai"`: Chat Completions. */
  api?: "openai" | "anthropic" | undefined;
}

/** A model of AI SDK, of which only `doGenerate` is used. */
export interface EnrichLanguageModel {
  doGenerate(options: any): PromiseLike<{ content: readonly { type: string }[] }>;
}

/** What a function that stands for a model receives. */
export interface EnrichRequest {
  system: string;
  prompt: string;
  /** More tokens than an answer needs. */
  maxTokens: number;
  signal: Signal;
}

/**
 * Has a model write the words that people use for tools which no pack knows: once for each definition, a few tools at a time,
 * while searches go on. To pass this is to consent: names, descriptions and parameters of these tools are sent to the model,
 * and nothing else. What it answers is checked as a stranger's text, and only searched.
 */
export interface BackgroundOptions {
  /** A model of AI SDK, an endpoint, or a function that answers a prompt. */
  model: EnrichLanguageModel | EnrichEndpoint | ((request: EnrichRequest) => Promise<string> | string);
  /** Languages as BCP 47 tags. Default `["en"]`. */
  languages?: readonly string[] | undefined;
  /**
   * Keeps the words by the hash of the definition, for other processes and later runs: `fileStore(folder)`, or any storage
   * with `getItem` and `setItem`. Without one they are forgotten with the process.
   */
  store?: { getItem(key: string): unknown; setItem(key: string, value: string): unknown } | undefined;
  /** Tools that are asked for at most. Default 1,000. */
  maxTools?: number | undefined;
  /** Tokens of prompts and answers at most, as characters / 4. Default 1,000,000. */
  maxTokens?: number | undefined;
  /** US dollars at most, where `price` says what a million tokens cost. */
  maxCost?: number | undefined;
  /** US dollars for a million tokens. */
  price?: { input: number; output: number } | undefined;
  /** Milliseconds after which nothing more is asked, from the first request on. Default 3,600,000: an hour. */
  maxMs?: number | undefined;
}

/** How far the words of one server's tools are. */
export interface WordsStatus {
  /** Tools whose words were found in the store. */
  kept: number;
  /** Tools that got words from the model. */
  written: number;
  /** Whether more are being asked for. */
  isWriting: boolean;
  /** Tools that got none, and why. */
  failed: { name: string; reason: string }[];
  /** Why nothing more is asked: a bound, or what the model answered. */
  error: string | null;
  /** Tokens of all servers so far, as characters / 4. */
  tokens: { input: number; output: number };
}
