/** Asks a model over OpenAI's Chat Completions, which most vendors and local servers speak. */

import { type Complete, completeWith } from "toolsift/author";
import { explained, type ModelServer } from "./model-server.js";

/** The tokens of all requests, as the model's server counts them. */
export interface Usage {
  input: number;
  output: number;
  /** Whether every answer reported its tokens. If not, the sums are too low. */
  isWhole: boolean;
}

/** Returns a function that asks the model, and the tokens that its requests have taken so far. */
export function chat(server: ModelServer): { complete: Complete; usage: Usage } {
  const usage: Usage = { input: 0, output: 0, isWhole: true };
  const ask = completeWith({ baseURL: server.base.href, model: server.model, apiKey: server.key }, (reply) => {
    const { prompt_tokens: input, completion_tokens: output } = Object((reply as { usage?: unknown }).usage);
    if (typeof input === "number" && typeof output === "number") {
      usage.input += input;
      usage.output += output;
    } else usage.isWhole = false;
  });
  return { complete: (request) => explained(server, ask(request)), usage };
}
