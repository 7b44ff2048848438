/** Embeddings of a vendor with OpenAI's API: OpenAI itself, or another one behind `OPENAI_BASE_URL`. */

import { setTimeout as sleep } from "node:timers/promises";
import { embeddings } from "toolsift/embed";

const MODEL = process.env.EMBEDDING_MODEL ?? "text-embedding-3-small";
const DIMENSIONS = 512;
const BASE = process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1";
/** The vendor refuses more than 8,192 tokens a text; a token has at least about two characters. */
const MOST_CHARS = 16_000;
const ATTEMPTS = 4;

/**
 * The ranker.
 *
 * @param {Pick<import("toolsift/embed").EmbeddingOptions, "index" | "rerank">} [more]
 */
export const vendorRanker = (more = {}) =>
  embeddings({
    // The same model with other dimensions gives other vectors.
    model: `${MODEL}@${DIMENSIONS}`,
    // The vendor takes up to 2,048 texts in one request, and 300,000 tokens.
    batch: 128,
    concurrency: 4,
    embed: (texts, { signal }) => vectorsOf(texts, signal),
    ...more,
  });

/**
 * @param {readonly string[]} texts
 * @param {AbortSignal} signal
 * @returns {Promise<number[][]>}
 */
async function vectorsOf(texts, signal) {
  const input = texts.map((text) => text.slice(0, MOST_CHARS) || " ");
  const response = await ask({ model: MODEL, input, dimensions: DIMENSIONS, encoding_format: "float" }, signal);
  const { data } = await response.json();
  // The vendor may answer in another order: each vector says which text it stands for.
  return data.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
}

/** Asks the vendor, and again where it says that it is busy. */
async function ask(body, signal) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY}` };
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${BASE}/embeddings`, { method: "POST", headers, body: JSON.stringify(body), signal });
    if (response.ok) return response;
    const text = await response.text();
    const isBusy = response.status === 429 || response.status >= 500;
    if (!isBusy || attempt === ATTEMPTS) throw new Error(`the vendor answered ${response.status}: ${text.slice(0, 300)}`);
    const seconds = Number(response.headers.get("retry-after")) || 2 ** attempt / 4;
    await sleep(1_000 * seconds, undefined, { signal });
  }
}
