/** `toolsift cache-check`: what a vendor's prompt cache keeps after a reveal, and which surface to choose. */

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Command, Option } from "commander";
import { APIS, type Usage } from "../cache/apis.js";
import { requestsOf } from "../cache/conversation.js";
import { type Verdict, verdictOf } from "../cache/verdict.js";
import { FAILED, Failure } from "../failure.js";
import { ask, keyIn, urlOf } from "../model-server.js";
import { oneLine } from "../output/escape.js";
import { colours, print, printJson, progress } from "../output/print.js";
import { count, percent, table } from "../output/table.js";
import { jsonOption, wholeNumber } from "./options.js";

interface CacheCheckOptions {
  url: URL;
  model: string;
  api: keyof typeof APIS;
  keyEnv?: string;
  wait: number;
  json?: true;
}

/** Local models may need minutes for the first request. */
const LONGEST_MS = 600_000;
const NAMES = ["first", "before a reveal", "after a reveal"];

export function cacheCheckCommand(): Command {
  return new Command("cache-check")
    .description("check what your model's prompt cache keeps when a tool is added, and which surface to choose")
    .requiredOption("--url <url>", "the base of the API, such as https://api.openai.com/v1", urlOf)
    .requiredOption("-m, --model <name>", "the model, as its server calls it")
    .addOption(new Option("--api <name>", "the API that it speaks").choices(Object.keys(APIS)).default("chat"))
    .option("--key-env <name>", "the environment variable that holds the key; that of the API by itself")
    .option("--wait <seconds>", "wait so long between requests, since caches need a moment", wholeNumber(0, 600), 3)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift cache-check --url https://api.openai.com/v1 --model gpt-5.4-mini
  $ toolsift cache-check --url https://api.anthropic.com/v1 --model claude-haiku-4-5 --api messages
  $ toolsift cache-check --url http://localhost:8000/v1 --model qwen3 --wait 0 --json

Three requests of about 8,000 tokens are sent, and what they cost is yours: one fills the cache, one goes on with the same
tools, and one goes on with a tool more. The keys are in OPENAI_API_KEY (chat, responses) and ANTHROPIC_API_KEY (messages).
The exit code is 1 where the replies do not say what was cached.`,
    )
    .action(run);
}

async function run({ url, model, api: name, keyEnv, wait, json }: CacheCheckOptions): Promise<void> {
  const api = APIS[name];
  const keyName = keyEnv ?? api.keyName;
  const key = keyIn(keyName, url, keyEnv !== undefined);
  const headers = key === undefined ? {} : api.headers(key);
  const server = { model, base: url, key, keyName, path: api.path };
  const line = progress();
  const usages: Usage[] = [];
  try {
    for (const [at, asked] of requestsOf(model, api.format, randomUUID()).entries()) {
      if (at > 0) await pause(wait * 1_000);
      line.at(`request ${at + 1} of ${NAMES.length}: ${NAMES[at]}`);
      const text = await ask(server, { headers, body: api.body(asked) }, AbortSignal.timeout(LONGEST_MS));
      const usage = api.usage(text);
      if (usage === undefined) {
        throw new Failure(`the reply has no usage, so that nothing can be said of the cache: ${oneLine(text, 200)}`);
      }
      usages.push(usage);
    }
  } finally {
    line.done();
  }
  const verdict = verdictOf(usages);
  if (verdict.cache === "unknown") process.exitCode = FAILED;
  if (json) {
    const requests = usages.map((usage, at) => ({ name: NAMES[at], input: usage.input, cached: usage.cached ?? null }));
    const { before = null, after = null, ...others } = verdict;
    return printJson({ url: url.href, model, api: name, requests, before, after, ...others });
  }
  const columns = [{ title: "request" }, ...["input", "cached", "kept"].map((title) => ({ title, isNumber: true }))];
  const kept = [undefined, verdict.before, verdict.after];
  const rows = usages.map(({ input, cached }, at) => [
    NAMES[at]!,
    count(input),
    cached === undefined ? "?" : count(cached),
    kept[at] === undefined ? "" : percent(kept[at]),
  ]);
  print(table(columns, rows));
  print(`\n${reasonOf(verdict)} Choose ${colours.bold(`surface: "${verdict.surface}"`)}.`);
}

function reasonOf({ cache, before = 0, after = 0 }: Verdict): string {
  switch (cache) {
    case "lost":
      return `A reveal loses ${percent(1 - after / before)} of what the cache keeps.`;
    case "kept":
      return "A reveal costs the cache nothing of note.";
    case "none":
      return "Nothing came from a cache: there is none, or it needs longer (--wait 60). Without one, fewer tokens cost less.";
    case "unknown":
      return "The replies do not say what came from a cache; the vendor's bill does. As long as nothing is known:";
  }
}
