/** A thread of the benchmark: it does one thing once, with a core of its own. */

import { parentPort, workerData } from "node:worker_threads";
import { at } from "../../scripts/lib/paths.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));
// Compiling the wasm takes the same time for everything that is compared.
void ToolSift.version;
const { default: work } = await import(workerData.module);
parentPort.postMessage(await work(ToolSift, workerData.data));
