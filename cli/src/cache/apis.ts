/** The three APIs whose cache can be checked: how a request is written in each, and what its reply says of the cache. */

import type { WireFormat } from "toolsift";

/** One request, free of any API. */
export interface ModelRequest {
  model: string;
  tools: readonly unknown[];
  system: string;
  /** What the user and the model said in turn; the user begins. */
  turns: readonly string[];
}

/** The tokens that a model read, and how many of them came from a cache; undefined where the reply does not say. */
export interface Usage {
  input: number;
  cached: number | undefined;
}

/** One API. */
export interface CacheApi {
  /** What stands behind the base. */
  path: string;
  format: WireFormat;
  keyName: string;
  headers(key: string): Record<string, string>;
  body(asked: ModelRequest): object;
  /** @returns undefined where the reply has no usage */
  usage(text: string): Usage | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => Object(value) as Fields;

/** The usage in a reply; empty where the text is no JSON. */
function usageIn(text: string): Fields {
  try {
    return fieldsOf(fieldsOf(JSON.parse(text))["usage"]);
  } catch {
    return {};
  }
}

const tokens = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const role = (at: number) => (at % 2 === 0 ? "user" : "assistant");

function chatUsage(text: string): Usage | undefined {
  const usage = usageIn(text);
  const input = tokens(usage["prompt_tokens"]);
  const details = fieldsOf(usage["prompt_tokens_details"])["cached_tokens"];
  // DeepSeek, and vendors that write it beside the sum.
  const cached = tokens(details) ?? tokens(usage["prompt_cache_hit_tokens"]) ?? tokens(usage["cached_tokens"]);
  return input === undefined ? undefined : { input, cached };
}

function messagesUsage(text: string): Usage | undefined {
  const usage = usageIn(text);
  const input = tokens(usage["input_tokens"]);
  const cached = tokens(usage["cache_read_input_tokens"]);
  if (input === undefined) return undefined;
  return { input: input + (cached ?? 0) + (tokens(usage["cache_creation_input_tokens"]) ?? 0), cached };
}

function responsesUsage(text: string): Usage | undefined {
  const usage = usageIn(text);
  const input = tokens(usage["input_tokens"]);
  const cached = tokens(fieldsOf(usage["input_tokens_details"])["cached_tokens"]);
  return input === undefined ? undefined : { input, cached };
}

/** Marks what is kept: this vendor caches nothing unasked. */
const KEEP = { cache_control: { type: "ephemeral" } };
const marked = (tools: readonly unknown[]): unknown[] =>
  tools.map((tool, at) => (at === tools.length - 1 ? { ...(tool as object), ...KEEP } : tool));

/** The APIs by their names in the command line. */
export const APIS: Readonly<Record<"chat" | "messages" | "responses", CacheApi>> = {
  chat: {
    path: "chat/completions",
    format: "openai",
    keyName: "OPENAI_API_KEY",
    headers: bearer,
    body: ({ model, tools, system, turns }) => ({
      model,
      tools,
      messages: [{ role: "system", content: system }, ...turns.map((content, at) => ({ role: role(at), content }))],
    }),
    usage: chatUsage,
  },
  messages: {
    path: "messages",
    format: "anthropic",
    keyName: "ANTHROPIC_API_KEY",
    headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
    body: ({ model, tools, system, turns }) => ({
      model,
      max_tokens: 16,
      tools: marked(tools),
      system: [{ type: "text", text: system, ...KEEP }],
      messages: turns.map((text, at) => {
        const isLast = at === turns.length - 1;
        return { role: role(at), content: [{ type: "text", text, ...(isLast && KEEP) }] };
      }),
    }),
    usage: messagesUsage,
  },
  responses: {
    path: "responses",
    format: "openai-responses",
    keyName: "OPENAI_API_KEY",
    headers: bearer,
    body: ({ model, tools, system, turns }) => ({
      model,
      store: false,
      tools,
      instructions: system,
      input: turns.map((content, at) => ({ role: role(at), content })),
    }),
    usage: responsesUsage,
  },
};
