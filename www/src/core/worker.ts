/** The entry of all workers. The name that the page gives a worker says what it holds. */
import { expose } from "comlink";
import { Bench } from "./bench.ts";
import { Engine } from "./engine.ts";
import { Workshop } from "./workshop.ts";

const HELD = { engine: Engine, bench: Bench, workshop: Workshop };

export type WorkerName = keyof typeof HELD;

expose(new HELD[self.name as WorkerName]());
