/** What does a thread of the benchmark do? One thing once, with a core of its own. */

import { parentPort, workerData } from "node:worker_threads";
import { at } from "../paths.mjs";

const { ToolSift } = await import(at("pkg", "dist", "index.js"));
// Compiling the wasm is the same for all that is compared.
void ToolSift.version;
const { default: work } = await import(workerData.module);
parentPort.postMessage(work(ToolSift, workerData.data));
