/** The options for a model that writes search words for tools while the gateway or the proxy runs. */

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
      "let this model write search words for tools that have none, in the background; it gets their definitions",
    )
    .option(
      "--enrich-url <url>",
      `base URL of that model: an OpenAI-compatible API, or https://${ANTHROPIC}/v1 (default: ${where})`,
    )
    .option("--enrich-key-env <name>", "the environment variable that holds the key (default: OPENAI_API_KEY)");
}

/**
 * Returns the value of the option `enrich` for these flags, or undefined without `--enrich`.
 *
 * @throws Failure if `--enrich-url` or `--enrich-key-env` is given without `--enrich`
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
  // OPENAI_API_KEY is the default for OpenAI and for an address that the user gave. A proxy's upstream may be another vendor.
  const mayUseOpenAiKey = enrichUrl !== undefined || upstream === undefined || baseURL === OPENAI;
  const keyEnv = enrichKeyEnv ?? (mayUseOpenAiKey ? "OPENAI_API_KEY" : host === ANTHROPIC ? "ANTHROPIC_API_KEY" : "");
  const apiKey = process.env[keyEnv]?.trim() || undefined;
  const api = host === ANTHROPIC ? "anthropic" : "openai";
  return { model: { baseURL, model, api, ...(apiKey !== undefined && { apiKey }) } };
}

/** Returns the base URL of an upstream's API. It adds `/v1` unless the address ends in a version. */
const baseOf = (upstream: string): string => {
  const base = upstream.replace(/\/+$/, "");
  return /\/v\d+$/.test(base) ? base : `${base}/v1`;
};

/** Adds a store in the user's home folder, which all gateways and proxies share. Tells the user what leaves this machine. */
export function withDefaultStore(options: BackgroundOptions | undefined): BackgroundOptions | undefined {
  if (options === undefined) return undefined;
  const { baseURL, model } = Object(options.model) as Partial<EnrichEndpoint>;
  const where = `${oneLine(String(model), 80)} at ${oneLine(String(baseURL), 200)}`;
  tell(`${where} writes search words for tools that have none. Their names, descriptions and parameters are sent there.`);
  return { store: fileStore(join(home(), "words")), ...options };
}
