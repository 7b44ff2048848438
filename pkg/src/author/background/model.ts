/** Makes one function of every kind of model. */

import type { BackgroundOptions, EnrichRequest } from "../../types/background.js";
import { completeWith } from "../endpoint.js";

/** The model as a function that answers a prompt. */
export function functionOf(model: BackgroundOptions["model"]): (request: EnrichRequest) => Promise<string> | string {
  if (typeof model === "function") return model;
  if (!("doGenerate" in model)) return completeWith(model);
  return async ({ system, prompt, maxTokens, signal }) => {
    const messages = [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text: prompt }] },
    ];
    const { content } = await model.doGenerate({ prompt: messages, maxOutputTokens: maxTokens, abortSignal: signal });
    return content.flatMap((part) => (part.type === "text" ? String(Object(part)["text"]) : [])).join("");
  };
}
