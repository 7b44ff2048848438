/** `npm run packs -- add PACKAGE@VERSION TOOLS`: adds the pack of a server, without knowledge of the project. */

import { build } from "../../../scripts/build.mjs";
import { toolsIn } from "../../../scripts/lib/catalogs.mjs";
import { options } from "../../../scripts/lib/options.mjs";
import { at } from "../../../scripts/lib/paths.mjs";
import { dim, green, red } from "../../../scripts/lib/progress.mjs";
import { Problem } from "../../../scripts/lib/run.mjs";

const HELP = `npm run packs -- add PACKAGE@VERSION TOOLS [--words FILE] [--more FILE]

Adds the pack of a server, or updates it. PACKAGE is the server's package of npm, or pypi:NAME. TOOLS is a JSON file with its
tools, as this writes it:  npx toolsift tools --server 'npx -y PACKAGE@VERSION' > tools.json
Without --words or --more, the command writes target/packs/PACK.md: the prompt for a model, or a person, who writes the words
of the tools that have none. With one of them, it checks the words, writes pkg/packs/PACK.jsonl, and the lists and pages that
name the packs.
  --words FILE   the words: the answer to the prompt, as one JSON document or one object a line
  --more FILE    the answer of another writer, who has not seen the first one's: its queries are added
  --name PACK    the name of the pack; default: the name of the package, without "mcp" and "server"`;

const SPEC = { words: { type: "string" }, more: { type: "string" }, name: { type: "string" } };

export async function addCommand() {
  const { given, words, more, name } = options(SPEC, HELP, { operands: "given" });
  const [, source, file] = given;
  if (file === undefined) throw new Problem("npm run packs -- add PACKAGE@VERSION TOOLS: --help says more");
  const { serverOf, takeWords, writePrompt } = await import("./add.mjs");
  const server = serverOf(source, toolsIn(file), name);
  const { pack, tools } = server;
  await build();
  const dist = (name) => import(at("pkg", "dist", name));
  const [{ enrich }, { inspect }] = [await dist("author.js"), await dist("internal.js")];
  if ((words ?? more) === undefined) {
    const prompt = at("target", "packs", `${pack}.md`);
    const open = await writePrompt(server, prompt, enrich);
    console.log(green(`${pack} has ${tools.length} tools; ${open} of them have no words`));
    if (open > 0) console.log(`Give ${prompt} to the writer of the words. Then run this again with --words FILE`);
    return 0;
  }
  const { leftOut, problems, entries, changed } = await takeWords(server, { words, more }, { enrich, inspect });
  for (const text of leftOut) console.log(dim(`left out, because it is not allowed or the definition has it: ${text}`));
  for (const problem of problems) console.log(red(problem));
  if (problems.length > 0) {
    console.log(red(`\n${problems.length} problems: nothing is written`));
    return 1;
  }
  console.log(green(`\npkg/packs/${pack}.jsonl has ${entries} tools; changed: ${changed.join(", ")}`));
  console.log("Next: npm run figures, and npm test -- tests/package/packs.test.mjs");
  await build();
  return 0;
}
