/**
 * `npm run build`: builds the npm packages in pkg/ and cli/, ready to be packed. Steps with unchanged inputs are skipped.
 */

import { buildBundles } from "./lib/bundle.mjs";
import { buildCli } from "./lib/cli.mjs";
import { isBuilt } from "./lib/installed.mjs";
import { options } from "./lib/options.mjs";
import { isCommand, main, step } from "./lib/progress.mjs";
import { buildWasm } from "./lib/wasm.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm run build [-- --force]

Builds the npm packages: the Rust core to wasm (pkg/core), the bundles and types (pkg/dist), and the command line (cli/dist).
  --force   also where nothing changed`;

/** Sets the machine up and builds the packages. Processes that a test starts use them without looking for changes. */
export async function build({ force = false } = {}) {
  if (isBuilt && !force) return;
  await setUp();
  const ran = (did) => (did ? {} : { summary: "nothing changed" });
  await step("building the core: Rust to wasm", async () => ran(await buildWasm({ force })));
  await step("building the package: bundles and types", async () => ran(await buildBundles({ force })));
  await step("building the command line", async () => ran(await buildCli({ force })));
}

if (isCommand(import.meta.url)) {
  await main(async () => {
    const { force } = options({ force: { type: "boolean" } }, HELP);
    await build({ force });
  });
}
