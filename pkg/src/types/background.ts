/** Options and progress of the search words that a model writes for tools while the program runs. */

import type { Signal } from "./signal.js";

/** A model behind an HTTP API of OpenAI's or Anthropic's format, which many vendors and local servers offer. */
export interface EnrichEndpoint {
  /** The base of the API, such as `"https://api.openai.com/v1"` or `"http://localhost:11434/v1"`. */
  baseURL: string;
  /** The name of the model on its server. */
  model: string;
  /** The API key. It is never sent over http to another machine. */
  apiKey?: string | undefined;
  /** The format of the API. Default `"openai"`: Chat Completions. */
  api?: "openai" | "anthropic" | undefined;
}

/** A model of AI SDK. Only `doGenerate` is used. */
export interface EnrichLanguageModel {
  doGenerate(options: any): PromiseLike<{ content: readonly { type: string }[] }>;
}

/** The request to a model that the program passes as a function. */
export interface EnrichRequest {
  system: string;
  prompt: string;
  /** The token limit of the answer. An answer needs fewer tokens. */
  maxTokens: number;
  signal: Signal;
}

/**
 * Lets a model write search words for tools that no word pack (`toolsift/packs`) covers, once for each definition, while
 * searches go on. By passing this option you agree that names, descriptions and parameters of these tools are sent to the
 * model, and nothing else. The answer is checked as untrusted text and is used for search only.
 */
export interface BackgroundOptions {
  /** The model: one of AI SDK, an endpoint, or a function that answers a prompt. */
  model: EnrichLanguageModel | EnrichEndpoint | ((request: EnrichRequest) => Promise<string> | string);
  /** Languages as BCP 47 tags. Default `["en"]`. */
  languages?: readonly string[] | undefined;
  /**
   * Keeps the words for other processes and later runs, by the hash of the definition: `fileStore(folder)`, or any storage
   * with `getItem` and `setItem`. Default: the words are lost when the process ends.
   */
  store?: { getItem(key: string): unknown; setItem(key: string, value: string): unknown } | undefined;
  /** The maximum number of tools that words are requested for. Default 1,000. */
  maxTools?: number | undefined;
  /** The maximum number of tokens of prompts and answers together, as characters / 4. Default 1,000,000. */
  maxTokens?: number | undefined;
  /** The time after the first request from which no more requests are sent, in ms. Default 3,600,000: an hour. */
  maxMs?: number | undefined;
}

/** The progress of the words for one server's tools. */
export interface WordsStatus {
  /** The number of tools whose words were found in the store. */
  kept: number;
  /** The number of tools that got words from the model. */
  written: number;
  /** True while words for more tools are being requested. */
  isWriting: boolean;
  /** The tools that got no words, each with the reason. */
  failed: { name: string; reason: string }[];
  /** The reason why no more words are requested: a limit was reached, or the model's answer was an error. Otherwise null. */
  error: string | null;
  /** Tokens for the tools of all servers so far, as characters / 4. */
  tokens: { input: number; output: number };
}
