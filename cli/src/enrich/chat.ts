/** Asks a model over OpenAI's Chat Completions, which most vendors and local servers speak. */

import { setTimeout as pause } from "node:timers/promises";
import type { Complete } from "toolsift/author";
import { Failure, reasonOf } from "../failure.js";
import { boundedFetch } from "../gateway/bounded-fetch.js";
import { oneLine, quoted } from "../output/escape.js";

/** How the model is reached. */
export interface ChatOptions {
  model: string;
  base: URL;
  /** Sent as a bearer token. It is in no message. */
  key: string | undefined;
  /** The variable that holds it. */
  keyName: string;
  /** Ends the run for what no further request would change. */
  end(failure: Failure): void;
}

/** What requests took, as the model's server counts it. */
export interface Usage {
  input: number;
  output: number;
  /** Whether every answer said so. */
  isWhole: boolean;
}

/** How often one request is made again while the server is busy. */
const AGAIN = 5;
/** The longest that a server may ask for. */
const LONGEST_MS = 60_000;
const FIRST_MS = 1_000;
const ANSWER_BYTES = 4 << 20;
/** What stands here holds for every request: who pays, which model, which address. */
const FINAL = new Set([401, 402, 403, 404]);
const KEY_REFUSED = new Set([401, 403]);
const MESSAGE_CHARS = 200;

/** The model as a function, and what it took so far. */
export function chat(options: ChatOptions): { complete: Complete; usage: Usage } {
  const usage: Usage = { input: 0, output: 0, isWhole: true };
  const { model, base, key } = options;
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}/chat/completions${base.search}`, base);
  const headers = { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const ask = boundedFetch(fetch as never, { bytes: ANSWER_BYTES });
  const complete: Complete = async ({ system, prompt, signal: given }) => {
    const signal = given as AbortSignal;
    const messages = [
      { role: "system", content: system },
      { role: "user", content: prompt },
    ];
    const body = JSON.stringify({ model, messages });
    for (let again = 0; ; again++) {
      // What the tools say must not go where nobody sent it.
      const response = await ask(url, { method: "POST", headers, body, signal, redirect: "error" }).catch(
        (error: unknown) => {
          throw new Error(`${url.origin} cannot be reached: ${causeOf(error)}`);
        },
      );
      const text = await response.text();
      if (response.ok) return contentOf(text, usage);
      const isBusy = response.status === 429 || response.status >= 500;
      if (!isBusy || again === AGAIN) throw refused(response.status, text, options);
      await pause(delayOf(response.headers.get("retry-after"), again), undefined, { signal });
    }
  };
  return { complete, usage };
}

/** How long to wait: what the server says, in seconds or as a date, and else twice as long each time. */
function delayOf(after: string | null, again: number): number {
  const seconds = after === null || after.trim() === "" ? Number.NaN : Number(after);
  const wanted = Number.isNaN(seconds) ? Date.parse(after ?? "") - Date.now() : 1_000 * seconds;
  return Math.min(LONGEST_MS, Math.max(0, Number.isNaN(wanted) ? FIRST_MS * 2 ** again : wanted));
}

function contentOf(text: string, usage: Usage): string {
  const { choices, usage: told } = parsed(text) as { choices?: unknown; usage?: unknown };
  const { prompt_tokens: input, completion_tokens: output } = Object(told) as Record<string, unknown>;
  if (typeof input === "number" && typeof output === "number") {
    usage.input += input;
    usage.output += output;
  } else usage.isWhole = false;
  const { content } = Object(Object((choices as unknown[] | undefined)?.[0])["message"]) as { content?: unknown };
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.map((part) => Object(part)["text"]) : [];
  const texts = parts.filter((part) => typeof part === "string");
  if (texts.length > 0) return texts.join("");
  throw new Error(`the answer of the model's server holds no text: ${oneLine(text, MESSAGE_CHARS)}`);
}

function refused(status: number, text: string, options: ChatOptions): Error {
  // A server may repeat the key that it refuses, or a part of it.
  const told = KEY_REFUSED.has(status) ? "" : messageOf(text).replaceAll(options.key ?? "\0", "[key]");
  const failure = new Failure(`the model's server answered ${status}${told && `: ${told}`}${adviceOn(status, options)}`);
  if (FINAL.has(status)) options.end(failure);
  return failure;
}

function adviceOn(status: number, { key, keyName, model, base }: ChatOptions): string {
  if (KEY_REFUSED.has(status)) {
    return key === undefined ? `; it needs a key, and ${keyName} is not set` : `; it refuses the key in ${keyName}`;
  }
  if (status !== 404) return "";
  const address = oneLine(`${base.origin}${base.pathname}`, MESSAGE_CHARS);
  return `; is there a model ${quoted(model)}, and is ${address} the base of an OpenAI-compatible API?`;
}

/** What an error says: `{ error: { message } }`, as everybody writes it, or its beginning. */
function messageOf(text: string): string {
  const { error } = parsed(text) as { error?: unknown };
  const message = typeof error === "string" ? error : (Object(error) as { message?: unknown }).message;
  return oneLine(typeof message === "string" ? message : text, MESSAGE_CHARS);
}

function parsed(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

/** `fetch` tells why it failed in the cause of its error. */
function causeOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown };
  return oneLine(reasonOf(cause ?? error), MESSAGE_CHARS);
}
