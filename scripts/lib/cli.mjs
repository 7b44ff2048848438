/** Compiles cli/dist, the command line, from its TypeScript. The package toolsift must be built: its types are needed. */

import { rmSync } from "node:fs";
import { unlessFresh } from "./fresh.mjs";
import { versionOf } from "./modules.mjs";
import { at } from "./paths.mjs";
import { node } from "./run.mjs";

const dist = at("cli", "dist");

/** Compiles cli/dist unless it is up to date. */
export function buildCli({ force } = {}) {
  const inputs = [at("cli", "src"), at("cli", "package.json"), at("cli", "tsconfig.json"), at("pkg", "dist")];
  const settings = [versionOf("typescript"), versionOf("commander")];
  return unlessFresh("cli", { inputs, settings, outputs: [dist], force }, async () => {
    rmSync(dist, { recursive: true, force: true });
    await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", at("cli")]);
  });
}
