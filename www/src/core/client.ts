/**
 * The one way from the page to the core. Two workers of the same code: `engine` holds the catalog and the conversations and
 * answers at once; `bench` does what takes long. Both are typed: every method of `Engine` and `Bench` is here, as a promise.
 */
import { transfer, wrap, type Remote } from "comlink";
import type { Bench } from "./bench.ts";
import type { Engine } from "./engine.ts";

export interface Core {
  engine: Remote<Engine>;
  /** Starts with its first use: most visits never need it. */
  bench: () => Remote<Bench>;
}

export function startCore(): Core {
  const first = start("engine");
  const engine = wrap<Engine>(first);
  let bench: Remote<Bench> | null = null;
  return {
    engine,
    bench: () => {
      if (bench === null) {
        bench = wrap<Bench>(start("bench"));
        const { port1, port2 } = new MessageChannel();
        // Comlink's own way to open a second end: the engine serves the port, the bench calls through it.
        void engine.serve(transfer(port1, [port1]));
        void bench.connect(transfer(port2, [port2]));
      }
      return bench;
    },
  };
}

function start(name: "engine" | "bench"): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name });
}
