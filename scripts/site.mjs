/** `npm run site`: builds the documents, the API reference and the playground as one static site. */

import { build } from "./build.mjs";
import { captureStep } from "./capture.mjs";
import { options } from "./lib/options.mjs";
import { root } from "./lib/paths.mjs";
import { buildPlayground } from "./lib/playground.mjs";
import { bold, isCommand, main, step } from "./lib/progress.mjs";
import { Problem } from "./lib/run.mjs";
import { buildSite, SITE } from "./lib/site.mjs";

const HELP = `npm run site [-- --base PATH]

Builds the documents, the API reference and the playground as one static site in target/site.
Ends with an error when a link leads to no page.
  --base PATH   the path under which the site will be served, such as /toolsift/ (default: /)`;

/** Returns a path with a slash at both ends, or throws if the text is not a path. */
function baseOf(text) {
  if (/^\/([\w.~-]+\/)*$/.test(text)) return text;
  throw new Problem(`--base takes a path that begins and ends with a slash, such as /toolsift/, not ${text}`);
}

if (isCommand(import.meta.url)) {
  const given = options({ base: { type: "string", default: "/" } }, HELP);
  await main(async () => {
    const base = baseOf(given.base);
    await build();
    await captureStep();
    await step("building the playground", () => buildPlayground());
    await buildSite({ base });
    console.log(`\nThe site is in ${bold(SITE.slice(root.length + 1))}, for the path ${base}`);
  });
}
