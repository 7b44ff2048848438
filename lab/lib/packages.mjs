/** Installs the packages of lab/package.json at first use. Only research needs them, so `npm ci` does not install them. */

import { existsSync, readFileSync } from "node:fs";
import { modulesFit } from "../../scripts/lib/modules.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { step } from "../../scripts/lib/progress.mjs";
import { npm } from "../../scripts/lib/run.mjs";

/** Installs the packages into lab/node_modules, unless they are installed. */
export async function providePackages() {
  if (modulesFit(at("lab"))) return;
  await step("installing the packages of the lab", () => npm(["ci", "--ignore-scripts"], { cwd: at("lab") }));
}

/** Returns the installed version of a package, in lab/node_modules or in the repository. */
export function versionOf(name) {
  const files = ["lab", "."].map((folder) => at(folder, "node_modules", name, "package.json"));
  return JSON.parse(readFileSync(files.find((file) => existsSync(file)) ?? files[1], "utf8")).version;
}
