/** Has words written while the gateway serves: by which model, and where they are kept. */

import { join } from "node:path";
import type { BackgroundOptions, EnrichEndpoint } from "toolsift";
import { fileStore } from "toolsift/store";
import { home } from "../home.js";
import { oneLine } from "../output/escape.js";
import { tell } from "../output/print.js";

/** What the flags say of the model. */
export interface EnrichFlags {
  enrich?: string;
  enrichUrl?: string;
  enrichKeyEnv?: string;
}

const OPENAI = "https://api.openai.com/v1";

/** The option of the gateway that the flags stand for; nothing where no model is named. */
export function endpointOf({
  enrich: model,
  enrichUrl: baseURL = OPENAI,
  enrichKeyEnv = "OPENAI_API_KEY",
}: EnrichFlags): BackgroundOptions | undefined {
  if (model === undefined) return undefined;
  const apiKey = process.env[enrichKeyEnv]?.trim() || undefined;
  const api = URL.canParse(baseURL) && new URL(baseURL).hostname === "api.anthropic.com" ? "anthropic" : "openai";
  return { model: { baseURL, model, api, ...(apiKey !== undefined && { apiKey }) } };
}

/** The option with a folder of the user's, which the gateways of all clients share. Says what leaves this machine. */
export function keptHere(options: BackgroundOptions | undefined): BackgroundOptions | undefined {
  if (options === undefined) return undefined;
  const { baseURL, model } = Object(options.model) as Partial<EnrichEndpoint>;
  const where = `${oneLine(String(model), 80)} at ${oneLine(String(baseURL), 200)}`;
  tell(`Words for tools that have none are asked of ${where}: names, descriptions and parameters of tools are sent there.`);
  return { store: fileStore(join(home(), "words")), ...options };
}
