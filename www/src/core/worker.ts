/**
 * The entry of all workers. The name that the page gives a worker says what it holds. The build takes the package without its
 * inlined wasm (`vite.config.ts`): the file is smaller that way, and compiled while it arrives.
 */
import { expose } from "comlink";
import { init } from "toolsift/slim";
import { Bench } from "./bench.ts";
import { Engine } from "./engine.ts";
import { sendChangesOnly } from "./sending.ts";
import { Workshop } from "./workshop.ts";

const HELD = { engine: Engine, bench: Bench, workshop: Workshop };

export type WorkerName = keyof typeof HELD;

// What the page asks while the core still starts is answered as soon as it has.
const early: MessageEvent[] = [];
const wait = (event: MessageEvent) => void early.push(event);
addEventListener("message", wait);
await init();
removeEventListener("message", wait);
sendChangesOnly();
expose(new HELD[self.name as WorkerName]());
for (const { data, ports } of early) dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
