/** Sends prompts to a model behind an HTTP API: with retries, a size limit, and no key in its messages. */

import { textOfBody } from "../base/bodies.js";
import { askedAgain } from "../base/retry.js";
import type { EnrichEndpoint, EnrichRequest } from "../types/background.js";
import type { Signal } from "../types/signal.js";
import { cut, parsed, reasonOf } from "../base/values.js";
import { read as readMessage } from "../wire/anthropic.js";
import type { Reply } from "../wire/api.js";
import { definedFields, fieldsOf, textIn } from "../wire/fields.js";
import { read as readCompletion } from "../wire/openai-chat.js";

const RETRIES = { times: 5, mostMs: 60_000 };
/** The maximum size of an answer, in bytes. */
const ANSWER_BYTES = 4 << 20;
const MESSAGE_CHARS = 200;
/** Statuses whose message is not shown, because the server may repeat the refused key, or a part of it. */
const KEY_REFUSED: readonly number[] = [401, 403];

interface PromptApi {
  path: string;
  headers(key: string | undefined): Record<string, string | undefined>;
  body(request: EnrichRequest): object;
  read(reply: object): Reply | undefined;
}

const APIS: Readonly<Record<NonNullable<EnrichEndpoint["api"]>, PromptApi>> = {
  openai: {
    path: "chat/completions",
    headers: (key) => ({ authorization: key && `Bearer ${key}` }),
    body: ({ system, prompt }) => ({ messages: [{ role: "system", content: system }, ...userMessages(prompt)] }),
    read: readCompletion,
  },
  anthropic: {
    path: "messages",
    headers: (key) => ({ "anthropic-version": "2023-06-01", "x-api-key": key }),
    body: ({ system, prompt, maxTokens }) => ({ max_tokens: maxTokens, system, messages: userMessages(prompt) }),
    read: readMessage,
  },
};

const userMessages = (prompt: string) => [{ role: "user", content: prompt }];

/** Returns the beginning of a server's text, without the key. */
const shown = (text: string, key: string | undefined): string =>
  cut(key ? text.replaceAll(key, "[key]") : text, MESSAGE_CHARS);

/**
 * Returns a function that sends prompts to a model behind an HTTP API, for `enrich`.
 *
 * @param onReply receives every reply of the API, including its token counts
 */
export function completeWith(
  endpoint: EnrichEndpoint,
  onReply?: (reply: object) => void,
): (request: EnrichRequest) => Promise<string> {
  const { model, apiKey, api = "openai" } = endpoint;
  const { path, headers, body, read } = APIS[api];
  return async (request) => {
    const httpRequest = { path, headers: headers(apiKey), body: { model, ...body(request) } };
    const text = await askServer(endpoint, httpRequest, request.signal);
    const reply = fieldsOf(parsed(text));
    onReply?.(reply);
    const answer = read(reply)?.text;
    if (answer) return answer;
    throw new Error(`the answer of the model's server holds no text: ${shown(text, apiKey)}`);
  };
}

interface ServerRequest {
  /** The path after the base URL, such as `chat/completions`. */
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: object;
}

/**
 * Returns the answer of a model's server as text. The request is repeated while the server is busy.
 *
 * @throws Error if the server cannot be reached; with its `status` if the server refuses
 */
async function askServer(
  { baseURL, apiKey }: Pick<EnrichEndpoint, "baseURL" | "apiKey">,
  { path, headers: own, body: content }: ServerRequest,
  end: Signal,
): Promise<string> {
  const signal = end as AbortSignal;
  const base = new URL(baseURL);
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}/${path}${base.search}`, base);
  const headers = definedFields({ "content-type": "application/json", ...own }) as Record<string, string>;
  const body = JSON.stringify(content);
  // Redirects are errors, because the request must not go to another address.
  const send = () => fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
  const response = await askedAgain(send, { ...RETRIES, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    // `fetch` gives the reason in the cause of its error.
    throw new Error(`${url.origin} cannot be reached: ${shown(reasonOf(fieldsOf(error)["cause"] ?? error), apiKey)}`);
  });
  const tooLarge = (most: number) => new Error(`the model's server answered more than ${most} bytes, the limit`);
  const text = await textOfBody(response.body, ANSWER_BYTES, tooLarge, signal);
  if (response.ok) return text;
  const { status } = response;
  const message = KEY_REFUSED.includes(status) ? "" : shown(messageOf(text), apiKey);
  throw Object.assign(new Error(`the model's server answered ${status}${message && `: ${message}`}`), { status });
}

/** Returns the message of an error: `{ error: { message } }`, the usual format, or the whole text. */
function messageOf(text: string): string {
  const { error } = fieldsOf(parsed(text));
  return textIn(error) ?? textIn(fieldsOf(error)["message"]) ?? text;
}
