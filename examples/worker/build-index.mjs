/** `node build-index.mjs`: reads the tools once, where there is time for it, and writes the index that is deployed. */

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ToolSift } from "toolsift";

const here = import.meta.dirname;
const folder = join(here, "catalog");
const sift = new ToolSift();
for (const file of readdirSync(folder).sort()) {
  const server = basename(file, ".json");
  const { registered, rejected } = sift.register(JSON.parse(readFileSync(join(folder, file), "utf8")), { server });
  for (const { name, message } of rejected) throw new Error(`${file}: ${name}: ${message}`);
  console.log(`${server}: ${registered.length} tools`);
}
const index = sift.exportIndex();
writeFileSync(join(here, "src", "catalog.index"), index);
console.log(`src/catalog.index: ${index.length} bytes`);
