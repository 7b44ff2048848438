/** `npm run prompt-size`: what tools cost in a prompt, sent in full and with each profile of tool search. */

import { build } from "./build.mjs";
import { capture } from "./capture.mjs";
import { readCatalogs } from "./lib/catalogs.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { measure, REVEALS } from "./lib/prompt-cost.mjs";
import { bold, dim, isCommand, main, progressTo, step } from "./lib/progress.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm run prompt-size [-- DIR] [-- --json]

Tokens of the tools of every catalog in a folder, and of all of them together: sent in full, in the first request with
each profile, and after five of the tools were revealed one by one, with the share of the request before that a prompt
cache keeps at a reveal.
  DIR      a folder of tools/list answers as JSON files; default: real MCP servers, captured on this machine
  --json   the same for programs

Tokens are characters / 4, in OpenAI's Chat Completions format.`;

/** Every catalog under every profile, and all catalogs together. */
async function measureAll(folder) {
  const { ToolSift } = await import(at("pkg", "dist", "index.js"));
  const catalogs = readCatalogs(folder);
  const sets = catalogs.map((catalog) => ({ name: catalog.server, catalogs: [catalog] }));
  if (catalogs.length > 1) sets.push({ name: `all ${catalogs.length}`, catalogs });
  return sets.flatMap(({ name, catalogs }) =>
    ToolSift.profiles().map(({ name: profile }) => ({ catalog: name, profile, ...measure(ToolSift, profile, catalogs) })),
  );
}

function print(rows) {
  const number = (value, width) => Math.round(value).toLocaleString("en-US").padStart(width);
  const share = (value, width) => `${(100 * value).toFixed(1)} %`.padStart(width);
  const cells = ["tools", "in full", "first", "saved", `after ${REVEALS}`, "saved", "kept"];
  const widths = [7, 10, 9, 9, 9, 9, 9];
  console.log(bold(`${"tokens".padEnd(22)}${"profile".padEnd(13)}${cells.map((cell, i) => cell.padStart(widths[i])).join("")}`));
  for (const { catalog, profile, tools, full, first, later, kept } of rows) {
    const values = [
      number(tools, 7),
      number(full, 10),
      number(first, 9),
      share(1 - first / full, 9),
      number(later, 9),
      share(1 - later / full, 9),
      share(kept, 9),
    ];
    console.log(`${catalog.padEnd(22)}${profile.padEnd(13)}${values.join("")}`);
  }
  console.log(dim("\nTokens are characters / 4. Kept: the share of the request before that a reveal leaves unchanged, at worst."));
}

if (isCommand(import.meta.url)) {
  const { json, folder } = options({ json: { type: "boolean" } }, HELP, { operand: "folder" });
  await main(async () => {
    if (json) progressTo(process.stderr);
    await setUp();
    await build();
    if (folder === undefined) await step("capturing the tools of real MCP servers", () => capture());
    const rows = await measureAll(folder ?? at("www", "public", "captured"));
    if (json) console.log(JSON.stringify({ rows }, null, 2));
    else print(rows);
  });
}
