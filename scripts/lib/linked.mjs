/**
 * Builds the JavaScript of both packages without checks, and links it as an installed package into the folder of an
 * application. This is the fast build for a single test. Captures the tools of real servers if that was not done yet.
 */

import { existsSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { capture } from "../capture.mjs";
import { buildBundles } from "./bundle.mjs";
import { buildCli } from "./cli.mjs";
import { linkTree } from "./installed.mjs";
import { at } from "./paths.mjs";
import { main } from "./progress.mjs";
import { node, Problem } from "./run.mjs";
import { coreDir } from "./wasm.mjs";

await main(async () => {
  const [app] = process.argv.slice(2);
  if (!existsSync(join(coreDir, "toolsift_bg.wasm"))) throw new Problem("the core is not built yet: npm run build");
  await buildBundles({ types: false });
  await buildCli({ types: false });
  await capture();
  await node(at("scripts", "prepack.mjs"), []);
  const modules = join(app, "node_modules");
  const home = join(modules, "toolsift");
  for (const folder of [home, join(modules, ".bin")]) mkdirSync(folder, { recursive: true });
  const { files, bin } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
  for (const name of ["package.json", "README.md", ...files]) {
    if (statSync(at("pkg", name)).isDirectory()) linkTree(at("pkg", name), join(home, name));
    else linkSync(at("pkg", name), join(home, name));
  }
  symlinkSync(join("..", "toolsift", bin.toolsift), join(modules, ".bin", "toolsift"));
});
