/** Runs before `npm pack` and `npm publish` in pkg/: copies the documents of the repository into the package. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { linkedWithin } from "./lib/packed-links.mjs";
import { at } from "./lib/paths.mjs";
import { main } from "./lib/progress.mjs";
import { THIRD_PARTY } from "./lib/third-party.mjs";
import { Problem } from "./lib/run.mjs";

const LICENSES = ["LICENSE-MIT", "LICENSE-APACHE", THIRD_PARTY];

await main(() => {
  for (const built of ["index.js", "cjs/index.js", "toolsift.wasm", "index.d.ts"]) {
    if (!existsSync(at("pkg", "dist", built))) throw new Problem(`pkg/dist/${built} is missing: npm run build`);
  }
  for (const name of LICENSES) copyFileSync(at(name), at("pkg", name));
  rmSync(at("pkg", "docs"), { recursive: true, force: true });
  const docs = readdirSync(at("docs"), { recursive: true }).filter((name) => name.endsWith(".md"));
  const pages = ["README.md", "CHANGELOG.md", ...docs.map((name) => `docs/${name.replaceAll("\\", "/")}`)];
  const packed = new Set([...LICENSES, ...pages]);
  for (const page of pages) {
    mkdirSync(dirname(at("pkg", page)), { recursive: true });
    writeFileSync(at("pkg", page), linkedWithin(readFileSync(at(page), "utf8"), page, packed));
  }
});
