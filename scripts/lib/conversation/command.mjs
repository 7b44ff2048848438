/** `npm run prompt-size -- --conversation`: what is asked, measured, shown and checked. */

import { readCatalogs } from "../catalogs.mjs";
import { dim, step } from "../progress.mjs";
import { Problem } from "../run.mjs";
import { checkAppends, converse, FULL, playersOf } from "./measure.mjs";
import { ANSWER, RESULT } from "./play.mjs";
import { RATES, ratesOf } from "./rates.mjs";
import { printCatalogs, printDearer, printSummary, printTurns } from "./table.mjs";
import { WIRES } from "./wire.mjs";

const FORMATS = Object.keys(WIRES);
const WRITERS = FORMATS.filter((format) => WIRES[format].writes).join(", ");

/** What the options of the conversation are, for the help. */
export const CONVERSATION_HELP = `\
With --conversation: what ten scripted turns of a user cost under each profile, request by request, in the format of
each vendor, against everything in full. For the captured servers the turns are written; for the tools of a folder they
ask for six of them in their own words. Four turns use a tool again, one needs two, one asks for what no tool does.
  --rates K=V,…   dollars per million tokens; examples are the default: ${Object.entries(RATES).map(([key, rate]) => `${key}=${rate}`).join(",")}
  --turns         also turn by turn, for every profile and format
  --profile NAME  turn by turn for this profile; ${FULL} is everything in full
  --format NAME   turn by turn in this format, and single catalogs in it (${FORMATS[0]}); one of
                  ${FORMATS.join(", ")}

Tokens are characters / 4 of the request's JSON, in the order of the vendor's cache: tools, system, messages. Kept is
the share of the previous request's bytes that is an unchanged beginning, on the whole and at worst; cached are its
tokens, all others are new; again are tokens of the previous request that have to be paid as new. New tokens cost the
rate write where the vendor bills cache writes (${WRITERS}), otherwise input. A tool's result takes ${RESULT / 4} tokens, the
words at the end of a turn ${ANSWER / 4}. How long a cache lives, and from which length on it works, is left out.`;

/** The options of the conversation. */
export const CONVERSATION_SPEC = {
  conversation: { type: "boolean" },
  rates: { type: "string" },
  turns: { type: "boolean" },
  profile: { type: "string" },
  format: { type: "string" },
};

/** What was asked for, checked before anything takes time; undefined without `--conversation`. */
export function conversationOf({ conversation, folder, rates, turns, profile, format }) {
  if (!conversation) {
    const stray = Object.entries({ rates, turns, profile, format }).find(([, value]) => value !== undefined);
    if (stray) throw new Problem(`--${stray[0]} says something of a conversation: it needs --conversation`);
    return undefined;
  }
  if (format !== undefined) oneOf("format", format, FORMATS);
  const lists = folder === undefined ? undefined : readCatalogs(folder);
  return { rates: ratesOf(rates), turns, profile, format, lists };
}

function oneOf(option, value, allowed) {
  if (!allowed.includes(value)) throw new Problem(`--${option} ${value}: it must be one of ${allowed.join(", ")}`);
}

/** Plays the conversation about all `catalogs` together and about each by itself, and shows it, or all of it as JSON. */
export async function runConversation(ToolSift, catalogs, { rates, turns, profile, format, lists }, json) {
  if (profile !== undefined) oneOf("profile", profile, playersOf(ToolSift).map(({ name }) => name));
  const play = (some, formats) => converse(ToolSift, some, { formats, rates, written: lists === undefined });
  const name = catalogs.length > 1 ? `all ${catalogs.length}` : catalogs[0].server;
  const found = await step("playing the conversation", async () => play(catalogs, FORMATS));
  if (found === null) throw new Problem(`${name}: there is no tool that can be registered`);
  const together = { catalog: name, ...found };
  const single = await step("playing it with each catalog by itself", async () =>
    (catalogs.length > 1 ? catalogs : []).flatMap((one) => {
      const conversation = play([one], [format ?? FORMATS[0]]);
      return conversation === null ? [] : [{ catalog: one.server, ...conversation }];
    }),
  );
  single.sort((a, b) => a.tools - b.tools);
  if (json) console.log(JSON.stringify({ rates, conversations: [together, ...single] }, null, 2));
  else print(together, single, { rates, turns, profile, format });
  checkAppends([together, ...single]);
}

function print(together, single, { rates, turns, profile, format }) {
  printSummary(together);
  if (single.length > 0) printCatalogs(single);
  if (turns || profile !== undefined || format !== undefined) {
    const chosen = (run) => [profile ?? run.profile, format ?? run.format].join() === [run.profile, run.format].join();
    for (const run of together.runs.filter(chosen)) printTurns(together, run);
  }
  printDearer([together, ...single]);
  const said = Object.entries(rates).map(([key, rate]) => `${key} ${rate}`).join(", ");
  console.log(dim(`\nPrices in dollars, with rates per million tokens that are examples: ${said}.
Tokens are characters / 4. Kept: of the previous request's bytes, an unchanged beginning; worst: of one request.
Again: tokens of previous requests that were paid as new once more. Lost, or a star: the model did not get to
call all its tools. By itself: tokens of the definitions, their price in full, and the price of each profile against it.`));
}
