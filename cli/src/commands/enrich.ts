/** `toolsift enrich`: lets a model write extra search words for tools into a file, which the user reviews and commits. */

import { confirm, isCancel } from "@clack/prompts";
import { Command, Option } from "commander";
import type { SingleTool, ToolSift } from "toolsift";
import { enrich, type EnrichEstimate, type EnrichReport, estimate } from "toolsift/author";
import { chat, type Usage } from "../enrich/chat.js";
import { checkWritable, entriesBefore, standardFile, writeEntries } from "../enrich/file.js";
import { costOf, dollars, type Price, priceOf } from "../enrich/price.js";
import { FAILED, Failure, misuse } from "../base/failure.js";
import { onSignal } from "../base/signals.js";
import { keyIn, urlOf } from "../enrich/model-server.js";
import { oneLine, quoted } from "../output/escape.js";
import { colours, print, printJson, progress, tell, warn } from "../output/print.js";
import { count, counted } from "../output/table.js";
import { catalogOf } from "../sources/catalog.js";
import { readSources, type SourceOptions, withSources } from "../sources/sources.js";
import { definedEntries, jsonOption, wholeNumber } from "./options.js";

interface EnrichCommandOptions extends SourceOptions {
  model?: string;
  baseUrl: URL;
  keyEnv: string;
  out?: string;
  languages?: string[];
  batch?: number;
  concurrency?: number;
  price?: Price;
  dryRun?: true;
  yes?: true;
  json?: true;
}

const OPENAI = "https://api.openai.com/v1";
/** The most reasons for failed tools that are printed. */
const TOLD = 10;
/** The most progress lines without a terminal. */
const TENTHS = 10;

export function enrichCommand(): Command {
  return withSources(new Command("enrich"))
    .description("let a model write the words that people use for tools, so that searches find them")
    .option("-m, --model <name>", "the model, as its server calls it")
    .addOption(new Option("--base-url <url>", "an OpenAI-compatible API").argParser(urlOf).default(new URL(OPENAI), OPENAI))
    .option("--key-env <name>", "the environment variable that holds the key", "OPENAI_API_KEY")
    .option(
      "-o, --out <file>",
      "the output file, also used to continue (default: enrichment.jsonl next to the tools or in the current folder)",
    )
    .option("--languages <tags>", "languages, such as en,ja,de (default: en)", (value) =>
      value.split(",").map((tag) => tag.trim()),
    )
    .addOption(new Option("--price <in,out>", "US dollars for a million tokens, to show what it costs").argParser(priceOf))
    .addOption(new Option("--batch <number>", "tools in one request").argParser(wholeNumber(1, 50)))
    .addOption(new Option("--concurrency <number>", "requests at the same time").argParser(wholeNumber(1, 32)))
    .option("--dry-run", "show the estimated requests, tokens and cost, and send nothing to the model")
    .option("-y, --yes", "begin without asking")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift enrich tools.json --dry-run --price 0.15,0.6
  $ toolsift enrich tools.json --model gpt-5.4-mini --yes
  $ toolsift enrich ~/.cursor/mcp.json --model qwen3 --base-url http://localhost:11434/v1 --out words.jsonl
  $ toolsift eval queries.txt tools.json --enrichment enrichment.jsonl

The file is written after every request. A run that was interrupted goes on where it stopped, and a later run asks only for
tools whose definitions have changed. Names, descriptions and parameters of the tools are sent to the model's server.`,
    )
    .action(run);
}

async function run(paths: string[], options: EnrichCommandOptions): Promise<void> {
  const { model, dryRun = false } = options;
  if (model === undefined && !dryRun) throw misuse("name a model with --model, or look at the cost with --dry-run");
  const { lists, files } = await readSources(paths, options);
  const file = options.out ?? (await standardFile(files));
  const tools = definitionsOf(catalogOf(lists, { activation: "off" }));
  const previous = await entriesBefore(file, paths);
  const { languages, batch, concurrency } = options;
  const choices = { previous, ...definedEntries({ languages, batch, concurrency }) };
  const wanted = estimated(tools, choices);
  if (dryRun)
    return options.json ? printJson(shownEstimate(wanted, file, options.price)) : print(estimateText(wanted, options.price));
  if (wanted.tools === 0) {
    if (options.json)
      return printJson({ file, written: 0, kept: tools.length, failed: [], tokens: { input: 0, output: 0 } });
    return print(`${colours.bold(oneLine(file, 200))}: nothing to do, every tool has its words.`);
  }
  const { baseUrl, keyEnv } = options;
  const key = keyIn(keyEnv, baseUrl, baseUrl.origin === new URL(OPENAI).origin || keyEnv !== "OPENAI_API_KEY");
  await checkWritable(file);
  tell(estimateText(wanted, options.price));
  if (!(await isAgreed(options))) return tell("Stopped. No request was sent to the model.");
  const ending = new AbortController();
  const { complete, usage } = chat({
    model: model!,
    base: options.baseUrl,
    key,
    keyName: options.keyEnv,
    end: (failure) => ending.abort(failure),
  });
  const line = progress();
  const leave = onSignal((code) => {
    const why = `interrupted; ${quoted(file)} contains the results so far; run the same command to continue`;
    ending.abort(new Failure(why, code));
  });
  let tenth = 0;
  try {
    const report = await enrich(tools, {
      ...choices,
      complete,
      signal: ending.signal,
      onProgress: async ({ done, of, written, entries }) => {
        if (entries.length > 0) await writeEntries(file, entries);
        const text = `${count(done)} of ${counted(of, "request")}, ${counted(written, "tool")} written`;
        const isNext = Math.floor((TENTHS * done) / of) > tenth;
        tenth = Math.floor((TENTHS * done) / of);
        if (process.stderr.isTTY) line.at(text);
        else if (isNext) tell(text);
      },
    });
    line.done();
    show(report, usage, file, options);
  } finally {
    line.done();
    leave();
  }
}

function definitionsOf(sift: ToolSift): SingleTool[] {
  try {
    const definitions = sift.session("enrich").assemble({ format: "mcp" }).tools;
    return sift.tools().map(({ originalName: name, server, title, description }, at) => {
      return { name, server, title, description, inputSchema: definitions[at]!.inputSchema as object };
    });
  } finally {
    sift.dispose();
  }
}

/** Estimates the requests and tokens of a run. @throws Failure for an invalid language tag */
function estimated(tools: SingleTool[], choices: Parameters<typeof estimate>[1]): EnrichEstimate {
  try {
    return estimate(tools, choices);
  } catch (error) {
    throw misuse((error as Error).message.replaceAll("options.", "--"));
  }
}

function shownEstimate(
  { tools, requests, inputTokens, outputTokens }: EnrichEstimate,
  file: string,
  price: Price | undefined,
): object {
  const cost = price && costOf(price, { input: inputTokens, output: outputTokens });
  return { file, tools, requests, inputTokens, outputTokens, ...(cost !== undefined && { cost }) };
}

function estimateText({ tools, requests, inputTokens, outputTokens }: EnrichEstimate, price: Price | undefined): string {
  if (tools === 0) return "Nothing to do: every tool has its words.";
  const tokens = `about ${count(inputTokens)} tokens in and ${count(outputTokens)} out`;
  const cost = price === undefined ? "" : `, ${dollars(costOf(price, { input: inputTokens, output: outputTokens }))}`;
  return `${counted(tools, "tool")} in ${counted(requests, "request")}: ${tokens}${cost}.`;
}

/** Asks the user for permission to begin. @throws Failure if there is no terminal to ask on */
async function isAgreed({ yes, json, model, baseUrl }: EnrichCommandOptions): Promise<boolean> {
  if (yes) return true;
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true || json) {
    throw misuse("cannot ask without a terminal. Look at the cost with --dry-run, then pass --yes.");
  }
  const answer = await confirm({ message: `Ask ${quoted(model!)} at ${baseUrl.host}?`, initialValue: true });
  return !isCancel(answer) && answer;
}

function show(
  { written, kept, failed, tokens }: EnrichReport,
  usage: Usage,
  file: string,
  options: EnrichCommandOptions,
): void {
  const counts = usage.isWhole ? { input: usage.input, output: usage.output } : tokens;
  const cost = options.price && costOf(options.price, counts);
  if (failed.length > 0) process.exitCode = FAILED;
  if (options.json) return printJson({ file, written, kept, failed, tokens: counts, ...(cost !== undefined && { cost }) });
  // If the model's server does not answer, many tools fail for the same reason: it is printed once.
  const reasons = [...new Set(failed.map(({ reason }) => reason))];
  for (const reason of reasons.slice(0, TOLD)) {
    const [{ name, server }, ...others] = failed.filter((one) => one.reason === reason) as [(typeof failed)[0]];
    const which = oneLine(server === null ? name : `${server}: ${name}`, 100);
    warn(`${which}${others.length > 0 ? ` and ${counted(others.length, "more tool")}` : ""}: ${oneLine(reason, 300)}`);
  }
  if (reasons.length > TOLD) warn(`… and ${counted(reasons.length - TOLD, "more reason")}; --json has all of them`);
  const sums = [
    `${count(written)} written`,
    `${count(kept)} kept`,
    ...(failed.length > 0 ? [`${count(failed.length)} failed`] : []),
  ];
  const about = usage.isWhole ? "" : "about ";
  const price = cost === undefined ? "" : `, ${about}${dollars(cost)}`;
  print(
    `${colours.bold(oneLine(file, 200))}: ${sums.join(", ")}; ${about}${count(counts.input)} tokens in, ${count(counts.output)} out${price}`,
  );
  if (written > 0)
    print("Review the file before you commit it. To measure its effect: toolsift eval QUERIES TOOLS --enrichment FILE");
}
