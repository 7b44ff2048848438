/** Runs before `npm pack` and `npm publish` in pkg/: the documents of the repository come along with the package. */

import { copyFileSync, cpSync, existsSync, rmSync } from "node:fs";
import { at } from "./lib/paths.mjs";
import { main } from "./lib/progress.mjs";
import { Problem } from "./lib/run.mjs";

const DOCUMENTS = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

await main(() => {
  for (const built of ["index.js", "cjs/index.js", "toolsift.wasm", "index.d.ts"]) {
    if (!existsSync(at("pkg", "dist", built))) throw new Problem(`pkg/dist/${built} is missing: npm run build`);
  }
  for (const name of DOCUMENTS) copyFileSync(at(name), at("pkg", name));
  rmSync(at("pkg", "docs"), { recursive: true, force: true });
  cpSync(at("docs"), at("pkg", "docs"), { recursive: true });
});
