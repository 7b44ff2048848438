/** The entry of both workers. The name that the page gives a worker says what it holds: the engine or the bench. */
import { expose } from "comlink";
import { Bench } from "./bench.ts";
import { Engine } from "./engine.ts";

expose(self.name === "bench" ? new Bench() : new Engine());
