/** `npm run clients`: runs real clients against the proxy, each with 159 tools. */

import { readFileSync, writeFileSync } from "node:fs";
import { build } from "../scripts/build.mjs";
import { captureStep } from "../scripts/capture.mjs";
import { rowsOf, versionOf, withRows } from "./clients/docs.mjs";
import { CLIENTS } from "./clients/table.mjs";
import { options } from "../scripts/lib/options.mjs";
import { at } from "../scripts/lib/paths.mjs";
import { green, isCommand, main, red } from "../scripts/lib/progress.mjs";
import { Problem } from "../scripts/lib/run.mjs";

const HELP = `npm run clients [-- CLIENT...] [-- --update]

Plays real clients in Python and JavaScript through the proxy, against vendors on this machine that refuse what the vendors'
documentation says is refused: each has 159 tools, searches twice, calls two tools and ends, whole and streamed, over each API
that it speaks. Clients that are no devDependencies are installed into the cache folder once, from PyPI and npm. Prints a row
for each client; ends with an error when one fails or cannot be installed.
  CLIENT     only these, such as litellm or openai
  --update   writes the table of clients in lab/REPORT.md, if all of them pass`;

if (isCommand(import.meta.url)) {
  const { update, clients } = options({ update: { type: "boolean" } }, HELP, { operands: "clients" });
  await main(async () => {
    const unknown = clients.find((name) => CLIENTS.every(({ client }) => client !== name));
    if (unknown !== undefined) throw new Problem(`${unknown} is none of ${CLIENTS.map(({ client }) => client).join(", ")}`);
    await build();
    await captureStep();
    // This module reads the captured tools, so it is loaded after they exist.
    const { played } = await import("./clients/play.mjs");
    const wanted = CLIENTS.filter(({ client }) => clients.length === 0 || clients.includes(client));
    let failed = 0;
    for (const row of wanted) {
      const lines = linesOf(await played(row));
      failed += lines.filter(({ passed }) => !passed).length;
      console.log(`${row.language} ${row.client} ${versionOf(row)}: ${lines.map(({ text }) => text).join(", ")}`);
    }
    if (failed > 0) return 1;
    if (update) {
      if (clients.length > 0) throw new Problem("--update writes all rows, and plays all clients");
      const page = at("lab", "REPORT.md");
      writeFileSync(page, withRows(readFileSync(page, "utf8"), rowsOf(CLIENTS)));
    }
    return 0;
  });
}

/** Returns the lines about a client: the played conversations and their results. */
function linesOf({ reason, plays }) {
  if (reason !== undefined) return [{ passed: false, text: red(reason) }];
  return plays.map(({ wire, streamed, problem }) => {
    const what = `${wire} ${streamed ? "streamed" : "whole"}`;
    return {
      passed: problem === undefined,
      text: problem === undefined ? green(`${what} passed`) : red(`${what} failed: ${problem}`),
    };
  });
}
