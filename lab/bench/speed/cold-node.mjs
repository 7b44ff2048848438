/** One cold start in Node: prints the milliseconds of CPU and of the clock from the import to the first search. */

import { readFileSync } from "node:fs";
import { at } from "../../../scripts/lib/paths.mjs";

const [path, query] = process.argv.slice(2);
const index = readFileSync(path);

const cpuBefore = process.cpuUsage();
const begin = performance.now();
const { ToolSift } = await import(at("pkg", "dist", "index.js"));
const { hits } = ToolSift.fromIndex(index).search(query);
const wall = performance.now() - begin;
const { user, system } = process.cpuUsage(cpuBefore);

if (hits.length === 0) throw new Error("the first search found nothing");
console.log(JSON.stringify({ cpu: (user + system) / 1_000, wall }));
