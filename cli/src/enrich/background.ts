/** Has words written while the gateway or the proxy serves: by which model, and where they are kept. */

import { join } from "node:path";
import type { Command } from "commander";
import type { BackgroundOptions, EnrichEndpoint } from "toolsift";
import { fileStore } from "toolsift/store";
import { Failure, WRONG_USAGE } from "../base/failure.js";
import { home } from "../base/home.js";
import { oneLine } from "../output/escape.js";
import { tell } from "../output/print.js";

/** The flags that choose the model. */
export interface EnrichFlags {
  enrich?: string;
  enrichUrl?: string;
  enrichKeyEnv?: string;
}

const OPENAI = "https://api.openai.com/v1";
const ANTHROPIC = "api.anthropic.com";

/** Adds the flags of the model to a command. */
export function withEnrich(command: Command, where: string): Command {
  return command
    .option(
      "--enrich <model>",
      "have this model write words for tools without any, while it serves; sends it their definitions",
    )
    .option("--enrich-url <url>", `where the model is: an OpenAI-compatible API, or https://${ANTHROPIC}/v1; ${where}`)
    .option("--enrich-key-env <name>", "the environment variable that holds the key; OPENAI_API_KEY by itself");
}

/**
 * The option that the flags stand for; nothing where no model is named.
 *
 * @throws Failure where flags say more of a model that none names
 */
export function endpointOf(
  { enrich: model, enrichUrl, enrichKeyEnv }: EnrichFlags,
  upstream?: string,
): BackgroundOptions | undefined {
  if (model === undefined && (enrichUrl ?? enrichKeyEnv) !== undefined) {
    throw new Failure("--enrich-url and --enrich-key-env need --enrich, which names the model", WRONG_USAGE);
  }
  if (model === undefined) return undefined;
  const baseURL = enrichUrl ?? (upstream === undefined ? OPENAI : baseOf(upstream));
  const host = URL.canParse(baseURL) ? new URL(baseURL).hostname : "";
  // A key goes where somebody sent it: the upstream of a proxy may be another vendor than the one that the variable is for.
  const isSaid = enrichUrl !== undefined || upstream === undefined || baseURL === OPENAI;
  const keyEnv = enrichKeyEnv ?? (isSaid ? "OPENAI_API_KEY" : host === ANTHROPIC ? "ANTHROPIC_API_KEY" : "");
  const apiKey = process.env[keyEnv]?.trim() || undefined;
  const api = host === ANTHROPIC ? "anthropic" : "openai";
  return { model: { baseURL, model, api, ...(apiKey !== undefined && { apiKey }) } };
}

/** The base of the API behind a proxy's upstream, which may have its version or not. */
const baseOf = (upstream: string): string => {
  const base = upstream.replace(/\/+$/, "");
  return /\/v\d+$/.test(base) ? base : `${base}/v1`;
};

/** The option with a folder of the user's, which all gateways and proxies share. Says what leaves this machine. */
export function keptHere(options: BackgroundOptions | undefined): BackgroundOptions | undefined {
  if (options === undefined) return undefined;
  const { baseURL, model } = Object(options.model) as Partial<EnrichEndpoint>;
  const where = `${oneLine(String(model), 80)} at ${oneLine(String(baseURL), 200)}`;
  tell(`Words for tools that have none are asked of ${where}: names, descriptions and parameters of tools are sent there.`);
  return { store: fileStore(join(home(), "words")), ...options };
}
