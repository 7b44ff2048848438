/** `npm run trial`: measures which tools a model finds with tool search, in how many rounds and with how many tokens. */

import { build } from "../scripts/build.mjs";
import { captureStep } from "../scripts/capture.mjs";
import { RATES, ratesOf } from "./conversation/rates.mjs";
import { numberOf, options } from "../scripts/lib/options.mjs";
import { at, stateDir } from "../scripts/lib/paths.mjs";
import { isCommand, main } from "../scripts/lib/progress.mjs";
import { Problem } from "../scripts/lib/run.mjs";
import { armOf } from "./trial/arm.mjs";
import { ROUNDS } from "./trial/converse.mjs";
import { play } from "./trial/play.mjs";
import { playerOf } from "./trial/player.mjs";
import { writeQueries } from "./trial/queries.mjs";
import { readRuns } from "./trial/recording.mjs";
import { printLegend, printRun, scoredRun, summaryOf } from "./trial/table.mjs";
import { readTrial } from "./trial/tasks.mjs";
import { APIS } from "./trial/wire.mjs";
import { setUp } from "../scripts/setup.mjs";

const RECORDINGS = at("lab", "trial", "recordings");
const ARMS = "sift,sift+words,ai-sdk,everything";
const EXAMPLES = Object.entries(RATES)
  .map(([key, rate]) => `${key}=${rate}`)
  .join(",");

const HELP = `npm run trial -- --url URL --model NAME [--arms A,B] [--size N,M] [--catalogs DIR] [--record DIR] …
npm run trial -- --player COMMAND | folder:DIR …
npm run trial -- --replay [DIR] [--json]
npm run trial -- --queries DIR [--size N] [--catalogs DIR]

Gives tasks to a model, with the tools as an arm presents them, and counts what it does: needed tools called and loaded,
wrong calls, rounds, tokens. Nothing is executed: every tool answers the same placeholder. A conversation ends with the
model's answer in words, or after ${ROUNDS} requests. Every conversation is recorded; a run that was interrupted goes on.
  --url URL       a model behind an OpenAI- or Anthropic-compatible API, such as https://api.openai.com/v1; the key is in
                  OPENAI_API_KEY, or ANTHROPIC_API_KEY with --api messages; a local server needs none
  --model NAME    its name there
  --api NAME      the form of requests: ${Object.keys(APIS).join(", ")}; chat unless said
  --player …      instead: a program that reads lines {"id", "conversation", "api", "request"} from its input and writes
                  lines {"id", "reply"}, in any order; or folder:DIR, for an agent that plays by hand: DIR/README.md says how
  --arms A,B      what is compared, ${ARMS} unless said: everything; ai-sdk, with its own toolSearch;
                  any profile, with +words (packs, or the enrichment of the set), +prefetch (the task is searched
                  before the first request) and +option=value of ToolSift
  --size N,M      tools in the catalog: those that the tasks need, filled up; all that there are unless said
  --catalogs DIR  tools to fill up with, beside those of the project: tools/list answers, a JSON file for each server
  --set DIR       tasks and tools of a labelled set, as npm run eval reads it, instead of ours
  --tasks N       so many of the tasks, always the same
  --needs N       only tasks with at least so many needs
  --parallel N    conversations at a time, 8 unless said; all of them with a folder
  --as TEXT       what the recordings call the model, if not by --model
  --mark TEXT     behind the name of every arm, to tell states of the code apart: sift before, sift after
  --record DIR    where the recordings go, DIR/SIZE/ARM.jsonl; target/toolsift/trial unless said
  --replay        the tables of recordings, those of the project unless said: no model, no network, no build
  --queries DIR   writes what models searched for, labelled, and the tools as a set for npm run eval -- DIR
  --rates K=V,…   dollars per million tokens; examples are the default: ${EXAMPLES}
  --json          the means as JSON`;

const SPEC = {
  url: { type: "string" },
  model: { type: "string" },
  api: { type: "string" },
  player: { type: "string" },
  arms: { type: "string" },
  size: { type: "string" },
  catalogs: { type: "string" },
  set: { type: "string" },
  tasks: { type: "string" },
  needs: { type: "string" },
  parallel: { type: "string" },
  as: { type: "string" },
  mark: { type: "string" },
  record: { type: "string" },
  replay: { type: "boolean" },
  queries: { type: "string" },
  rates: { type: "string" },
  json: { type: "boolean" },
};

/** Parses a count, or returns undefined. */
const countOf = (option, text) => (text === undefined ? undefined : numberOf(option, text, 1, 999_999));

/** Checks and returns the options, before the trial starts. */
export function checked({
  replay,
  folder,
  url,
  model,
  player,
  api = "chat",
  rates,
  as,
  arms = ARMS,
  size,
  record,
  ...rest
}) {
  if (!replay && folder !== undefined) throw new Problem(`${folder}: only --replay takes a folder without a name`);
  if (replay) return { replay: folder ?? RECORDINGS, rates: ratesOf(rates) };
  if (rest.queries !== undefined) return { queries: rest.queries, size: countOf("size", size), catalogs: rest.catalogs };
  if (!Object.hasOwn(APIS, api)) throw new Problem(`--api ${api}: it must be one of ${Object.keys(APIS).join(", ")}`);
  if ((url === undefined) === (player === undefined))
    throw new Problem("say who plays: either --url and --model, or --player");
  if (url !== undefined && model === undefined) throw new Problem("--url needs --model, the model's name there");
  if (url !== undefined && !URL.canParse(url)) throw new Problem(`--url ${url} is no URL`);
  const isFolder = player?.startsWith("folder:");
  if (isFolder && api !== "chat") throw new Problem("--player folder:DIR writes requests in one form: without --api");
  return {
    ...rest,
    url,
    player,
    api,
    model: model ?? "player",
    as: as ?? model ?? "a player",
    rates: ratesOf(rates),
    arms: arms.split(","),
    sizes: size === undefined ? [undefined] : size.split(",").map((one) => countOf("size", one)),
    record: record ?? `${stateDir}/trial`,
    tasks: countOf("tasks", rest.tasks),
    needs: countOf("needs", rest.needs),
    parallel: countOf("parallel", rest.parallel) ?? (isFolder ? Number.POSITIVE_INFINITY : 8),
  };
}

async function trial(options) {
  const asked = checked(options);
  if (asked.replay !== undefined) return show(readRuns(asked.replay), asked.rates, options.json);
  await setUp();
  if (asked.queries !== undefined) {
    await captureStep();
    const { tools, queries } = writeQueries(asked.queries, asked);
    return console.log(`${asked.queries}: ${queries} queries and ${tools} tools`);
  }
  await build();
  if (asked.set === undefined) await captureStep();
  const { ToolSift } = await import(at("pkg", "dist", "index.js"));
  const named = (arm) => (asked.mark === undefined ? arm : { ...arm, name: `${arm.name} ${asked.mark}` });
  const arms = asked.arms.map((name) => named(armOf(ToolSift, name)));
  const trials = asked.sizes.map((size) => readTrial({ ...asked, size }));
  const player = playerOf(asked);
  try {
    for (const each of trials) await play({ ...asked, trial: each, arms, player });
  } finally {
    player.close();
  }
  const sizes = trials.map(({ catalogs: [first] }) => String(first.length));
  const names = new Set(arms.map(({ name }) => name));
  const runs = readRuns(asked.record).filter(({ name }) => sizes.includes(name));
  const own = runs.map((run) => ({ ...run, arms: run.arms.filter(({ head }) => names.has(head.arm)) }));
  show(own, asked.rates, options.json);
}

function show(runs, rates, json) {
  const scored = runs.map((run) => scoredRun(run, rates));
  if (json) return console.log(JSON.stringify({ rates, runs: scored.map(summaryOf) }, null, 2));
  for (const run of scored) printRun(run);
  printLegend();
}

if (isCommand(import.meta.url)) {
  const asked = options(SPEC, HELP, { operand: "folder" });
  await main(() => trial(asked));
}
