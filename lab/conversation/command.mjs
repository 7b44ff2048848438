/** `npm run prompt-size -- --conversation`: reads its options, measures, prints the results and checks them. */

import { readCatalogs } from "../../scripts/lib/catalogs.mjs";
import { step } from "../../scripts/lib/progress.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { evictions } from "./evict.mjs";
import { ledger, VARIANTS } from "./ledger.mjs";
import { printEach, printLedger, printLedgerLegend, printLosses } from "./ledger-table.mjs";
import { checkAppends, converse, FULL, playersOf } from "./measure.mjs";
import { ANSWER, RESULT } from "./play.mjs";
import { RATES, ratesOf } from "./rates.mjs";
import { printCatalogs, printDearer, printEvictions, printLegend, printSummary, printTurns } from "./table.mjs";
import { WIRES } from "./wire.mjs";

const FORMATS = Object.keys(WIRES);
/** The first format, for measurements with only one format. */
const [ONE] = FORMATS;
const EXAMPLES = Object.entries(RATES)
  .map(([key, rate]) => `${key}=${rate}`)
  .join(",");
const WRITERS = FORMATS.filter((format) => WIRES[format].writes).join(", ");

/** The help text about the options of the conversation. */
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
  --gateway       instead of profiles: what a client sends directly, and through the gateway of npx toolsift mcp as it
                  is by default (${VARIANTS.map(({ name }) => name).join(", ")}), over servers made from these tools

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
  gateway: { type: "boolean" },
};

/** Checks and returns the options, before the measurement starts. Undefined without `--conversation`. */
export function conversationOf({ conversation, folder, rates, turns, profile, format, gateway }) {
  if (!conversation) {
    const stray = Object.entries({ rates, turns, profile, format, gateway }).find(([, value]) => value !== undefined);
    if (stray) throw new Problem(`--${stray[0]} says something of a conversation: it needs --conversation`);
    return undefined;
  }
  const ofProfiles = Object.entries({ turns, profile }).find(([, value]) => value !== undefined);
  if (gateway && ofProfiles) throw new Problem(`--${ofProfiles[0]} says something of profiles: not together with --gateway`);
  if (format !== undefined) oneOf("format", format, FORMATS);
  const lists = folder === undefined ? undefined : readCatalogs(folder);
  return { rates: ratesOf(rates), turns, profile, format, gateway, lists };
}

function oneOf(option, value, allowed) {
  if (!allowed.includes(value)) throw new Problem(`--${option} ${value}: it must be one of ${allowed.join(", ")}`);
}

/**
 * Plays the conversation with all `catalogs` together, with each catalog, and with evictions. Prints the results, or JSON:
 * `{ rates, conversations, evictions }`. Then throws if a request of the append-only profile did not only append.
 */
export async function runConversation(ToolSift, catalogs, asked, json) {
  const { rates, profile, format = ONE, lists } = asked;
  if (profile !== undefined)
    oneOf(
      "profile",
      profile,
      playersOf(ToolSift).map(({ name }) => name),
    );
  const written = lists === undefined;
  const play = (some, formats) => converse(ToolSift, some, { formats, rates, written });
  const name = nameOf(catalogs);
  const found = await step("playing the conversation", async () => play(catalogs, FORMATS));
  if (found === null) throw noTools(name);
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

/** Measures the gateway in the same way. Returns `{ rates, ledgers }`. `gateway` is the function of `toolsift/gateway`. */
export async function runLedger(ToolSift, gateway, catalogs, { rates, format = ONE, lists }, json) {
  const written = lists === undefined;
  const play = (some, formats) => ledger(ToolSift, gateway, some, { formats, rates, written });
  const name = nameOf(catalogs);
  const found = await step("playing the conversation", () => play(catalogs, FORMATS));
  if (found === null) throw noTools(name);
  const single = await step("playing it with each catalog by itself", async () => {
    const played = [];
    for (const one of catalogs.length > 1 ? catalogs : []) {
      const own = await play([one], [format]);
      if (own !== null) played.push({ catalog: one.server, ...own });
    }
    return played.sort((a, b) => a.definitions - b.definitions);
  });
  const ledgers = [{ catalog: name, ...found }, ...single];
  if (json) return console.log(JSON.stringify({ rates, ledgers }, null, 2));
  printLedger(ledgers[0]);
  if (single.length > 0) printEach(single);
  printLosses(ledgers);
  printLedgerLegend(rates);
}

const nameOf = (catalogs) => (catalogs.length > 1 ? `all ${catalogs.length}` : catalogs[0].server);
const noTools = (name) => new Problem(`${name}: there is no tool that can be registered`);

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
