/**
 * Compiles cli/dist, the command line, from TypeScript. The package toolsift must be built first, because its types are
 * needed.
 */

import { rmSync } from "node:fs";
import { filesUnder, unlessFresh } from "./fresh.mjs";
import { versionOf } from "./modules.mjs";
import { at } from "./paths.mjs";
import { node } from "./run.mjs";

const dist = at("cli", "dist");
/** Compiles cli/dist unless it is up to date. Without `types`, it is compiled fast and types are not checked. */
export function buildCli({ force, types = true } = {}) {
  const inputs = [at("cli", "src"), at("cli", "package.json"), at("cli", "tsconfig.json"), at("pkg", "dist")];
  const settings = [versionOf("typescript"), versionOf("commander"), versionOf("esbuild")];
  return unlessFresh("cli", { inputs, settings, outputs: [dist], force }, async () => {
    if (!types) {
      const own = inputs.filter((path) => path !== at("pkg", "dist"));
      await unlessFresh("cli-scripts", { inputs: own, settings, outputs: [dist], force }, writeScripts);
      return false;
    }
    rmSync(dist, { recursive: true, force: true });
    const tsc = at("node_modules", "typescript", "bin", "tsc");
    await node(tsc, ["-p", at("cli")]);
    return true;
  });
}

/** Writes only the JavaScript. */
async function writeScripts() {
  const { build } = await import("esbuild");
  rmSync(dist, { recursive: true, force: true });
  const entryPoints = filesUnder(at("cli", "src"));
  await build({ entryPoints, outbase: at("cli", "src"), outdir: dist, format: "esm", target: "es2022", logLevel: "silent" });
}
