/** Asks a model over OpenAI's Chat Completions, which most vendors and local servers speak. */

import type { Complete } from "toolsift/author";
import { oneLine } from "../output/escape.js";
import { ask, type ModelServer, parsed } from "../model-server.js";

/** What requests took, as the model's server counts it. */
export interface Usage {
  input: number;
  output: number;
  /** Whether every answer said so. */
  isWhole: boolean;
}

const MESSAGE_CHARS = 200;

/** The model as a function, and what it took so far. */
export function chat(options: Omit<ModelServer, "path" | "headers">): { complete: Complete; usage: Usage } {
  const usage: Usage = { input: 0, output: 0, isWhole: true };
  const { model, key } = options;
  const headers = { ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const complete: Complete = async ({ system, prompt, signal }) => {
    const messages = [
      { role: "system", content: system },
      { role: "user", content: prompt },
    ];
    const server = { ...options, path: "chat/completions", headers };
    return contentOf(await ask(server, { model, messages }, signal as AbortSignal), usage);
  };
  return { complete, usage };
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
