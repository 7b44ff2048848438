/** `npm run bench`: how long things take that a host waits for, beside other search libraries. */

import { build } from "../scripts/build.mjs";
import { benchOptions } from "./bench/options.mjs";
import * as proxy from "./bench/proxy.mjs";
import * as speed from "./bench/speed.mjs";
import { providePackages } from "./lib/packages.mjs";
import { isCommand, main, progressTo, step } from "../scripts/lib/progress.mjs";

/** Each part has a `title`, `measure(wanted)`, which answers figures, and `print(figures)`. */
const PARTS = { speed, proxy };

if (isCommand(import.meta.url)) {
  const { parts, ...wanted } = benchOptions();
  await main(async () => {
    progressTo(process.stderr);
    await providePackages();
    await build();
    const measured = {};
    for (const name of parts) {
      const { title, measure, print } = PARTS[name];
      measured[name] = await step(title, () => measure(wanted));
      if (!wanted.json) print(measured[name]);
    }
    if (wanted.json) console.log(JSON.stringify(measured, null, 2));
  });
}
