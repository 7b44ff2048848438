/** Runs before `npm pack` and `npm publish` in cli/: copies the licences, and checks that the package is built. */

import { copyFileSync, existsSync } from "node:fs";
import { at } from "./lib/paths.mjs";
import { main } from "./lib/progress.mjs";
import { Problem } from "./lib/run.mjs";

await main(() => {
  if (!existsSync(at("cli", "dist", "main.js"))) throw new Problem("cli/dist/main.js is missing: npm run build");
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(at(name), at("cli", name));
});
