/** `npm run attacks -- DIR`: what a server wins that writes its texts to come first, among the tools of real servers. */

import { build } from "../scripts/build.mjs";
import { attacksOn, play, victimsOf } from "./lib/attacks.mjs";
import { readCatalogs } from "../scripts/lib/catalogs.mjs";
import { right } from "./lib/columns.mjs";
import { options } from "../scripts/lib/options.mjs";
import { at } from "../scripts/lib/paths.mjs";
import { bold, isCommand, main, red } from "../scripts/lib/progress.mjs";
import { Problem } from "../scripts/lib/run.mjs";

/** Requests of sixty whose best tool may be missing from what is shown once the attacker is there. */
const MOST = 3;

const HELP = `npm run attacks -- DIR [--json]

Takes sixty tools of the servers in a folder of tools/list results and registers one more server, which tries to come first
for what they are asked: with doorways that copy a tool or its words, stuffed tools that are called as verbs, repeated words,
and names in other scripts. Asked are the first sentence of each tool, and its name as words. Prints how often a tool of the
attacker is the first hit, how often the tool that was best before is lost from the first five, and how often a search loads
one of the attacker's unasked.
Ends with an error when an attack makes more than ${MOST} of 60 sentences lose their best tool. "knows the words" and requests
by name are shown and not judged: beside a tool that is called exactly as the request says, others may not fit at all.
  --json   the same for programs`;

/** Where the attacker knows what is asked, word for word. */
const isJudged = ({ attack }) => !attack.includes("knows the words");

async function command({ json, folder }) {
  if (folder === undefined) throw new Problem("name a folder of tools/list results");
  await build();
  const { ToolSift } = await import(at("pkg", "dist", "index.js"));
  const honest = readCatalogs(folder);
  const victims = victimsOf(honest);
  const rows = attacksOn(victims).map(({ attack, tools }) => ({ attack, ...play(ToolSift, honest, tools, victims) }));
  if (json) console.log(JSON.stringify({ servers: honest.length, requests: victims.length, rows }, null, 2));
  else print(honest, victims.length, rows);
  const lost = rows.filter((row) => isJudged(row) && row.sentences.lost > MOST);
  for (const { attack } of lost)
    console.error(red(`${attack}: more than ${MOST} of ${victims.length} lose their best tool`));
  return lost.length === 0 ? 0 : 1;
}

function print(servers, requests, rows) {
  console.log(`${servers.length} servers, ${requests} requests of each kind\n`);
  const line = (name, cells) => name.padEnd(44) + right(cells, 10);
  console.log(bold(line("", ["sentences", "lost", "loaded", "names", "lost", "loaded"])));
  for (const { attack, sentences, names } of rows) {
    console.log(line(attack, [sentences.first, sentences.lost, sentences.loaded, names.first, names.lost, names.loaded]));
  }
}

if (isCommand(import.meta.url)) {
  const asked = options({ json: { type: "boolean" } }, HELP, { operand: "folder" });
  await main(() => command(asked));
}
