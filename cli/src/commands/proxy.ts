/** `toolsift proxy`: tool search in front of a model's API. Clients change only their base URL. */

import { Command, Option } from "commander";
import type { SiftProxyOptions } from "toolsift/proxy";
import { type EnrichFlags, endpointOf, withDefaultStore, withEnrich } from "../enrich/background.js";
import { misuse } from "../base/failure.js";
import { serveProxy } from "../proxy/serve.js";
import { collected } from "../sources/enrichment.js";
import { activation, definedEntries, hostNames, profileOption, wholeNumber } from "./options.js";

interface ProxyOptions extends EnrichFlags {
  upstream: string;
  port: number;
  host?: string;
  token?: string;
  allowHost?: string[];
  allowOrigin?: string[];
  profile?: string;
  activation?: unknown;
  always?: string[];
  settings?: string;
  store?: string;
  storeTtl?: number;
  prefetch?: "first" | "always" | "never";
  maxRounds?: number;
  timeout?: number;
  quiet?: true;
}

const PORT = 8787;

/** Makes the command. */
export function proxyCommand(): Command {
  const command = new Command("proxy")
    .description("tool search in front of a model's API: clients change their base URL, and nothing else")
    .addHelpText(
      "after",
      `
It understands Chat Completions and Responses (OpenAI, and every vendor with these APIs), Anthropic's Messages, and
Gemini's generateContent; other requests pass through. Keys are the client's: they are handed on, kept nowhere and never
logged. On stderr, each request says what its tools cost.

Examples:
  $ toolsift proxy --upstream https://api.openai.com        # base URL of the client: http://127.0.0.1:${PORT}/v1
  $ toolsift proxy --upstream https://api.anthropic.com     # base URL of the client: http://127.0.0.1:${PORT}
  $ toolsift proxy --upstream http://127.0.0.1:11434 --activation on --store ./sessions   # Ollama's /v1`,
    )
    .requiredOption(
      "--upstream <url>",
      "base URL of the model's API without the path, such as https://api.openai.com; no other address is called",
    )
    .option("--port <port>", "listen on this port; 0 takes a free one", wholeNumber(0, 65_535), PORT)
    .option("--host <address>", "bind another address than 127.0.0.1; needs --token")
    .addOption(new Option("--token <text>", "what callers send as x-toolsift-token").env("TOOLSIFT_PROXY_TOKEN"))
    .option("--allow-host <name>", "accept this name in the Host header too (repeatable)", hostNames)
    .option("--allow-origin <host>", "accept requests from web pages of this host (repeatable)", hostNames)
    .addOption(profileOption())
    .option("--activation <when>", "when tools are deferred: auto, on, off, or a number of tokens", activation)
    .option("--always <name>", "never defer this tool (repeatable)", collected)
    .addOption(
      new Option("--prefetch [when]", "load tools that clearly fit the user's message before the model is asked")
        .choices(["first", "always", "never"])
        .preset("always"),
    )
    .option("--settings <file>", "JSON with further options of siftProxy")
    .option("--store <folder>", "keep each conversation's loaded tools here, for restarts and for other proxies")
    .option(
      "--store-ttl <seconds>",
      "forget a conversation after this many seconds; 0 for never",
      wholeNumber(0, 315_360_000),
    )
    .option("--max-rounds <number>", "the most search rounds for one request of the client", wholeNumber(1, 100))
    .option("--timeout <seconds>", "end a request after this many seconds", wholeNumber(1, 86_400))
    .option("--quiet", "do not print a line for each request")
    .action(async (options: ProxyOptions) => {
      const { upstream, port, host, token, allowHost, allowOrigin, settings, store, quiet, timeout } = options;
      if (!URL.canParse(upstream)) throw misuse("--upstream must be a URL, such as https://api.openai.com");
      const { profile, activation: when, always, prefetch, maxRounds, storeTtl } = options;
      const flags = definedEntries({
        sift: definedEntries({ profile, activation: when, alwaysAvailable: always }),
        prefetch: prefetch === "first" || prefetch === undefined ? prefetch : prefetch === "always",
        maxRounds,
        stateTtl: storeTtl,
        timeoutMs: timeout === undefined ? undefined : timeout * 1_000,
        enrich: withDefaultStore(endpointOf(options, upstream)),
      }) as Partial<SiftProxyOptions>;
      const admitted = { host, token, allowedHosts: allowHost, allowedOrigins: allowOrigin };
      await serveProxy({ upstream, port, flags, ...admitted, settings, store, quiet });
    });
  return withEnrich(command, "the upstream");
}
