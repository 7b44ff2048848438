/** Loads a file of the playground's model for tests without a browser. */

import { build } from "esbuild";
import { at } from "../../../scripts/lib/paths.mjs";

/** What a module without a place of its own imports has to be absolute. */
const thePackage = {
  name: "the-package",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^toolsift($|\/)/ }, ({ path }) => ({ path: import.meta.resolve(path), external: true })),
};

/** The exports of a file under www/src. What it imports of the package is the package's. */
export async function pageModule(path) {
  const { outputFiles } = await build({
    entryPoints: [at("www", "src", path)],
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    plugins: [thePackage],
    write: false,
    logLevel: "silent",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
