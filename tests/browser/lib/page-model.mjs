/** Loads a file of the playground's model for tests that need no browser. */

import { build } from "esbuild";
import { at } from "../../../scripts/lib/paths.mjs";

/** The exports of a file under www/src. What it imports of the package is the package's. */
export async function pageModule(path) {
  const { outputFiles } = await build({
    entryPoints: [at("www", "src", path)],
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["toolsift", "toolsift/*"],
    write: false,
    logLevel: "silent",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
