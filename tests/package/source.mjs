/** Modules of the package that no entry exports. */

import { build } from "esbuild";
import { at } from "../../scripts/lib/paths.mjs";

/** What a module of pkg/src exports. */
export async function source(path) {
  const options = { bundle: true, write: false, format: "esm", platform: "neutral" };
  const { outputFiles } = await build({ entryPoints: [at("pkg", "src", ...path.split("/"))], ...options });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
