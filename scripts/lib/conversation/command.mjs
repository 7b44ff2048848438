/** `npm run prompt-size -- --conversation`: what is asked, measured, shown and checked. */

import { readCatalogs } from "../catalogs.mjs";
import { step } from "../progress.mjs";
import { Problem } from "../run.mjs";
import { evictions } from "./evict.mjs";
import { checkAppends, converse, FULL, playersOf } from "./measure.mjs";
import { ANSWER, RESULT } from "./play.mjs";
import { RATES, ratesOf } from "./rates.mjs";
import { printCatalogs, printDearer, printEvictions, printLegend, printSummary, printTurns } from "./table.mjs";
import { WIRES } from "./wire.mjs";

const FORMATS = Object.keys(WIRES);
/** Where one format stands for all: the first. */
const [ONE] = FORMATS;
const EXAMPLES = Object.entries(RATES).map(([key, rate]) => `${key}=${rate}`).join(",");
const WRITERS = FORMATS.filter((format) => WIRES[format].writes).join(", ");

/** What the options of the conversation are, for the help. */
export const CONVERSATION_HELP = `\
With --conversation: what ten scripted turns of a user cost under each profile, request by request, in the format of
each vendor, against everything in full. For the captured servers the turns are written; for the tools of a folder they
ask for six of them in their own words. Four turns use a tool again, one needs two, one asks for what no tool does.
Last, what it costs to evict revealed tools on the way.
  --rates K=V,…   dollars per million tokens; examples are the default: ${EXAMPLES}
  --turns         also turn by turn, for every profile and format
  --profile NAME  turn by turn for this profile; ${FULL} is everything in full
  --format NAME   turn by turn in this format, and what one format stands for (${ONE}): single catalogs and
                  evictions; one of ${FORMATS.join(", ")}

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

/**
 * Plays the conversation about all `catalogs` together and about each by itself, then with evictions, and shows it, or all
 * of it as JSON: `{ rates, conversations, evictions }`. A request of the profile that appends only, and does not, is an
 * error behind that.
 */
export async function runConversation(ToolSift, catalogs, asked, json) {
  const { rates, profile, format = ONE, lists } = asked;
  if (profile !== undefined) oneOf("profile", profile, playersOf(ToolSift).map(({ name }) => name));
  const written = lists === undefined;
  const play = (some, formats) => converse(ToolSift, some, { formats, rates, written });
  const name = catalogs.length > 1 ? `all ${catalogs.length}` : catalogs[0].server;
  const found = await step("playing the conversation", async () => play(catalogs, FORMATS));
  if (found === null) throw new Problem(`${name}: there is no tool that can be registered`);
  const together = { catalog: name, ...found };
  const single = await step("playing it with each catalog by itself", async () =>
    (catalogs.length > 1 ? catalogs : []).flatMap((one) => {
      const conversation = play([one], [format]);
      return conversation === null ? [] : [{ catalog: one.server, ...conversation }];
    }),
  );
  single.sort((a, b) => a.definitions - b.definitions);
  const evicted = await step("playing it with evictions", async () =>
    evictions(ToolSift, catalogs, { format, rates, written }),
  );
  const conversations = [together, ...single];
  if (json) console.log(JSON.stringify({ rates, conversations, evictions: evicted }, null, 2));
  else print(conversations, evicted, asked);
  checkAppends(conversations);
}

function print([together, ...single], evicted, { rates, turns, profile, format }) {
  printSummary(together);
  if (single.length > 0) printCatalogs(single);
  printEvictions(evicted);
  if (turns || profile !== undefined || format !== undefined) {
    const fits = (run) => run.profile === (profile ?? run.profile) && run.format === (format ?? run.format);
    for (const run of together.runs.filter(fits)) printTurns(together, run);
  }
  printDearer([together, ...single]);
  printLegend(rates);
}
