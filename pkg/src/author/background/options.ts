/** Checks what words are to be written with, before any are asked for. */

import { oneOf } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import { type Check, type Shape, shaped, wholeOf, withMethods } from "../../base/shape.js";
import type { BackgroundOptions } from "../../types/background.js";
import { kind } from "../../base/values.js";
import { languagesOf } from "../enrich/options.js";

const MOST = 1_000_000_000;
const DEFAULT = {
  languages: ["en"],
  maxTools: 1_000,
  maxTokens: 1_000_000,
  maxMs: 3_600_000,
  maxCost: Number.POSITIVE_INFINITY,
  price: { input: 0, output: 0 },
};

const dollars: Check = (key, value) => {
  if (typeof value === "number" && value >= 0) return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be a number of US dollars`);
};

const OPTIONS: Shape<BackgroundOptions> = {
  model: aModel,
  languages: (_, value) => void languagesOf(value),
  store: withMethods("a storage", "getItem", "setItem"),
  maxTools: wholeOf(0, MOST),
  maxTokens: wholeOf(0, MOST),
  maxMs: wholeOf(0, MOST),
  maxCost: dollars,
  price: (key, value) => ["input", "output"].forEach((one) => dollars(`${key}.${one}`, Object(value)[one])),
};

/** Options that were checked. */
export type BackgroundSettings = Pick<BackgroundOptions, "model" | "store"> &
  Required<Omit<typeof DEFAULT, "languages">> & { languages: readonly string[] };

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range` */
export function settingsOf(options: unknown): BackgroundSettings {
  const valid = shaped<BackgroundOptions>(options, OPTIONS, "options.enrich");
  if (valid.model === undefined) throw new ToolSiftError("option_invalid", "options.enrich has no model");
  return { ...DEFAULT, ...(valid as BackgroundSettings) };
}

function aModel(_: string, value: unknown): void {
  const { doGenerate, baseURL, model, apiKey, api } = Object(value) as Record<string, unknown>;
  if (typeof value === "function" || typeof doGenerate === "function") return;
  if (typeof baseURL !== "string" || typeof model !== "string" || !URL.canParse(baseURL)) {
    const help = "it must be a model of AI SDK, a function, or { baseURL, model }";
    throw new ToolSiftError("option_invalid", `options.enrich.model is ${kind(value)}; ${help}`);
  }
  oneOf("enrich.model.api", api, ["openai", "anthropic"]);
  const { protocol, hostname } = new URL(baseURL);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (apiKey === undefined || protocol === "https:" || isHere) return;
  throw new ToolSiftError("option_invalid", `options.enrich.model would send its key to ${hostname} unencrypted; use https`);
}
