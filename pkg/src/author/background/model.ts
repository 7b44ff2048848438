/** Makes one function of every kind of model. */

import { textOfBody } from "../../bodies.js";
import type { BackgroundOptions, EnrichEndpoint, EnrichRequest } from "../../types/background.js";

/** Bytes of an answer at most. */
const ANSWER_BYTES = 4 << 20;
const MESSAGE_CHARS = 200;

/** The model as a function that answers a prompt. */
export function functionOf(model: BackgroundOptions["model"]): (request: EnrichRequest) => Promise<string> | string {
  if (typeof model === "function") return model;
  if ("doGenerate" in model) {
    return async ({ system, prompt, maxTokens, signal }) => {
      const messages = [
        { role: "system", content: system },
        { role: "user", content: [{ type: "text", text: prompt }] },
      ];
      const { content } = await model.doGenerate({ prompt: messages, maxOutputTokens: maxTokens, abortSignal: signal });
      return content.flatMap((part) => (part.type === "text" ? String(Object(part)["text"]) : [])).join("");
    };
  }
  return model.api === "anthropic" ? anthropic(model) : chat(model);
}

function chat({ baseURL, model, apiKey }: EnrichEndpoint) {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return async ({ system, prompt, signal }: EnrichRequest) => {
    const messages = [
      { role: "system", content: system },
      { role: "user", content: prompt },
    ];
    const { choices } = await ask(`${baseURL}/chat/completions`, headers, { model, messages }, signal);
    return String(choices?.[0]?.message?.content ?? "");
  };
}

function anthropic({ baseURL, model, apiKey }: EnrichEndpoint) {
  const headers = { "anthropic-version": "2023-06-01", ...(apiKey !== undefined && { "x-api-key": apiKey }) };
  return async ({ system, prompt, maxTokens, signal }: EnrichRequest) => {
    const body = { model, max_tokens: maxTokens, system, messages: [{ role: "user", content: prompt }] };
    const { content } = await ask(`${baseURL}/messages`, headers, body, signal);
    return (content ?? []).map(({ text = "" }) => text).join("");
  };
}

/** The parts of either API's answer that are read. */
interface Answer {
  choices?: { message?: { content?: unknown } }[];
  content?: { text?: string }[];
}

async function ask(url: string, headers: Record<string, string>, body: object, signal: AbortSignal): Promise<Answer> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal,
  };
  // What the tools say must not go where nobody sent it.
  const response = await fetch(url.replace(/([^:])\/\/+/g, "$1/"), { ...init, redirect: "error" });
  const tooLarge = (most: number) => new Error(`the model's server answered more than ${most} bytes, the limit`);
  const text = await textOfBody(response.body, ANSWER_BYTES, tooLarge, signal);
  // Of a refusal its number: the rest may repeat the key.
  if (!response.ok) throw new Error(`the model's server answered ${response.status}`);
  try {
    return Object(JSON.parse(text)) as Answer;
  } catch {
    throw new Error(`the model's server answered no JSON: ${text.slice(0, MESSAGE_CHARS)}`);
  }
}
