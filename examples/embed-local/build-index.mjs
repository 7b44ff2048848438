/** Builds the index, once: the tools, their words, and their vectors. */

import { writeFile } from "node:fs/promises";
import { ToolSift } from "toolsift";
import { TOOLS } from "./catalog.mjs";
import { localRanker } from "./model.mjs";

const sift = new ToolSift();
for (const [server, tools] of Object.entries(TOOLS)) sift.register(tools, { server });

const rank = await localRanker();
const index = await rank.exportIndex(sift);
await writeFile("tools.index", index);

const { vectors, dims, bytes } = rank.size;
console.log(`tools.index: ${index.length} bytes, ${bytes} of them for ${vectors} vectors of ${dims} numbers`);
