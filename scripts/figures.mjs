/** `npm run figures`: measures all figures that are committed, and writes their current values. */

import { copyFileSync } from "node:fs";
import { build } from "./build.mjs";
import { capture } from "./capture.mjs";
import { vitest } from "./lib/javascript.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { buildPlayground } from "./lib/playground.mjs";
import { isCommand, main, step } from "./lib/progress.mjs";

const HELP = `npm run figures

Writes tests/golden/figures.json (search quality) as it is now, and the picture of the README.
The difference is part of a change, and a test fails where a figure got worse without it.`;

if (isCommand(import.meta.url)) {
  options({}, HELP);
  await main(async () => {
    await build();
    await step("search quality", () => vitest(["run", "tests/golden/golden.test.mjs"], { env: { UPDATE: "1" } }));
    await step("the picture of the README", async () => {
      await capture();
      await buildPlayground();
      copyFileSync(at("www", "dist", "scene.svg"), at("docs", "scene.svg"));
    });
  });
}
