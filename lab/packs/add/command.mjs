/** `npm run packs -- add PACKAGE`: adds the pack of a server, in ten minutes and without knowledge of the project. */

import { join } from "node:path";
import { build } from "../../../scripts/build.mjs";
import { options } from "../../../scripts/lib/options.mjs";
import { at } from "../../../scripts/lib/paths.mjs";
import { dim, green, red } from "../../../scripts/lib/progress.mjs";
import { Problem } from "../../../scripts/lib/run.mjs";

const HELP = `npm run packs -- add PACKAGE [ARGUMENTS...] [--words FILE] [--more FILE]

Adds the pack of a server, or brings it up to date. Without --words or --more: installs the package of npm (or pypi:NAME, or a folder)
without its scripts, starts it with ARGUMENTS in bounds of time, memory and output, where the system can without a network,
with made-up values for what it says it lacks, and lists its tools. Then it writes into target/packs/PACK:
  tools.json    the definitions
  words.md      what to give a model, or a person, who writes the words of the tools that have none
With one of them: checks the words, writes pkg/packs/PACK.jsonl, and the lists and pages that name the packs.
  --words FILE      the words: the answer to words.md, as one JSON document or one object a line
  --more FILE       the answer to words.md of another writer, who has not seen the first one's: its queries are added
  --name PACK       what the pack is called; default: as the package, without "mcp" and "server"
  --program NAME    which program of the package is the server, if it has several
  --env NAME=VALUE  for the server; may be repeated. It gets none of your secrets by itself
  --network         starts the server with a network
Arguments that begin with "-" stand behind another --: npm run packs -- add PACKAGE -- --stdio`;

const SPEC = {
  words: { type: "string" },
  more: { type: "string" },
  name: { type: "string" },
  program: { type: "string" },
  env: { type: "string", multiple: true, default: [] },
  network: { type: "boolean" },
};

export async function addCommand() {
  const { given, ...said } = options(SPEC, HELP, { operands: "given" });
  const [, source, ...args] = given;
  if (source === undefined) throw new Problem("npm run packs -- add PACKAGE: say which package; --help says more");
  const hasWords = (said.words ?? said.more) !== undefined;
  await build();
  const dist = (name) => import(at("pkg", "dist", name));
  const [{ enrich }, { processTransport }, { inspect }] = await Promise.all(
    ["author.js", "gateway.js", "internal.js"].map(dist),
  );
  const { listServer, takeWords } = await import("./add.mjs");
  const out = at("target", "packs");
  if (!hasWords) {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { ResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
    const env = Object.fromEntries(said.env.map(variable));
    const choices = { source, args, env, program: said.program, name: said.name, hasNetwork: said.network, out };
    tellListed(await listServer(choices, { enrich, Client, ResultSchema, processTransport }), source);
    return 0;
  }
  const { words, more } = said;
  const taken = await takeWords({ source, out, words, more }, { enrich, inspect });
  tellTaken(taken);
  if (taken.problems.length === 0) await build();
  return taken.problems.length === 0 ? 0 : 1;
}

function variable(text) {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new Problem(`--env ${text}: write NAME=VALUE`);
  return [name, value];
}

function tellListed({ pack, version, tools, open, madeUp, out }, source) {
  const given = madeUp.length === 0 ? "" : `, with made-up ${madeUp.join(", ")}`;
  console.log(green(`\n${pack} ${version} lists ${tools} tools${given}; ${open} of them have no words`));
  if (open === 0) return;
  console.log(
    `Give ${join(out, "words.md")} to whoever writes the words. Then: npm run packs -- add ${source} --words FILE`,
  );
}

function tellTaken({ pack, leftOut, problems, entries, changed }) {
  for (const text of leftOut) console.log(dim(`left out, because it is not allowed or the definition has it: ${text}`));
  for (const problem of problems) console.log(red(problem));
  if (problems.length > 0) return void console.log(red(`\n${problems.length} problems: nothing is written`));
  console.log(green(`\npkg/packs/${pack}.jsonl has ${entries} tools; changed: ${changed.join(", ")}`));
  console.log("Next: npm run figures, and npm test -- tests/package/packs.test.mjs");
}
